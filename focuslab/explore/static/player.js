// Step, play, scrub, speed; and the same by keyboard.

const SPEEDS = [1, 2, 5, 10, 20, 40, 80, 160];
const KEYS = "Space plays and stops; arrows step, with Shift by ten; Home and End; plus and minus change the speed; Enter opens the page just fetched.";

class Player {
  constructor(last, apart, changed) {
    Object.assign(this, {last, changed, step: 0, playing: false, pace: 3});
    const button = (label, text, act) => el("button", {type: "button", "aria-label": label, title: label, onclick: act}, text);
    this.go = button("Play", "▶", () => this.toggle());
    this.scrub = el("input", {type: "range", min: 0, max: last, step: 1, value: 0, class: "fl-scrub", "aria-label": "Pages fetched", oninput: () => this.seek(Number(this.scrub.value))});
    this.said = el("output", {class: "fl-step"});
    this.speed = choice("Speed", SPEEDS.map((speed, at) => [at, `${speed}/s`]), this.pace, at => { this.pace = Number(at); });
    this.live = el("p", {class: "fl-hidden", "aria-live": "polite"});
    const parting = apart ? button(`First divergence: page ${apart}`, `≠ ${apart}`, () => this.seek(apart)) : "";
    const mark = apart ? el("i", {class: "fl-apart", style: `left:${100 * apart / last}%`, title: `first divergence: page ${apart}`}) : "";
    this.place = el("div", {class: "fl-player", role: "group", "aria-label": `Player. ${KEYS}`},
      button("To the start", "|◀", () => this.seek(0)), button("One page back", "‹", () => this.seek(this.step - 1)), this.go,
      button("One page on", "›", () => this.seek(this.step + 1)), button("To the end", "▶|", () => this.seek(last)),
      el("span", {class: "fl-track"}, this.scrub, mark), this.said, parting, this.speed, this.live);
  }

  seek(step) {
    this.step = clamp(Math.round(step), 0, this.last);
    this.scrub.value = this.step;
    this.said.textContent = `${count(this.step)} of ${plural(this.last, "page")}`;
    this.scrub.setAttribute("aria-valuetext", this.said.textContent);
    this.changed(this.step);
  }

  say(words) { if (!this.playing) this.live.textContent = words; }

  toggle() {
    if (this.playing) return this.stop();
    if (this.step >= this.last) this.seek(0);
    this.playing = true;
    this.go.textContent = "❚❚";
    this.go.setAttribute("aria-label", "Stop");
    let before = null, owed = 0;
    const frame = now => {
      if (!this.playing || !this.place.isConnected) return;
      owed += (before === null ? 0 : now - before) / 1000 * SPEEDS[this.pace];
      before = now;
      const steps = Math.floor(owed);
      owed -= steps;
      if (steps) this.seek(this.step + steps);
      if (this.step >= this.last) this.stop(); else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  stop() {
    this.playing = false;
    this.go.textContent = "▶";
    this.go.setAttribute("aria-label", "Play");
    this.changed(this.step);
  }

  faster(by) {
    this.pace = clamp(this.pace + by, 0, SPEEDS.length - 1);
    this.speed.querySelector("select").value = this.pace;
  }

  /** True if the key was for the player. */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const far = event.shiftKey ? 10 : 1, on = event.target;
    if (["INPUT", "SELECT", "TEXTAREA"].includes(on.tagName) && on !== this.scrub) return false;
    const acts = {
      ArrowRight: () => this.seek(this.step + far), ArrowLeft: () => this.seek(this.step - far),
      Home: () => this.seek(0), End: () => this.seek(this.last), "+": () => this.faster(1), "-": () => this.faster(-1),
    };
    if (on.tagName !== "BUTTON") acts[" "] = () => this.toggle();
    if (!acts[event.key]) return false;
    acts[event.key]();
    return true;
  }
}
