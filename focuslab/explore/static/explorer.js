// The crawl explorer: maps, frontier, curves and page, all at one step.

class Explorer {
  constructor(scene, python, again) {
    Object.assign(this, {scene, python, focus: 0, picked: -1});
    this.places = placesOf(scene);
    this.found = scene.crawlers.map(crawler => foundBy(crawler.hits));
    this.last = Math.max(...scene.crawlers.map(crawler => crawler.pages.length));
    const pick = page => this.pick(page);
    this.maps = scene.crawlers.map((crawler, number) => new WebMap(scene, this.places, crawler, page => { this.turn(number); this.pick(page); }));
    this.queue = new QueuePanel(scene, pick);
    this.curves = new CurvePanel(scene, step => this.player.seek(step));
    this.card = new CardPanel(scene, python, pick);
    this.whatIf = new WhatIf(scene, python);
    this.player = new Player(this.last, scene.apart, step => this.show(step));
    this.heads = scene.crawlers.map((crawler, number) => this.head(crawler, number));
    this.place = el("div", {class: `fl fl-explorer fl-of-${this.maps.length}`, "data-lm-suppress-shortcuts": "true", tabindex: 0, role: "region",
      "aria-label": `Crawl explorer: ${scene.topic}. ${KEYS}`, onkeydown: event => this.key(event)}, this.title(), scene.choices ? settingsForm(scene.choices, again) : "", this.player.place,
      el("div", {class: "fl-grid"}, el("div", {class: "fl-maps"}, this.maps.map((map, number) => el("figure", {}, this.heads[number].place, map.canvas))),
        this.queue.place, this.curves.place, this.card.place, this.whatIf.place));
    this.untheme = onTheme(() => this.repaint());
    const before = memory.read(scene.key);
    this.focus = clamp(before.focus || 0, 0, this.maps.length - 1);
    this.player.seek(before.step ?? 0);
    if (before.picked >= 0) this.pick(before.picked);
  }

  title() {
    const {scene} = this, guide = scene.relevant === null;
    const key = (kind, words) => el("span", {class: "fl-key"}, el("i", {class: `fl-dot fl-${kind}`, "aria-hidden": "true"}), words);
    return el("div", {class: "fl-title-row"},
      el("p", {class: "fl-heading"}, `${scene.topic || "A crawl"} · judged by ${scene.judge}`),
      guide ? el("p", {class: "fl-soft"}, "Nobody knows the truth here: colours and curves are the guide's own verdicts.") : "",
      el("p", {class: "fl-legend"}, key("found", guide ? "relevant to the guide" : "fetched, relevant"), key("fetched", "fetched, not relevant"), guide ? "" : key("hollow", "relevant, not fetched"),
        guide ? "" : key("ring", "ring: the guide says relevant")));
  }

  head(crawler, number) {
    const said = el("span", {class: "fl-count"});
    const button = el("button", {type: "button", class: "fl-name", style: `--fl-color:${crawler.color}`, onclick: () => this.turn(number)}, `${crawler.marker} ${crawler.name}`);
    return {place: el("figcaption", {}, button, said), said, button};
  }

  show(step) {
    const {scene} = this;
    scene.crawlers.forEach((crawler, number) => {
      const at = Math.min(step, crawler.pages.length), found = this.found[number][at];
      this.heads[number].said.textContent = `${count(found)} relevant of ${count(at)}${at < step ? " (ran dry)" : ""}`;
      this.heads[number].button.setAttribute("aria-pressed", String(number === this.focus));
      this.maps[number].show(at, number === this.focus ? this.route() : []);
      this.maps[number].canvas.setAttribute("aria-label", `Map of ${plural(this.places.total, "page")} on ${plural(scene.hosts.length, "host")}. ${crawler.name} has fetched ${count(at)}, ${count(found)} of them relevant.`);
    });
    this.curves.show(step);
    const crawler = scene.crawlers[this.focus], at = Math.min(step, crawler.pages.length);
    this.queue.show(crawler, at);
    this.whatIf.show(this.focus, at, this.player.playing);
    this.player.say(this.words(crawler, at));
    if (!this.player.playing) this.remember();
  }

  words(crawler, at) {
    if (!at) return "Nothing is fetched yet.";
    return `${crawler.name}: page ${at}, ${this.scene.titles[crawler.pages[at - 1]] || "no title"}, ${crawler.hits[at - 1] === "1" ? "relevant" : "not relevant"}. ${this.found[this.focus][at]} relevant so far.`;
  }

  turn(number) {
    this.focus = number;
    this.show(this.player.step);
  }

  pick(page) {
    this.picked = page;
    this.show(this.player.step);
    if (page >= 0) this.card.show(this.focus, page, Math.min(this.player.step, this.scene.crawlers[this.focus].pages.length));
  }

  route() {
    const crawler = this.scene.crawlers[this.focus], at = crawler.pages.indexOf(this.picked);
    if (this.picked < 0) return [];
    return at >= 0 && at < this.player.step ? this.card.path(crawler, this.picked) : [this.picked];
  }

  key(event) {
    const crawler = this.scene.crawlers[this.focus];
    const enter = event.key === "Enter" && event.target.tagName !== "BUTTON" && event.target.tagName !== "SUMMARY" && this.player.step;
    if (enter) this.pick(crawler.pages[Math.min(this.player.step, crawler.pages.length) - 1]);
    const mine = enter || this.player.key(event);
    event.stopPropagation(); // a notebook has keys of its own
    if (mine) event.preventDefault();
  }

  repaint() {
    for (const map of this.maps) if (map.view.width) { map.prepare(); map.view.draw(); }
    for (const chart of this.curves.charts) chart.view.draw();
  }

  remember() { memory.write(this.scene.key, {step: this.player.step, focus: this.focus, picked: this.picked}); }

  close() {
    this.player.stop();
    this.untheme();
    for (const view of [...this.maps.map(map => map.view), ...this.curves.charts.map(chart => chart.view)]) view.close();
  }
}
