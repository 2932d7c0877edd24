// The viewer of a replay. Its page shows one moment and works by links alone; with this it plays.
//
// The frames come in pieces of PIECE answers, each of which begins with a whole picture: to be anywhere, one piece has
// to be there, and to go back, a picture is put together again from the head of its piece.

import { Screen } from "./screen.js";
import { sentence } from "./words.js";

const PIECE = 100; // as in bots/viewer/film_chunks.py
const MOMENT = 1000; // ms, at normal speed
const LOG = 60; // lines at most

const CHART = "boardroom.chart"; // which one was looked at last

function pointsOf(line) {
  return line.getAttribute("points").split(" ").map((point) => point.split(",").map(Number));
}

function kept() {
  try {
    return localStorage.getItem(CHART);
  } catch {
    return null;
  }
}

class Film {
  // `kept`: where the page itself holds the film, what gives a piece's frames by its number.
  constructor(address, eyes, kept) {
    this.address = address;
    this.eyes = eyes;
    this.kept = kept;
    this.pieces = new Map();
  }

  has(at) {
    return this.pieces.get(Math.floor(at / PIECE)) instanceof Array;
  }

  // The frames of a piece, fetched once; a piece that did not come is asked for again the next time.
  async piece(number) {
    if (!this.pieces.has(number)) this.pieces.set(number, this.fetch(number));
    try {
      const frames = await this.pieces.get(number);
      this.pieces.set(number, frames);
      return frames;
    } catch (trouble) {
      this.pieces.delete(number);
      throw trouble;
    }
  }

  async fetch(number) {
    if (this.kept) return this.kept(number);
    const answer = await fetch(`${this.address}?as=${this.eyes}&from=${number * PIECE}`);
    if (!answer.ok) throw new Error(sentence("the film did not load: %(status)s", { status: answer.status }));
    return (await answer.json()).frames;
  }

  // The last moment with no more than `at` answers: {frames, place}.
  async find(at) {
    for (let number = Math.floor(at / PIECE); number > 0; number -= 1) {
      const frames = await this.piece(number);
      const place = frames.findLastIndex((frame) => frame.at <= at);
      if (place >= 0) return { number, frames, place };
    }
    const frames = await this.piece(0);
    return { number: 0, frames, place: Math.max(0, frames.findLastIndex((frame) => frame.at <= at)) };
  }

  // The moment after that one, or null at the end.
  async after({ number, frames, place }, last) {
    if (place + 1 < frames.length) return { number, frames, place: place + 1 };
    const from = frames[place].at;
    if (from >= last) return null;
    for (let next = number + 1; next * PIECE <= last; next += 1) {
      const others = await this.piece(next);
      const found = others.findIndex((frame) => frame.at > from);
      if (found >= 0) return { number: next, frames: others, place: found };
    }
    return null;
  }

  async before({ frames, place }) {
    return place > 0 || frames[0].at > 0 ? this.find(frames[place].at - 1) : null;
  }
}

// The whole picture at a place of a piece, and all of its words.
function whole({ frames, place }) {
  const all = (what) => Object.assign({}, ...frames.slice(0, place + 1).map((frame) => frame[what]));
  return { parts: all("parts"), words: all("words") };
}

class ReplayFilm extends HTMLElement {
  connectedCallback() {
    this.screen = new Screen(this);
    this.film = new Film(this.dataset.film, this.dataset.eyes, this.kept);
    this.scrub = this.querySelector("#scrub");
    this.last = Number(this.scrub.max);
    this.play = this.querySelector("[data-play]");
    this.speed = this.querySelector("#speed");
    this.finale = this.querySelector("[data-finale]");
    for (const element of this.querySelectorAll("[hidden]:not([data-finale])")) element.hidden = false;
    this.addEventListener("click", (event) => this.clicked(event));
    this.addEventListener("keydown", (event) => this.pressed(event));
    for (const kind of ["pointerover", "focusin"]) this.addEventListener(kind, (event) => this.explain(event));
    this.scrub.addEventListener("input", () => this.scrubbed());
    this.larger = this.querySelector("#larger");
    this.larger.addEventListener("change", () => this.fill());
    this.addEventListener("fullscreenchange", () => { this.larger.checked = Boolean(document.fullscreenElement); });
    this.drawn = [...this.querySelectorAll('[data-kind="chances"] .outline')].map(pointsOf);
    const chart = new URL(location.href).searchParams.get("chart");
    this.also = chart === "score" || chart === "chances" ? `&chart=${chart}` : "";
    this.chart(chart ?? kept());
    this.ready = this.go(Number(this.dataset.at), { quiet: true });
  }

  disconnectedCallback() {
    this.stop();
  }

  // Show the moment at `at`. While a piece is on its way a later wish takes its place.
  async go(at, { aloud = true, quiet = false } = {}) {
    const wish = (this.wish = Math.min(Math.max(at, 0), this.last));
    const found = await this.film.find(wish).catch((trouble) => this.failed(trouble));
    if (found && wish === this.wish) await this.put(found, { aloud: aloud && !quiet, quiet });
  }

  async put(found, { aloud = true, quiet = false } = {}) {
    this.now = found;
    const frame = found.frames[found.place];
    this.at = this.wish = frame.at;
    this.screen.show(frame, { ...whole(found), aloud, before: found.frames[found.place - 1] });
    this.logged(found);
    this.scrub.value = frame.at;
    this.scrub.setAttribute("aria-valuetext", sentence("moment %(at)s of %(last)s", { at: frame.at, last: this.last }));
    const x = (1000 * frame.at) / Math.max(1, this.last);
    for (const cursor of this.querySelectorAll("[data-cursor]")) for (const end of ["x1", "x2"]) cursor.setAttribute(end, x);
    for (const cover of this.querySelectorAll("[data-future]")) Object.entries({ x, width: 1000 - x }).forEach((pair) => cover.setAttribute(...pair));
    for (const each of this.querySelectorAll("[data-later]")) each.classList.toggle("later", Number(each.dataset.later) > frame.at);
    this.weigh(x);
    if (this.finale) this.finale.hidden = frame.at < this.last;
    this.links();
    if (!quiet && !this.timer) this.remember();
    if (found.place > found.frames.length / 2) this.film.piece(found.number + 1).catch(() => {});
  }

  // The chances at that place of their chart, beside the seats.
  weigh(x) {
    this.drawn.forEach((points, seat) => {
      const chance = 100 - points.findLast(([there]) => there <= x + 0.05)[1];
      const shown = this.querySelector(`[data-seat="${seat}"] [data-chance]`);
      if (shown) shown.textContent = `${chance % 100 ? Math.min(99, Math.max(1, Math.round(chance))) : chance} %`;
    });
  }

  // The chart of that kind, and the other away.
  chart(kind) {
    const courses = this.querySelector("[data-shows]");
    if (!courses || !this.querySelector(`[data-show="${kind}"]`)) return;
    courses.dataset.shows = kind;
    for (const link of courses.querySelectorAll("[data-show]")) link.ariaCurrent = link.dataset.show === kind ? "true" : null;
  }

  // The log up to now: its chapter, as far as it is here.
  logged({ number, frames, place }) {
    const before = this.film.has((number - 1) * PIECE) ? this.film.pieces.get(number - 1) : [];
    const lines = [...before, ...frames.slice(0, place + 1)].flatMap((frame) => this.lines(frame));
    const start = lines.findLastIndex(({ title }) => title);
    const chapter = start < 0 ? [] : [lines[start]];
    this.screen.setLog([...chapter, ...lines.slice(start + 1).slice(-LOG)], chapter[0]?.title);
    for (const item of this.querySelectorAll("[data-log] > li")) item.classList.toggle("here", item.querySelector("a")?.dataset.at === String(this.at));
    for (const item of this.querySelectorAll("[data-fault]")) item.classList.toggle("here", item.dataset.fault === String(this.at));
  }

  // The lines of a frame; they are kept, and with each its entry in the log.
  lines(frame) {
    frame.lines ??= frame.told.map((line) => ({ ...line, at: frame.at, href: this.address(frame.at) }));
    return frame.lines;
  }

  address(at, eyes = this.dataset.eyes) {
    return `?at=${at}&as=${eyes}${this.also}#film`;
  }

  remember() {
    history.replaceState(history.state, "", this.address(this.at));
  }

  marks() {
    return [...this.querySelectorAll("[data-marks] [data-at]")].map((link) => Number(link.dataset.at));
  }

  // The whole screen, where the browser lets it; else the style makes the board as large as the window.
  fill() {
    if (this.larger.checked) this.requestFullscreen?.()?.catch(() => {});
    else if (document.fullscreenElement) document.exitFullscreen();
  }

  // Where the links lead from here.
  links() {
    const marks = this.marks();
    const to = {
      first: 0,
      "mark-before": marks.findLast((at) => at < this.at),
      before: this.at > 0 ? this.at - 1 : undefined,
      after: this.at < this.last ? this.at + 1 : undefined,
      "mark-after": marks.find((at) => at > this.at),
      last: this.last,
    };
    for (const link of this.querySelectorAll("[data-go]")) {
      const at = to[link.dataset.go];
      if (at === undefined) link.removeAttribute("href");
      else link.href = this.address(at);
    }
    this.querySelector("[data-link]").href = this.address(this.at);
    for (const link of document.querySelectorAll("[data-moment], [data-show]")) link.href = link.href.replace(/\bat=\d+/, `at=${this.at}`);
    const snippet = this.querySelector("[data-snippet]");
    if (snippet) snippet.value = snippet.value.replace(/\bat=\d+/, `at=${this.at}`);
    for (const link of this.querySelectorAll("[data-as]")) link.href = this.address(this.at, link.dataset.as);
  }

  clicked(event) {
    const link = event.target.closest("[data-at]:not(replay-film), [data-go], [data-link], [data-show]");
    if (event.target.closest("[data-play]")) return this.toggle();
    if (event.target.closest("[data-chart]") && !link) return this.pointed(event);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return undefined;
    event.preventDefault();
    if (link.dataset.link !== undefined) return this.copy(link);
    if (link.dataset.show) return this.choose(link.dataset.show);
    this.stop();
    return link.dataset.go ? this.towards(link.dataset.go) : this.go(Number(link.dataset.at));
  }

  choose(kind) {
    this.chart(kind);
    if (this.also) this.also = `&chart=${kind}`;
    try {
      localStorage.setItem(CHART, kind);
    } catch {} // a page that may keep nothing
  }

  pointed(event) {
    const box = event.target.closest("[data-chart]").querySelector("[data-plot]").getBoundingClientRect();
    this.stop();
    return this.go(Math.round(((event.clientX - box.left) / box.width) * this.last));
  }

  // What a mark of the chart is about, below it.
  explain(event) {
    if (event.type === "focusin" && event.target.matches("[data-snippet]")) event.target.select();
    const mark = event.target.closest("[data-words]");
    if (mark) mark.closest("figure").querySelector("[data-mark]").textContent = mark.dataset.words;
  }

  // One after the other: what is asked for before the film has come, or while it comes, is done in its order.
  towards(where) {
    const done = this.ready.then(() => this.lead(where));
    this.ready = done.catch(() => {});
    return done;
  }

  lead(where) {
    const marks = this.marks();
    if (where === "after") return this.step();
    const to = {
      first: 0,
      last: this.last,
      before: this.at - 1,
      "mark-before": marks.findLast((at) => at < this.at),
      "mark-after": marks.find((at) => at > this.at),
    }[where];
    return to === undefined ? undefined : this.go(to);
  }

  // One moment on; false at the end.
  async step(options) {
    if (!this.now) return false;
    const { now, wish } = this;
    const next = await this.film.after(now, this.last).catch((trouble) => this.failed(trouble));
    if (!next || this.now !== now || this.wish !== wish) return Boolean(next);
    await this.put(next, options);
    return true;
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, textarea, input:not([type=range])")) return;
    if (event.key === " " && event.target.matches("a, button, summary")) return;
    const where = {
      ArrowLeft: "before", ArrowRight: "after", ArrowUp: "mark-before", ArrowDown: "mark-after",
      PageUp: "mark-before", PageDown: "mark-after", Home: "first", End: "last",
    }[event.key];
    if (!where && event.key !== " ") return;
    event.preventDefault();
    if (!where) return void this.toggle();
    this.stop();
    this.towards(where);
  }

  scrubbed() {
    this.stop();
    this.go(Number(this.scrub.value), { aloud: false });
  }

  toggle() {
    if (this.timer) return this.stop();
    this.play.textContent = "❚❚";
    this.play.ariaLabel = sentence("Pause");
    if (this.at >= this.last) this.go(0);
    return this.tick();
  }

  tick() {
    const pause = MOMENT / Number(this.speed.value);
    this.timer = setTimeout(async () => {
      const key = this.speed.value <= 1; // faster than that nobody can listen to
      await this.ready;
      if (await this.step({ aloud: key })) { if (this.timer) this.tick(); } else this.stop();
    }, pause);
  }

  stop() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.play.textContent = "►";
    this.play.ariaLabel = sentence("Play the film");
    this.remember();
  }

  async copy(link) {
    const words = link.textContent;
    try {
      await navigator.clipboard.writeText(new URL(this.dataset.page + this.address(this.at), location.href).href);
      link.textContent = sentence("Link copied");
    } catch {
      this.remember();
      link.textContent = sentence("It is in the address bar");
    }
    setTimeout(() => { link.textContent = words; }, 2000);
  }

  failed(trouble) {
    this.stop();
    this.screen.part("data-now").textContent = sentence("Not shown: %(why)s. Try again, or follow the links.", { why: trouble.message });
  }
}

customElements.define("replay-film", ReplayFilm);
