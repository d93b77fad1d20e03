// What Python can change: which crawls are made, and what the queue would be under other parameters.

/** The form above the maps: topic, crawlers, seeds, rules; `crawl` is told what was chosen. */
function settingsForm(choices, crawl) {
  const asked = {...choices.asked, strategies: [...choices.asked.strategies]};
  const said = el("p", {class: "fl-told", role: "status"});
  const names = [["", "–"], ...choices.strategies.map(name => [name, name])];
  const rule = (label, key, options) => choice(label, [["", "their own"], ...options.map(name => [name, name])], asked[key], value => { asked[key] = value; });
  const number = (label, key, low) => {
    const input = el("input", {type: "number", min: low, value: asked[key], "aria-label": label, onchange: () => { asked[key] = Number(input.value); }});
    return el("label", {class: "fl-choice"}, el("span", {}, label), input);
  };
  const go = el("button", {type: "button", class: "fl-go", onclick: async () => {
    said.textContent = "Crawling…";
    go.disabled = true;
    try { await crawl(asked); } catch (problem) { said.textContent = problem.message; } finally { go.disabled = false; }
  }}, "Crawl");
  const crawlers = Array.from({length: choices.most}, (_, at) => choice(`Crawler ${at + 1}`, names, asked.strategies[at] || "", value => { asked.strategies[at] = value; }));
  return el("details", {class: "fl-settings"}, el("summary", {}, "Other crawls"), el("div", {class: "fl-row"},
    choice("Topic", choices.topics.map(name => [name, name]), asked.topic, value => { asked.topic = value; }), crawlers,
    number("Pages", "budget", 1), number("Seeds no.", "seed", 0), rule("Ties", "tie", choices.tie), rule("Rediscovery", "rediscovery", choices.rediscovery),
    number("Pages a host", "host_cap", 1), go), said);
}

/** Sliders for the parameters of a strategy: they rank the queue anew and say who would be next. */
class WhatIf {
  constructor(scene, python) {
    this.key = `what if ${scene.key}`;
    Object.assign(this, {scene, python, number: 0, step: 0, changes: {}, open: false}, memory.read(this.key));
    this.controls = el("div", {class: "fl-row"});
    this.said = el("p", {class: "fl-told", role: "status"});
    this.list = el("ol", {class: "fl-links"});
    this.place = el("details", {class: "fl-panel fl-what-if", open: this.open, ontoggle: () => { this.remember(); this.ask(); }}, el("summary", {}, "What if…"), this.controls, this.said, this.list);
    this.ask = latest(() => this.answer());
  }

  show(number, step, playing) {
    if (number !== this.number || !this.controls.childElementCount) this.build(number);
    [this.number, this.step] = [number, step];
    this.place.hidden = !this.python.there || !this.scene.crawlers[number].queues.length;
    if (this.place.open && !playing && !this.place.hidden) this.ask();
  }

  remember() { memory.write(this.key, {open: this.place.open, changes: this.changes}); }

  build(number) {
    this.number = number;
    const changes = this.changes[number] ??= {}, {tie, rediscovery} = {...this.scene.crawlers[number].settings, ...changes};
    const change = name => value => { changes[name] = value; this.remember(); this.ask(); };
    const controls = this.scene.parameters[number].map(({name, value, kind, most, step}) => kind === "number"
      ? slider(name, {high: most, step, value: changes[name] ?? value, digits: step < 1 ? 2 : 0}, change(name))
      : choice(name, [["true", "yes"], ["false", "no"]], changes[name] ?? value, chosen => change(name)(chosen === "true")));
    const rules = [["tie", ["fifo", "lifo", "random"], tie], ["rediscovery", ["first", "max", "last"], rediscovery]];
    this.controls.replaceChildren(...controls, ...rules.map(([name, options, value]) => choice(name, options.map(option => [option, option]), value, change(name))));
  }

  async answer() {
    if (!this.place.open) return;
    try {
      const queue = await this.python.ask("what_if", {crawler: this.number, step: this.step, changes: this.changes[this.number]});
      const crawler = this.scene.crawlers[this.number], taken = this.scene.urls[crawler.asked[this.step]], first = queue.best[0];
      const same = first && first.url === taken;
      this.said.textContent = !first ? "No link would wait." : same ? "The next page would be the same." : `Next would be: ${first.url}`;
      this.place.dataset.next = first ? first.url : "";
      this.list.replaceChildren(...queue.best.map(row => el("li", {class: row.url === taken ? "fl-next" : ""}, `${row.score === null ? "seed" : fixed(row.score, 4)}  ${row.anchor || "(no anchor)"} · ${row.url}`)));
    } catch (problem) { this.said.textContent = problem.message; }
  }
}
