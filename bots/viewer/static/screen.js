// A board on the screen. Frames come from a replay, a live stream or a game of one's own, and are all shown here.
//
// `root` holds the picture (svg.picture, one for each layout, of which the style shows one) and, where they are wanted,
// [data-now] the sentences of the moment, [data-log] the log, [data-scene] the chapter's title, [data-asked] whose turn
// it is, [data-say] what screen readers read, [data-told] the lines of the board in words, and for each seat
// [data-seat="0"] with .who, [data-worth], [data-more] (what the last move has changed of it) and [data-turn] in it. What
// is not there is left out.

import "./signs.js";
import { decimal, sentence } from "./words.js";

const LONGEST = 200; // lines of a log that grows
const MARKED = 24; // parts at most: where more have changed, a mark says nothing
const SVG = "http://www.w3.org/2000/svg";

class Canvas {
  constructor(picture) {
    this.picture = picture;
    this.groups = new Map([...picture.querySelectorAll("[data-part]")].map((group) => [group.dataset.part, group]));
    this.shown = {}; // the markup of each part, as it is on the screen
    this.look();
  }

  // Whether the style shows this one. It is asked when sizes change, since each answer has the browser lay out the page.
  look() {
    this.seen = this.picture.getClientRects().length > 0;
  }

  draw(parts, says) {
    if (says) this.picture.setAttribute("aria-label", says);
    if (!this.seen) return;
    for (const [name, markup] of Object.entries(parts)) {
      const group = this.groups.get(name);
      if (!group || this.shown[name] === markup) continue;
      this.shown[name] = markup;
      group.innerHTML = markup; // made by the server, which has escaped what others wrote
    }
  }

  // A frame round each of these parts, what the last move has changed.
  mark(names) {
    for (const mark of this.marks ?? []) mark.remove();
    const groups = names.map((name) => this.groups.get(name)).filter((group) => group && group.dataset.quiet === undefined);
    const boxes = this.seen && groups.length <= MARKED ? groups.map((group) => [group, group.getBBox()]) : [];
    this.marks = boxes.filter(([, { width }]) => width).map(([group, box]) => framed(group, box));
  }
}

function framed(group, { x, y, width, height }) {
  const frame = document.createElementNS(SVG, "rect");
  const box = { x: x - 2, y: y - 2, width: width + 4, height: height + 4, rx: 6, class: "mark" };
  for (const [name, value] of Object.entries(box)) frame.setAttribute(name, value);
  group.append(frame);
  return frame;
}

export class Screen {
  constructor(root) {
    this.root = root;
    this.canvases = [...root.querySelectorAll("svg.picture")].map((picture) => new Canvas(picture));
    this.parts = {}; // the markup of each part as it is now
    const frame = root.querySelector(".frame");
    if (frame && this.canvases.length > 1) new ResizeObserver(() => this.look()).observe(frame);
  }

  part(name) {
    return this.root.querySelector(`[${name}]`);
  }

  look() {
    for (const canvas of this.canvases) canvas.look();
    this.draw({});
  }

  // Swap the parts of the picture that differ from what is seen. The layout that is not seen is left for when it is.
  draw(parts, says) {
    Object.assign(this.parts, parts);
    for (const canvas of this.canvases) canvas.draw(this.parts, says);
  }

  // What the frame itself has changed; one that holds a whole picture tells of no change.
  mark({ parts, moved = [] }) {
    const names = Object.keys(parts), whole = names.length >= Object.keys(this.parts).length;
    for (const canvas of this.canvases) canvas.mark(whole ? [] : names.filter((name) => !moved.includes(name)));
  }

  // The board in words: the lines that have changed.
  tell(words) {
    for (const [about, line] of Object.entries(words ?? {})) {
      const place = this.root.querySelector(`[data-told="${CSS.escape(about)}"]`);
      if (place && place.textContent !== line) place.textContent = line;
    }
  }

  // How the seats stand, who has answered, who is asked next.
  stand(frame, before = frame) {
    const best = Math.max(...frame.worth);
    const turns = new Map(frame.turns.map(([seat, ms, fault]) => [seat, fault || `${decimal(ms)} ms`]));
    for (const line of this.root.querySelectorAll("[data-seat]")) {
      const seat = Number(line.dataset.seat);
      const worth = line.querySelector("[data-worth]");
      const turn = line.querySelector("[data-turn]");
      if (worth) worth.textContent = decimal(frame.worth[seat]);
      if (turn) turn.textContent = turns.get(seat) ?? (frame.asked.includes(seat) ? sentence("is asked") : "");
      const more = Math.round((frame.worth[seat] - before.worth[seat]) * 10) / 10;
      const change = line.querySelector("[data-more]");
      if (change) change.textContent = more ? `${more > 0 ? "+" : "−"}${decimal(Math.abs(more))}` : "";
      if (change) change.dataset.more = more < 0 ? "loss" : "";
      line.classList.toggle("leads", frame.worth[seat] === best);
      line.classList.toggle("asked", frame.asked.includes(seat));
    }
    this.ask(frame.asked, frame.told);
  }

  // Whose turn it is, or who has won, as in bots/viewer/film_markup.py.
  ask(seats, told = []) {
    const line = this.part("data-asked");
    const names = seats.map((seat) => this.root.querySelector(`[data-seat="${seat}"] .who`)?.textContent ?? sentence("seat %(seat)s", { seat }));
    const over = told.at(-1)?.text || sentence("The match is over");
    line?.classList.toggle("said", !names.length && told.length > 0); // a caption that has said so already
    if (line) line.textContent = names.length ? sentence("Next: %(names)s", { names: names.join(", ") }) : over;
  }

  // The sentences of this moment, below the picture and to screen readers.
  say(frame, aloud = true) {
    const words = frame.told.map(({ text }) => text).filter(Boolean).join(" ");
    const [now, say] = [this.part("data-now"), this.part("data-say")];
    if (now) now.replaceChildren(...frame.told.filter(({ text }) => text).flatMap((line) => [...worded(line), " "]));
    if (say && aloud && words) say.textContent = words;
  }

  // Put lines at the end of the log; `lines` are {text, kind, title, at}. A title begins a chapter: the log anew.
  log(lines) {
    const log = this.part("data-log");
    if (!log) return;
    for (const line of lines) {
      if (line.title) this.chapter(log, line.title);
      if (line.text) log.append(entry(line));
    }
    while (log.children.length > LONGEST) log.firstElementChild.remove();
    scrollToEnd(log);
  }

  chapter(log, title) {
    log.replaceChildren();
    const scene = this.part("data-scene");
    if (scene) scene.textContent = title;
  }

  // The log as it is at a moment, in its chapter if that is known. What stays is neither built nor laid out again.
  setLog(lines, title) {
    const log = this.part("data-log"), scene = this.part("data-scene");
    const items = lines.filter(({ text }) => text).map((line) => (line.item ??= entry(line))), stays = new Set(items);
    for (const item of [...log.children]) if (!stays.has(item)) item.remove();
    for (const [place, item] of items.entries()) if (log.children[place] !== item) log.insertBefore(item, log.children[place] ?? null);
    if (scene && title) scene.textContent = title;
    scrollToEnd(log);
  }

  // A frame as it comes: its parts change the picture, its sentences go on the log.
  show(frame, { parts = frame.parts, words = frame.words, aloud = true, before } = {}) {
    this.draw(parts, frame.says);
    this.tell(words);
    this.stand(frame, before);
    this.say(frame, aloud);
    this.markSoon(frame);
  }

  // With the layout that the browser does anyway, for marks ask for sizes: of several frames until then, the last.
  markSoon(frame) {
    if (!this.toMark) requestAnimationFrame(() => { this.mark(this.toMark); this.toMark = null; });
    this.toMark = frame;
  }

  // The next frame of a stream.
  next(frame, options) {
    this.show(frame, options);
    this.log(frame.told.map((line) => ({ ...line, at: frame.at })));
  }
}

// With the layout that the browser does anyway. A log in a panel scrolls with it.
function scrollToEnd(log) {
  const box = log.closest("details[name]") ?? log;
  requestAnimationFrame(() => { box.scrollTop = box.scrollHeight; });
}

function entry({ text, icons, kind, seat, at, href }) {
  const item = document.createElement("li"), words = document.createElement(href ? "a" : "span");
  if (kind) item.className = kind;
  words.append(...worded({ text, icons }));
  if (href) Object.assign(words, { href }).dataset.at = at;
  item.append(...badge(seat), words);
  return item;
}

// A sentence with the icons of what it names, which lie in the page as the board draws them (bots/viewer/icons).
export function worded({ text, icons = [] }) {
  const sheet = document.querySelector("template[data-icons]")?.content;
  const ends = [...icons.map(([at]) => at), text.length];
  const parts = icons.flatMap(([at, name], number) => [
    sheet?.querySelector(`[data-icon="${name}"]`)?.cloneNode(true) ?? "", text.slice(at, ends[number + 1]),
  ]);
  return [text.slice(0, ends[0]), ...parts];
}

// The sign of the seat whose doing it is; its name is in the sentence.
export function badge(seat) {
  if (seat === null || seat === undefined) return [];
  const sign = document.createElement("span");
  Object.assign(sign, { className: `badge seat-${seat}`, textContent: seat, ariaHidden: "true" });
  return [sign, " "];
}
