// What all panels share: elements made of text that is never markup, numbers, colours, and questions to Python.

/** An element. What begins with "on" is a listener, strings become text: whatever a page says stays words. */
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter(child => child !== null && child !== undefined && child !== ""));
  return made;
}

const thousands = new Intl.NumberFormat("en-US"); // made once: toLocaleString makes one at every call
const count = number => thousands.format(number);
const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
const fixed = (number, digits = 3) => number === null || number === undefined ? "–" : number.toFixed(digits);
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** The colours of the sheet as it stands now, light or dark, for what is painted on a canvas. */
function inks(place) {
  const look = getComputedStyle(place);
  const names = ["paper", "ink", "soft", "line", "host", "page", "fetched", "found"];
  const found = Object.fromEntries(names.map(name => [name, look.getPropertyValue(`--fl-${name}`).trim()]));
  return {...found, font: `${Math.round(0.8 * parseFloat(look.fontSize))}px system-ui, sans-serif`};
}

/** Call back when the theme changes: the system's, or JupyterLab's. */
function onTheme(change) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const lab = new MutationObserver(change);
  system.addEventListener("change", change);
  lab.observe(document.body, {attributes: true, attributeFilter: ["data-jp-theme-light"]});
  return () => { system.removeEventListener("change", change); lab.disconnect(); };
}

/** A canvas as wide as its place, sharp on every screen; `paint(context, width, height)` fills it. */
class Canvas {
  constructor(attributes, ratio, paint) {
    this.canvas = el("canvas", attributes);
    this.ratio = ratio;
    this.paint = paint;
    this.width = this.height = 0;
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.canvas);
  }

  fit() {
    const width = this.canvas.clientWidth, dense = Math.min(2, devicePixelRatio || 1);
    if (!width || (width === this.width && dense === this.dense)) return;
    [this.width, this.height, this.dense] = [width, Math.round(width * this.ratio), dense];
    this.canvas.width = width * dense;
    this.canvas.height = this.height * dense;
    this.canvas.style.height = `${this.height}px`;
    this.resized?.();
    this.draw();
  }

  draw() {
    if (!this.width) return;
    const context = this.canvas.getContext("2d");
    context.setTransform(this.dense, 0, 0, this.dense, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.paint(context, this.width, this.height);
  }

  close() { this.observer.disconnect(); }
}

/** Questions to Python; on a plain page there is nobody to ask. */
class Python {
  constructor(model) {
    this.model = model;
    this.open = new Map();
    this.next = 0;
    model?.on?.("msg:custom", said => {
      const waiting = this.open.get(said.id);
      this.open.delete(said.id);
      if (said.problem) waiting?.reject(new Error(said.problem));
      else waiting?.resolve(said.told);
    });
  }

  get there() { return Boolean(this.model?.send); }

  ask(ask, about = {}) {
    if (!this.there) return Promise.reject(new Error("This needs Python: open the notebook."));
    return new Promise((resolve, reject) => {
      const id = this.next++;
      this.open.set(id, {resolve, reject});
      this.model.send({id, ask, about});
    });
  }
}

/** Answer only the last of many questions, as a slider asks them, and not while one is on its way. */
function latest(answer) {
  let busy = false, waiting = null;
  return async function run(question) {
    if (busy) { waiting = [question]; return; }
    busy = true;
    try { await answer(question); } finally { busy = false; }
    if (waiting) { const [next] = waiting; waiting = null; run(next); }
  };
}

/** A labelled slider that shows its value. */
function slider(label, {low = 0, high = 1, step = 0.01, value, digits = 2}, changed) {
  const shown = el("output", {}, Number(value).toFixed(digits));
  const input = el("input", {type: "range", min: low, max: high, step, value, "aria-label": label, oninput: () => {
    shown.textContent = Number(input.value).toFixed(digits);
    changed(Number(input.value));
  }});
  const made = el("label", {class: "fl-slider"}, el("span", {}, label), input, shown);
  made.set = to => { input.value = to; shown.textContent = Number(to).toFixed(digits); };
  return made;
}

/** A labelled choice. */
function choice(label, options, value, changed) {
  const input = el("select", {"aria-label": label, onchange: () => changed(input.value)},
    options.map(([key, shown]) => el("option", {value: key, selected: String(key) === String(value)}, shown)));
  return el("label", {class: "fl-choice"}, el("span", {}, label), input);
}

/** What was looked at last, so that a cell that is run again shows it again. */
const memory = {
  read(key) { try { return JSON.parse(sessionStorage.getItem(`focuslab ${key}`)) || {}; } catch { return {}; } },
  write(key, value) { try { sessionStorage.setItem(`focuslab ${key}`, JSON.stringify(value)); } catch { /* none */ } },
};
