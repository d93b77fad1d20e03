// One page: why it was fetched now, what the guide thinks, its words for and against, its features, its links.

class CardPanel {
  constructor(scene, python, pick) {
    Object.assign(this, {scene, python, pick, cards: new Map(), wanted: 0});
    this.body = el("div", {}, el("p", {class: "fl-soft"}, "Click a dot or a link, or press Enter for the page just fetched."));
    this.place = el("section", {class: "fl-panel fl-page-card", "aria-label": "Page", tabindex: -1}, el("h3", {}, "Page"), this.body);
  }

  async show(number, page, step) {
    const crawler = this.scene.crawlers[number], at = crawler.pages.indexOf(page);
    const turn = ++this.wanted;
    if (at < 0 || at >= step) return this.waiting(crawler, page, step, at);
    this.body.replaceChildren(...this.head(crawler, page, at), el("p", {class: "fl-soft"}, "Reading…"));
    let rest;
    try { rest = this.words(await this.card(number, page)); } catch (problem) { rest = [el("p", {class: "fl-soft"}, problem.message)]; }
    if (turn === this.wanted) this.body.replaceChildren(...this.head(crawler, page, at), ...rest);
  }

  async card(number, page) {
    const known = this.scene.cards[page], key = `${number} ${page}`;
    if (known) return known;
    if (!this.cards.has(key)) this.cards.set(key, await this.python.ask("card", {crawler: number, page}));
    return this.cards.get(key);
  }

  waiting(crawler, page, step, at) {
    const url = this.scene.urls[page];
    const place = (crawler.queues[step] || []).findIndex(row => crawler.candidates[row][0] === page);
    const row = place < 0 ? null : crawler.candidates[crawler.queues[step][place]];
    this.body.replaceChildren(
      el("p", {class: "fl-url"}, url || "a page this crawl has not met"),
      el("p", {}, row ? `It waits as number ${place + 1}, score ${fixed(row[1], 4)}, anchor “${row[3]}”. ` : "",
        at >= 0 ? `It will be fetched as page ${at + 1}.` : "Nothing is known of it before it is fetched."),
      row ? this.terms(crawler, row.slice(4)) : "");
  }

  head(crawler, page, at) {
    const hit = crawler.hits[at] === "1", guide = crawler.guide[at] === "1", known = this.scene.relevant !== null;
    const genre = crawler.genres[at] ? `, genre ${crawler.genres[at]} (${fixed(crawler.confidence[at], 2)})` : "";
    const truth = known ? ` In truth it is ${hit ? "relevant" : "not relevant"}.` : "";
    const path = this.path(crawler, page);
    return [
      el("p", {class: "fl-title"}, this.scene.titles[page] || "(no title)"),
      el("p", {class: "fl-url"}, this.scene.urls[page]),
      el("p", {}, `Guide: ${guide ? "relevant" : "not relevant"}, R ${fixed(crawler.relevance[at])}${genre}.${truth}`),
      el("h4", {}, "Why now"),
      el("p", {}, this.why(crawler, at)),
      this.scoreOf(crawler, at),
      el("ol", {class: "fl-path", "aria-label": "Path from the seed"}, this.hops(path)),
    ];
  }

  why(crawler, at) {
    const among = crawler.waiting[at] + 1, ties = crawler.ties[at];
    if (crawler.score[at] === null) return `Page ${at + 1} of ${crawler.pages.length}: a seed, and seeds go before everything else.`;
    const rank = crawler.rank[at] === 1 ? "best" : `number ${crawler.rank[at]}, better ones waiting for their host,`;
    const tied = ties ? `shared by ${count(ties)} more; ${FIRST_OF_EQUALS[crawler.settings.tie] || "the tie rule decides"}` : "shared with nobody";
    return `Page ${at + 1} of ${crawler.pages.length}: ${rank} of ${plural(among, "waiting link")}, score ${fixed(crawler.score[at], 4)}, ${tied}. Anchor “${crawler.anchors[at]}”.`;
  }

  /** The terms of the score as they stood in the queue, if the link was among its best. */
  scoreOf(crawler, at) {
    const row = (crawler.queues[at] || []).find(place => crawler.candidates[place][0] === crawler.asked[at]);
    return row === undefined ? "" : this.terms(crawler, crawler.candidates[row].slice(4));
  }

  /** The path from the seed; the middle of a long one is left out. */
  hops(path) {
    const shown = path.length > 7 ? [...path.slice(0, 2), null, ...path.slice(-4)] : path;
    return shown.map(step => step === null ? el("li", {value: path.length - 4}, `… ${path.length - 6} more`)
      : el("li", {value: path.indexOf(step) + 1}, el("button", {type: "button", onclick: () => this.pick(step)}, this.scene.urls[step] || "?")));
  }

  path(crawler, page) {
    const steps = [];
    for (let at = crawler.pages.indexOf(page); at >= 0 && steps.length < 99; at = crawler.pages.indexOf(crawler.parents[at])) steps.unshift(crawler.pages[at]);
    return steps;
  }

  terms(crawler, values) {
    const rows = crawler.terms.map((name, at) => [name, values[at]]).filter(([, value]) => value !== null);
    return el("table", {class: "fl-terms"}, rows.map(([name, value]) => el("tr", {}, el("th", {scope: "row"}, name), el("td", {}, fixed(value)))));
  }

  words(card) {
    const most = Math.max(1, ...(card.weights || []).map(Math.abs));
    const text = card.text.map((piece, at) => {
      const weight = at % 2 ? 0 : card.weights?.[at / 2] || 0;
      if (!weight || Math.abs(weight) < 5) return piece;
      const strength = (0.15 + 0.6 * Math.sqrt(Math.abs(weight) / most)).toFixed(2);
      return el("span", {class: weight > 0 ? "fl-for" : "fl-against", style: `--fl-strength:${strength}`, title: `${weight > 0 ? "for" : "against"} the topic: ${fixed(weight / 100, 2)}`}, piece);
    });
    return [
      el("h4", {}, card.weights ? "Its words: solid line for the topic, dotted against" : "Its words"),
      el("p", {class: "fl-text", lang: card.language || null}, text),
      el("h4", {}, "Genre features"),
      el("table", {class: "fl-terms fl-features"}, this.scene.features.map((name, at) => el("tr", {}, el("th", {scope: "row"}, name.replace("_", " ")), el("td", {}, count(card.features[at]))))),
      el("h4", {}, `${plural(card.out_count, "link")} out`),
      el("ul", {class: "fl-links"}, card.out.map(([url, anchor]) => el("li", {}, `${anchor || "(no anchor)"} → ${url}`)), card.out_count > card.out.length ? el("li", {}, "…") : ""),
      el("h4", {}, `${plural(card.in_count, "link")} in, from fetched pages`),
      el("ul", {class: "fl-links"}, card.in.map(url => el("li", {}, url)), card.in_count > card.in.length ? el("li", {}, "…") : ""),
    ];
  }
}
