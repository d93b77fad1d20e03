// Labs: the weight of genre, and the pages behind every cell of a confusion matrix.

/** A chart of lines [{name, x, y, color, dash}] with a marked place, on one canvas. */
class Plot {
  constructor(label, xLabel) {
    Object.assign(this, {label, xLabel, lines: [], marked: null});
    this.view = new Canvas({class: "fl-plot", role: "img", "aria-label": label}, 0.55, (context, width, height) => this.paint(context, width, height));
    this.place = el("figure", {}, el("figcaption", {}, label), this.view.canvas);
  }

  show(lines, marked = null, words = "") {
    Object.assign(this, {lines, marked});
    this.view.canvas.setAttribute("aria-label", `${this.label}. ${words}`);
    this.view.draw();
  }

  paint(context, width, height) {
    const ink = inks(this.view.canvas), all = this.lines.flatMap(line => line.y), xs = this.lines.flatMap(line => line.x);
    if (!all.length) return;
    let [low, high, left, right] = [Math.min(...all), Math.max(...all), Math.min(...xs), Math.max(...xs)];
    if (high - low < 1e-9) [low, high] = [low - 0.05, high + 0.05];
    if (right === left) right = left + 1;
    const x = value => 52 + (value - left) / (right - left) * (width - 86), y = value => 14 + (high - value) / (high - low) * (height - 56);
    context.font = ink.font;
    context.lineWidth = 1;
    for (const part of [0, 0.5, 1]) {
      const value = low + part * (high - low);
      context.strokeStyle = ink.line;
      context.fillStyle = ink.soft;
      context.beginPath();
      context.moveTo(52, y(value));
      context.lineTo(width - 34, y(value));
      context.stroke();
      context.textAlign = "right";
      context.fillText(value.toFixed(high - low < 0.1 ? 3 : 2), 46, y(value) + 4);
      context.textAlign = "center";
      const at = left + part * (right - left);
      context.fillText(right > 3 ? count(Math.round(at)) : at.toFixed(2), x(at), height - 24);
    }
    context.fillText(this.xLabel, width / 2, height - 6);
    for (const line of this.lines) {
      context.strokeStyle = line.color || ink.soft;
      context.lineWidth = line.color ? 2.6 : 1.5;
      context.setLineDash(line.dash || []);
      context.beginPath();
      line.x.forEach((value, at) => context.lineTo(x(value), y(line.y[at])));
      context.stroke();
      if (line.x.length === 1) context.fillRect(x(line.x[0]) - 3, y(line.y[0]) - 3, 6, 6);
    }
    context.setLineDash([]);
    if (this.marked !== null && this.marked >= left && this.marked <= right) {
      context.strokeStyle = ink.ink;
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(x(this.marked), 8);
      context.lineTo(x(this.marked), height - 40);
      context.stroke();
    }
  }

  key() {
    return el("p", {class: "fl-legend"}, this.lines.map(line => el("span", {class: "fl-key"}, el("i", {style: `background:${line.color || "#808080"}`, "aria-hidden": "true"}), line.name)));
  }

  close() { this.view.close(); }
}

class WeightLab {
  constructor(scene, python) {
    Object.assign(this, {scene, python});
    this.key = `weights ${scene.graphs} ${scene.first.pages} ${scene.first.base_area}`;
    const before = python.there ? memory.read(this.key) : {}; // without Python only the first answer is there
    this.asked = {graph: scene.graphs[0], judge: scene.judges[0], rediscovery: scene.rules[0], w_r: scene.w_r, ...before};
    const remember = () => memory.write(this.key, this.asked);
    const change = name => value => { this.asked[name] = value; remember(); this.resweep(); this.ask(); };
    this.weight = slider("w_R, weight of relevance", {value: this.asked.w_r}, value => { this.asked.w_r = value; remember(); this.ask(); });
    const pick = (label, name, options) => choice(label, options.map(option => [option, option]), this.asked[name], change(name));
    this.curve = new Plot("Coverage of the whole web", "pages fetched");
    this.swept = new Plot("Area per page by weight", "w_R");
    this.said = el("p", {class: "fl-told", role: "status"});
    this.ties = el("table", {class: "fl-terms"});
    this.keys = [el("div"), el("div")];
    this.place = el("div", {class: "fl fl-weights", "data-lm-suppress-shortcuts": "true", role: "region", "aria-label": "Weight lab"},
      el("div", {class: "fl-row"}, this.weight, pick("Web", "graph", scene.graphs), pick("Judge", "judge", scene.judges), pick("Rediscovery", "rediscovery", scene.rules)),
      this.said, el("div", {class: "fl-pair"}, el("div", {}, this.curve.place, this.keys[0]), el("div", {}, this.swept.place, this.keys[1])),
      el("section", {class: "fl-panel", "aria-label": "Ties"}, el("h3", {}, "Genre breaks ties"), this.ties));
    const told = (question, show) => latest(async () => {
      try { show(await this.python.ask(question, this.asked)); } catch (problem) { this.said.textContent = problem.message; }
    });
    this.ask = told("weight", answer => this.show(answer));
    this.resweep = told("sweep", answer => this.showSweep(answer));
    this.untheme = onTheme(() => { this.curve.view.draw(); this.swept.view.draw(); });
    this.show(scene.first);
    this.showSweep(scene.sweep);
    if (Object.keys(before).length) { this.resweep(); this.ask(); }
  }

  show(told) {
    const {palette} = this.scene, x = told.curve.map((_, at) => at / (told.curve.length - 1) * told.pages);
    this.told = told;
    this.curve.show([{name: "best-first, w_R 1", x, y: told.base, color: palette[0], dash: [6, 4]}, {name: `w_R ${told.w_r.toFixed(2)}`, x, y: told.curve, color: palette[1]}], null,
      `Area per page ${fixed(told.area)}, best-first ${fixed(told.base_area)}`);
    this.keys[0].replaceChildren(this.curve.key());
    const gain = told.base_area ? 100 * (told.area / told.base_area - 1) : 0;
    this.said.textContent = `Area per page ${fixed(told.area, 4)}, best-first ${fixed(told.base_area, 4)} (${gain >= 0 ? "+" : "−"}${Math.abs(gain).toFixed(1)} %). ${count(told.pages)} pages crawled in ${told.milliseconds} ms.`;
    const rows = told.genres.map(([genre, pages, score]) => el("tr", {}, el("th", {scope: "row"}, genre), el("td", {}, count(pages)), el("td", {}, fixed(score, 4))));
    this.ties.replaceChildren(el("caption", {}, `${count(told.tied)} pages share the best R, ${fixed(told.top, 2)}. By S they have ${plural(told.scores, "different score")}.`),
      el("thead", {}, el("tr", {}, ["genre", "pages", "middle score S"].map(name => el("th", {scope: "col"}, name)))), el("tbody", {}, rows));
    if (this.sweeps) this.showSweep(this.sweeps);
  }

  showSweep(told) {
    this.sweeps = told;
    const {palette} = this.scene;
    this.swept.show([{name: "hosts where P_IG was counted", x: told.weights, y: told.tuned, color: palette[2]}, {name: "hosts held out", x: told.weights, y: told.held_out, color: palette[3], dash: [3, 3]}],
      this.asked.w_r, `The mark is at ${this.asked.w_r}`);
    this.keys[1].replaceChildren(this.swept.key());
  }

  close() { this.untheme(); this.curve.close(); this.swept.close(); }
}

class ConfusionLab {
  constructor(scene) {
    this.key = `confusion ${scene.title} ${scene.rows[0].url} ${scene.rows.at(-1).url}`;
    Object.assign(this, {scene, threshold: scene.threshold, cell: null, feature: 0}, memory.read(this.key));
    const scores = scene.rows.map(row => row.score), [low, high] = scene.binary ? [Math.max(-60, Math.min(...scores)), Math.min(60, Math.max(...scores))] : [0, 1];
    const label = scene.binary ? "Threshold on the log-odds of R" : "Least confidence";
    this.slide = slider(label, {low, high, step: (high - low) / 200, value: this.threshold}, value => { this.threshold = value; this.show(); });
    this.table = el("table", {class: "fl-confusion"});
    this.said = el("p", {class: "fl-told", role: "status"});
    this.list = el("section", {class: "fl-panel", "aria-label": "Pages of the cell"}, el("p", {class: "fl-soft"}, "Click a number to see its pages."));
    this.strip = new Canvas({class: "fl-plot", role: "img", "aria-label": "Feature by label"}, 0.45, (context, width, height) => this.paintFeature(context, width, height));
    const pickFeature = choice("Feature", scene.features.map((name, at) => [at, name.replace("_", " ")]), this.feature, at => { this.feature = Number(at); this.remember(); this.strip.draw(); });
    this.place = el("div", {class: "fl fl-lab", role: "region", "data-lm-suppress-shortcuts": "true", "aria-label": `Confusion lab: ${scene.title}`},
      el("p", {class: "fl-heading"}, scene.title), el("div", {class: "fl-row"}, this.slide, pickFeature), this.said,
      el("div", {class: "fl-pair"}, el("div", {class: "fl-wide"}, this.table), el("figure", {}, el("figcaption", {}, "Each page a line at its value, by its true label; thick: the middle page (log scale)"), this.strip.canvas)), this.list);
    this.untheme = onTheme(() => this.strip.draw());
    this.show();
  }

  /** What a page is taken for at the threshold as it stands. */
  verdict(row) {
    if (this.scene.binary) return this.scene.labels[row.score > this.threshold ? 0 : 1];
    return row.score >= this.threshold ? row.found : "undecided";
  }

  show() {
    const {labels, rows, binary} = this.scene, columns = binary ? labels : [...labels, "undecided"];
    const of = (truth, found) => rows.filter(row => row.truth === truth && this.verdict(row) === found);
    const ratio = (part, whole) => whole ? fixed(part / whole, 2) : "–";
    const body = labels.map(truth => {
      const right = of(truth, truth).length, given = rows.filter(row => this.verdict(row) === truth).length, there = rows.filter(row => row.truth === truth).length;
      return el("tr", {}, el("th", {scope: "row"}, truth), columns.map(found => el("td", {class: truth === found ? "fl-right" : ""},
        el("button", {type: "button", "aria-label": `${truth} taken for ${found}`, onclick: () => { this.cell = [truth, found]; this.remember(); this.pages(); }}, String(of(truth, found).length)))),
        el("td", {}, ratio(right, given)), el("td", {}, ratio(right, there)));
    });
    this.table.replaceChildren(el("caption", {}, "Rows: what pages are. Columns: what they are taken for."),
      el("thead", {}, el("tr", {}, ["label", ...columns, "precision", "recall"].map(name => el("th", {scope: "col"}, name)))), el("tbody", {}, body));
    const right = rows.filter(row => row.truth === this.verdict(row)).length;
    this.said.textContent = `${right} of ${rows.length} right (${ratio(right, rows.length)})`;
    if (this.cell) this.pages();
    this.remember();
  }

  remember() { memory.write(this.key, {threshold: this.threshold, cell: this.cell, feature: this.feature}); }

  pages() {
    const [truth, found] = this.cell, chosen = this.scene.rows.filter(row => row.truth === truth && this.verdict(row) === found);
    this.list.replaceChildren(el("h3", {}, `${plural(chosen.length, "page")}: ${truth}, taken for ${found}`), ...chosen.slice(0, 30).map(row => el("details", {class: "fl-row-page"},
      el("summary", {}, `${fixed(row.score, 2)} · ${row.title || row.url}`), el("p", {class: "fl-url"}, row.url), el("p", {}, row.text),
      el("p", {class: "fl-soft"}, this.scene.features.map((name, at) => `${name.replace("_", " ")} ${count(row.features[at])}`).join(" · ")))),
      chosen.length > 30 ? el("p", {class: "fl-soft"}, `and ${chosen.length - 30} more`) : "");
  }

  paintFeature(context, width, height) {
    const ink = inks(this.strip.canvas), {labels, rows} = this.scene, band = (height - 30) / labels.length;
    const value = row => Math.log10(1 + row.features[this.feature]), all = rows.map(value);
    const least = Math.min(...all), most = Math.max(least + 1e-9, ...all);
    const x = at => 110 + (at - least) / (most - least) * (width - 130);
    context.font = ink.font;
    labels.forEach((label, at) => {
      const mine = rows.filter(row => row.truth === label), sorted = mine.map(value).sort((a, b) => a - b);
      context.fillStyle = ink.ink;
      context.textAlign = "right";
      context.fillText(label, 102, band * (at + 0.5) + 4);
      context.globalAlpha = clamp(60 / rows.length, 0.35, 0.8);
      context.fillStyle = ink.found;
      for (const row of mine) context.fillRect(x(value(row)) - 1.5, band * at + 4, 3, band - 8);
      context.globalAlpha = 1;
      context.fillStyle = ink.ink;
      if (sorted.length) context.fillRect(x(sorted[sorted.length >> 1]) - 2, band * at + 2, 4, band - 4);
    });
    context.fillStyle = ink.soft;
    context.textAlign = "center";
    let last = -Infinity; // a number that would touch the one before is left out
    for (const told of [0, ...[0, 1, 2, 3, 4, 5, 6].flatMap(power => [1, 2, 3, 5].map(digit => digit * 10 ** power))]) {
      const at = Math.log10(1 + told);
      if (at < least || at > most || x(at) - last < 64) continue;
      last = x(at);
      context.fillText(count(told), last, height - 8);
    }
    this.strip.canvas.setAttribute("aria-label", `${this.scene.features[this.feature]} by label; the thick line is the middle page`);
  }

  close() { this.untheme(); this.strip.close(); }
}
