// Harvest and coverage so far, between random and oracle.

/** Relevant pages after each fetch. */
function foundBy(hits) {
  const found = new Int32Array(hits.length + 1);
  for (let at = 0; at < hits.length; at++) found[at + 1] = found[at] + (hits[at] === "1");
  return found;
}

const DASHES = {oracle: [8, 3], random: [1, 3]};

class CurvePanel {
  constructor(scene, seek) {
    this.scene = scene;
    this.step = 0;
    this.lines = [
      ...Object.entries(scene.bounds).map(([name, hits]) => ({name, found: foundBy(hits), dash: DASHES[name] || [4, 4], color: null})),
      ...scene.crawlers.map(crawler => ({name: crawler.name, found: foundBy(crawler.hits), dash: crawler.dash.map(part => 3 * part), color: crawler.color, marker: crawler.marker})),
    ];
    this.most = Math.max(1, ...this.lines.map(line => line.found.length - 1));
    const harvest = line => (at => at ? line.found[at] / at : null);
    const share = line => (at => scene.total ? line.found[at] / scene.total : line.found[at]);
    this.charts = [
      this.chart("Harvest so far (relevant / fetched)", harvest, 1),
      this.chart(scene.total ? `Coverage (of ${count(scene.total)} relevant)` : "Relevant to the guide", share, null),
    ];
    for (const chart of this.charts) chart.view.canvas.addEventListener("click", event => seek(this.stepAt(event, chart.view)));
    this.place = el("section", {class: "fl-panel fl-curves", "aria-label": "Harvest and coverage"},
      this.charts.map(chart => el("figure", {}, el("figcaption", {}, chart.title), chart.view.canvas)));
  }

  chart(title, values, top) {
    const chart = {title, values, top};
    chart.top ??= Math.max(1e-9, ...this.lines.map(line => values(line)(line.found.length - 1) || 0)) * 1.05;
    chart.view = new Canvas({class: "fl-curve", role: "img"}, 0.5, (context, width, height) => this.paint(context, width, height, chart));
    return chart;
  }

  show(step) {
    this.step = step;
    for (const chart of this.charts) {
      chart.view.draw();
      chart.view.canvas.setAttribute("aria-label", `${chart.title} after ${plural(step, "page")}: ${this.words(chart)}`);
    }
  }

  words(chart) {
    return this.lines.map(line => `${line.name} ${fixed(chart.values(line)(Math.min(this.step, line.found.length - 1)), 2)}`).join(", ");
  }

  stepAt(event, view) {
    const box = view.canvas.getBoundingClientRect();
    return Math.round(clamp((event.clientX - box.left - 44) / (view.width - 54), 0, 1) * this.most);
  }

  paint(context, width, height, chart) {
    const ink = inks(chart.view.canvas);
    const x = step => 44 + step / this.most * (width - 54), y = value => 8 + (1 - value / chart.top) * (height - 34);
    this.axes(context, width, height, chart, ink, x, y);
    for (const line of this.lines) this.line(context, chart.values(line), line, ink, x, y);
    if (this.scene.apart) {
      context.strokeStyle = ink.soft;
      context.setLineDash([2, 3]);
      context.beginPath();
      context.moveTo(x(this.scene.apart), 8);
      context.lineTo(x(this.scene.apart), height - 26);
      context.stroke();
      context.setLineDash([]);
    }
    for (const line of this.lines) if (!line.marker) this.label(context, chart.values(line), line, ink, x, y);
    for (const line of this.lines) if (line.marker) this.head(context, chart.values(line), line, x, y);
  }

  axes(context, width, height, chart, ink, x, y) {
    context.font = ink.font;
    context.fillStyle = ink.soft;
    context.strokeStyle = ink.line;
    context.lineWidth = 1;
    const digits = chart.top > 3 ? 0 : 2;
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
      const value = part * (chart.top === 1 ? 1 : chart.top / 1.05);
      context.beginPath();
      context.moveTo(44, y(value));
      context.lineTo(width - 10, y(value));
      context.stroke();
      context.textAlign = "right";
      context.fillText(value.toFixed(digits), 40, y(value) + 4);
    }
    context.textAlign = "center";
    for (const part of [0, 0.5, 1]) context.fillText(count(Math.round(part * this.most)), clamp(x(part * this.most), 44, width - 24), height - 12);
    context.fillText("pages fetched", x(this.most / 4), height - 12);
  }

  /** Pale to the end, strong as far as the crawl has come; as many points as the screen can show. */
  line(context, value, line, ink, x, y) {
    const last = line.found.length - 1, now = Math.min(this.step, last);
    context.strokeStyle = line.color || ink.soft;
    context.setLineDash(line.dash);
    for (const [end, alpha, wide] of [[last, line.color ? 0.25 : 0.7, 1.2], [now, 1, line.color ? 2.6 : 1.2]]) {
      context.globalAlpha = alpha;
      context.lineWidth = wide;
      context.beginPath();
      const stride = Math.max(1, end / 400);
      for (let at = 1; at < end; at += stride) context.lineTo(x(Math.round(at)), y(value(Math.round(at))));
      if (end) context.lineTo(x(end), y(value(end)));
      context.stroke();
    }
    context.globalAlpha = 1;
    context.setLineDash([]);
  }

  label(context, value, line, ink, x, y) {
    const last = line.found.length - 1;
    context.fillStyle = ink.soft;
    context.textAlign = "right";
    context.fillText(line.name, x(last), Math.max(20, y(value(last)) - (value(last) < 0.9 ? 6 : -16)));
  }

  head(context, value, line, x, y) {
    const now = Math.min(this.step, line.found.length - 1);
    if (!now) return;
    context.fillStyle = line.color;
    context.textAlign = "center";
    context.font = "15px system-ui, sans-serif";
    context.fillText(line.marker, x(now), y(value(now)) + 5);
  }
}
