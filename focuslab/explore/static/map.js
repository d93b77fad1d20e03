// The map: hosts are discs, pages are dots that stay where they are, links appear as the crawl follows them.

const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const TRAIL = 24;
const NEAR = 14;

/** Where every page stands, from the discs of the hosts; see layout.py. */
function placesOf(scene) {
  const total = scene.hosts.reduce((sum, host) => sum + host[4], 0);
  const x = new Float32Array(total), y = new Float32Array(total), home = new Int32Array(total);
  let at = 0;
  scene.hosts.forEach(([, left, top, , pages], host) => {
    for (let i = 0; i < pages; i++, at++) {
      const far = 0.6 * Math.sqrt(i + 0.5);
      x[at] = left + far * Math.cos(i * GOLDEN);
      y[at] = top + far * Math.sin(i * GOLDEN);
      home[at] = host;
    }
  });
  const reach = Math.max(1, ...scene.hosts.map(([, left, top, radius]) => Math.hypot(left, top) + radius));
  return {x, y, home, total, reach, relevant: new Set(scene.relevant || [])};
}

/** One crawl on the map. The ground is painted once, each fetched page once: a step costs a few dots. */
class WebMap {
  constructor(scene, places, crawler, pick) {
    Object.assign(this, {scene, places, crawler, step: 0, path: []});
    this.ground = document.createElement("canvas");
    this.visited = document.createElement("canvas");
    this.done = 0;
    this.view = new Canvas({class: "fl-map", role: "img"}, 1, context => this.paint(context));
    this.view.resized = () => this.prepare();
    this.view.canvas.addEventListener("click", event => pick(this.at(event)));
    this.view.canvas.addEventListener("mousemove", event => this.name(event));
  }

  get canvas() { return this.view.canvas; }

  show(step, path) {
    [this.step, this.path] = [step, path];
    this.view.draw();
  }

  /** New size or new theme: paint the ground again. */
  prepare() {
    this.ink = inks(this.canvas);
    const {width, dense} = this.view;
    this.scale = (width / 2 - 4) / this.places.reach;
    this.middle = width / 2;
    this.dot = clamp(0.3 * this.scale, 0.6, 4);
    for (const layer of [this.ground, this.visited]) layer.width = layer.height = width * dense;
    this.done = 0;
    const context = this.on(this.ground);
    context.fillStyle = this.ink.host;
    for (const [, x, y, radius] of this.scene.hosts) this.disc(context, x, y, radius * this.scale);
    context.fillStyle = this.ink.page;
    for (let page = 0; page < this.places.total; page++) this.spot(context, page, this.dot);
    context.strokeStyle = this.ink.found;
    context.lineWidth = Math.max(0.6, this.dot / 2);
    for (const page of this.places.relevant) this.ring(context, page, this.dot);
  }

  on(layer) {
    const context = layer.getContext("2d");
    context.setTransform(this.view.dense, 0, 0, this.view.dense, 0, 0);
    return context;
  }

  left(page) { return this.middle + this.places.x[page] * this.scale; }
  top(page) { return this.middle + this.places.y[page] * this.scale; }

  disc(context, x, y, radius) {
    context.beginPath();
    context.arc(this.middle + x * this.scale, this.middle + y * this.scale, radius, 0, 7);
    context.fill();
  }

  spot(context, page, radius) {
    context.beginPath();
    context.arc(this.left(page), this.top(page), radius, 0, 7);
    context.fill();
  }

  ring(context, page, radius) {
    context.beginPath();
    context.arc(this.left(page), this.top(page), radius, 0, 7);
    context.stroke();
  }

  /** Fetched pages: large and coloured if relevant, small and dark if not; a ring if the guide says relevant. */
  advance() {
    if (this.step < this.done) {
      this.on(this.visited).clearRect(0, 0, this.view.width, this.view.width);
      this.done = 0;
    }
    const context = this.on(this.visited), {pages, hits, guide} = this.crawler;
    const size = Math.max(1.9, 1.25 * this.dot), known = this.scene.relevant !== null;
    context.lineWidth = 1.1;
    context.strokeStyle = this.ink.ink;
    for (; this.done < this.step; this.done++) {
      const found = hits[this.done] === "1", radius = found ? 1.35 * size : 0.85 * size;
      context.fillStyle = found ? this.ink.found : this.ink.fetched;
      this.spot(context, pages[this.done], radius);
      if (known && guide[this.done] === "1") this.ring(context, pages[this.done], radius + 1);
    }
  }

  paint(context) {
    this.advance();
    const {width} = this.view;
    context.drawImage(this.ground, 0, 0, width, width);
    this.trail(context);
    context.drawImage(this.visited, 0, 0, width, width);
    if (this.step) this.mark(context, this.crawler.pages[this.step - 1], 7);
    if (this.path.length) this.route(context);
  }

  /** The last links followed, the older the paler. */
  trail(context) {
    context.strokeStyle = this.crawler.color;
    context.lineWidth = 1.4;
    for (let at = Math.max(0, this.step - TRAIL); at < this.step; at++) {
      const from = this.crawler.parents[at];
      if (from < 0) continue;
      context.globalAlpha = 0.15 + 0.75 * (1 - (this.step - 1 - at) / TRAIL);
      this.line(context, from, this.crawler.pages[at]);
    }
    context.globalAlpha = 1;
  }

  line(context, from, to) {
    context.beginPath();
    context.moveTo(this.left(from), this.top(from));
    context.lineTo(this.left(to), this.top(to));
    context.stroke();
  }

  mark(context, page, radius) {
    context.lineWidth = 2.5;
    context.strokeStyle = this.crawler.color;
    this.ring(context, page, radius);
  }

  route(context) {
    context.strokeStyle = this.ink.ink;
    context.lineWidth = 2;
    this.path.slice(1).forEach((page, at) => this.line(context, this.path[at], page));
    context.lineWidth = 2.5;
    this.ring(context, this.path.at(-1), 10);
  }

  /** The page under the pointer, a fetched one rather than another; -1: none. */
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    const near = pages => {
      let best = -1, least = NEAR ** 2;
      for (const page of pages) {
        const far = (this.left(page) - x) ** 2 + (this.top(page) - y) ** 2;
        if (far < least) [best, least] = [page, far];
      }
      return best;
    };
    const fetched = near(this.crawler.pages.slice(0, this.step));
    return fetched >= 0 ? fetched : near(Array.from({length: this.places.total}, (_, page) => page));
  }

  name(event) {
    const page = this.at(event), {titles, urls, hosts} = this.scene;
    this.canvas.title = page < 0 ? "" : titles[page] || urls[page] || hosts[this.places.home[page]][0];
  }
}
