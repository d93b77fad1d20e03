// Label by hand: one page, one key. The next page is the one of which the classifier is least sure.

class LabelDesk {
  constructor(scene, python) {
    this.python = python;
    this.genre = "";
    this.body = el("div");
    this.said = el("p", {class: "fl-told", role: "status", "aria-live": "polite"});
    this.plot = new Plot("How right the classifier is", "labels");
    this.genres = el("div", {class: "fl-row", role: "group", "aria-label": "Genre, keys 1 to 5"});
    const act = (words, go) => el("button", {type: "button", onclick: go}, words);
    this.place = el("div", {class: "fl fl-desk", tabindex: 0, role: "region", "data-lm-suppress-shortcuts": "true",
      "aria-label": "Label pages: R relevant, N not, 1 to 5 genre, U takes the last label back", onkeydown: event => this.key(event)},
      this.said, el("div", {class: "fl-row"}, act("R  relevant", () => this.give("relevant")), act("N  not", () => this.give("not")), act("U  take back", () => this.send("back"))),
      this.genres, el("div", {class: "fl-pair"}, this.body, this.plot.place));
    this.send = latest(async ([ask, about]) => {
      try { this.show(await python.ask(ask, about)); } catch (problem) { this.said.textContent = problem.message; }
    });
    const send = this.send;
    this.send = (ask, about = {}) => send([ask, about]);
    this.untheme = onTheme(() => this.plot.view.draw());
    this.show(scene);
    if (python.there) this.send("look"); // a cell run again shows what was labelled since
  }

  show(scene) {
    this.scene = scene;
    this.genre = "";
    const {page, counts, curve} = scene, last = curve.at(-1);
    const right = last ? ` Right on ${(100 * last[1]).toFixed(0)} % (${scene.judge}).` : " Give some of both labels.";
    this.said.textContent = `${scene.labelled} of ${plural(scene.pages, "page")} labelled: ${counts.relevant} relevant, ${counts.not} not.${right}`;
    this.choose("");
    this.body.replaceChildren(...(page ? this.page(page) : [el("p", {}, `All pages are labelled. Next: focuslab train ${scene.file}`)]));
    this.plot.place.hidden = !curve.length; // nothing is drawn before there are both labels
    this.plot.show(curve.length ? [{name: scene.judge, x: curve.map(point => point[0]), y: curve.map(point => point[1]), color: "#0173b2"}] : [], null, this.said.textContent);
  }

  page(page) {
    const guess = page.guess === null ? "" : el("p", {class: "fl-soft"}, `The classifier so far: R ${fixed(page.guess, 2)}`);
    const text = page.text.map((piece, at) => {
      const weight = at % 2 ? 0 : page.weights?.[at / 2] || 0;
      return Math.abs(weight) < 5 ? piece : el("span", {class: weight > 0 ? "fl-for" : "fl-against", style: "--fl-strength:.35"}, piece);
    });
    return [el("p", {class: "fl-title"}, page.title || "(no title)"), el("p", {class: "fl-url"}, page.url), guess, el("p", {class: "fl-text"}, text)];
  }

  choose(genre) {
    this.genre = genre;
    this.genres.replaceChildren(...this.scene.genres.map((name, at) => el("button", {type: "button", "aria-pressed": String(name === genre), onclick: () => this.choose(name === genre ? "" : name)}, `${at + 1}  ${name}`)));
  }

  give(label) {
    if (this.scene.page) this.send("label", {url: this.scene.page.url, label, genre: this.genre});
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const genre = this.scene.genres[Number(event.key) - 1];
    const acts = {r: () => this.give("relevant"), n: () => this.give("not"), u: () => this.send("back")};
    const act = genre ? () => this.choose(genre) : acts[event.key.toLowerCase()];
    event.stopPropagation();
    if (!act) return;
    event.preventDefault();
    act();
  }

  close() { this.untheme(); this.plot.close(); }
}
