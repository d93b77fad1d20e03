// The frontier: the best waiting links, each score as a bar of its terms, and who shares it.

const FIRST_OF_EQUALS = {
  fifo: "the one found first goes first", lifo: "the one found last goes first", random: "the lot decides",
};
const SHOWN_SHADES = [0, 1, 2, 5, 9, 3, 4, 7, 8, 6];

class QueuePanel {
  constructor(scene, pick) {
    Object.assign(this, {scene, pick});
    this.told = el("p", {class: "fl-told"});
    this.legend = el("p", {class: "fl-legend"});
    this.body = el("tbody");
    this.table = el("table", {class: "fl-queue"},
      el("caption", {class: "fl-hidden"}, "The best waiting links"),
      el("thead", {}, el("tr", {}, ["#", "link", "score", "made of"].map(name => el("th", {scope: "col"}, name)))),
      this.body);
    this.place = el("section", {class: "fl-panel fl-frontier", "aria-label": "Frontier"},
      el("h3", {}, "Waiting links, best first"), this.told, this.table, this.legend);
  }

  /** The queue of a crawler after so many pages. */
  show(crawler, step) {
    const queue = crawler.queues[step];
    if (!queue) {
      this.told.textContent = "Only a log is left of this crawl: it knows which link was taken, not which waited.";
      this.body.replaceChildren();
      this.legend.replaceChildren();
      return;
    }
    const rows = queue.map(place => {
      const [page, score, source, anchor, ...terms] = crawler.candidates[place];
      return {page, score, source, anchor, terms, url: this.scene.urls[page]};
    });
    this.rows(rows, crawler, crawler.asked[step]);
    this.told.textContent = this.words(rows, crawler, step);
  }

  words(rows, crawler, step) {
    if (!rows.length) return "No link waits: the crawl has run dry.";
    const sharing = crawler.sharing[step], seeds = rows[0].score === null;
    const next = crawler.asked[step] === undefined ? "The crawl ends here; " : "";
    if (seeds) return `${next}${plural(sharing, "seed")} left: seeds go before everything else.`;
    const rule = FIRST_OF_EQUALS[crawler.settings.tie] || "the tie rule decides";
    const waits = rows[0].page !== crawler.asked[step] && crawler.asked[step] !== undefined && crawler.settings.hosts_apart > 1
      ? " Better links wait for their host to rest." : "";
    if (sharing > 1) return `${next}${count(sharing)} links tie at ${fixed(rows[0].score, 4)}; ${rule}.${waits}`;
    return `${next}The best link is alone with its score.${waits}`;
  }

  rows(rows, crawler, next) {
    const parts = crawler.parts.length ? crawler.parts : [null];
    const made = rows.map(row => parts.map(part => part === null ? row.score ?? 0 : row.terms[part] ?? 0));
    const whole = rows.map((row, at) => Math.abs(made[at].reduce((a, b) => a + b, 0) - (row.score ?? 0)) < 1e-4 * Math.max(1, Math.abs(row.score ?? 0)));
    made.forEach((values, at) => { if (!whole[at]) made[at] = [rows[at].score ?? 0]; });
    const most = Math.max(1e-12, ...made.map(values => values.reduce((sum, value) => sum + Math.max(0, value), 0)));
    const least = Math.min(0, ...made.map(values => values.reduce((sum, value) => sum + Math.min(0, value), 0)));
    this.body.replaceChildren(...rows.map((row, at) => this.row(row, at, rows, made[at], [least, most], crawler, row.page === next)));
    const names = crawler.parts.map((part, at) => el("span", {class: "fl-key"}, this.swatch(at), crawler.terms[part]));
    this.legend.replaceChildren(...(names.length > 1 ? names : [`One bar: ${names.length ? crawler.terms[crawler.parts[0]] : "the score"}.`]));
  }

  row(row, at, rows, values, range, crawler, next) {
    const equal = other => other && row.score !== null && other.score === row.score;
    const tie = equal(rows[at - 1]) || equal(rows[at + 1]);
    const all = crawler.terms.map((name, place) => `${name} ${fixed(row.terms[place])}`).filter((_, place) => row.terms[place] !== null);
    const words = `${row.anchor || "no anchor"} · ${row.url}\n${all.join(", ")}`;
    return el("tr", {class: [next ? "fl-next" : "", tie ? "fl-tie" : ""].join(" ").trim()},
      el("td", {class: "fl-rank"}, next ? "▶" : String(at + 1)),
      el("td", {class: "fl-link"}, el("button", {type: "button", title: words, onclick: () => this.pick(row.page)}, row.anchor || "(no anchor)"),
        el("span", {}, row.url.replace(/^https?:\/\//, ""))),
      el("td", {class: "fl-score"}, row.score === null ? "seed" : fixed(row.score, 4), tie ? el("abbr", {title: "tied with its neighbours"}, " =") : ""),
      el("td", {class: "fl-bar"}, this.bar(values, range, row, all)));
  }

  bar(values, [least, most], row, all) {
    const span = most - least, bars = [];
    let right = -least / span, left = right;
    values.forEach((value, at) => {
      const share = Math.abs(value) / span;
      const from = value >= 0 ? right : left - share;
      if (value >= 0) right += share; else left -= share;
      bars.push(el("i", {class: value < 0 ? "fl-minus" : "", style: `left:${(100 * from).toFixed(2)}%;width:${(100 * share).toFixed(2)}%;background:${this.shade(at)}`}));
    });
    return el("span", {class: "fl-stack", role: "img", "aria-label": `score ${fixed(row.score)} of ${all.join(", ") || "one part"}`}, bars);
  }

  /** Ten colours; what comes after them is striped. */
  shade(at) {
    const color = this.scene.palette[SHOWN_SHADES[at % SHOWN_SHADES.length]];
    return at < SHOWN_SHADES.length ? color : `repeating-linear-gradient(45deg, ${color} 0 3px, transparent 3px 6px)`;
  }


  swatch(at) { return el("i", {style: `background:${this.shade(at)}`, "aria-hidden": "true"}); }
}
