// A board on the screen. Frames come from a replay, a live stream or a game of one's own, and are all shown here.
//
// `root` holds the picture (svg.picture) and, where they are wanted, [data-now] the sentences of the moment, [data-log]
// the log, [data-scene] the chapter's title, [data-say] what screen readers read, and for each seat [data-seat="0"]
// with [data-worth] and [data-turn] in it. What is not there is left out.

const LONGEST = 200; // lines of a log that grows

export class Screen {
  constructor(root) {
    this.root = root;
    this.picture = root.querySelector("svg.picture");
    this.shown = {}; // the markup of each part, as it is on the screen
  }

  part(name) {
    return this.root.querySelector(`[${name}]`);
  }

  // Swap the parts of the picture that differ from what is seen.
  draw(parts, says) {
    for (const [name, markup] of Object.entries(parts)) {
      if (this.shown[name] === markup) continue;
      this.shown[name] = markup;
      const group = this.picture.querySelector(`#part-${CSS.escape(name)}`);
      if (group) group.innerHTML = markup; // made by the server, which has escaped what others wrote
    }
    if (says) this.picture.setAttribute("aria-label", says);
  }

  // How the seats stand, who has answered, who is asked next.
  stand(frame) {
    const turns = new Map(frame.turns.map(([seat, ms, fault]) => [seat, fault || `answered in ${ms} ms`]));
    for (const line of this.root.querySelectorAll("[data-seat]")) {
      const seat = Number(line.dataset.seat);
      const worth = line.querySelector("[data-worth]");
      const turn = line.querySelector("[data-turn]");
      if (worth) worth.textContent = Math.round(frame.worth[seat] * 10) / 10;
      if (turn) turn.textContent = turns.get(seat) ?? (frame.asked.includes(seat) ? "is asked" : "");
      line.classList.toggle("asked", frame.asked.includes(seat));
    }
  }

  // The sentences of this moment, below the picture and to screen readers.
  say(frame, aloud = true) {
    const words = frame.told.map(({ text }) => text).filter(Boolean).join(" ");
    const [now, say] = [this.part("data-now"), this.part("data-say")];
    if (now) now.textContent = words;
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
    log.scrollTop = log.scrollHeight;
  }

  chapter(log, title) {
    log.replaceChildren();
    const scene = this.part("data-scene");
    if (scene) scene.textContent = title;
  }

  // A frame as it comes: its parts change the picture, its sentences go on the log.
  show(frame, { parts = frame.parts, aloud = true } = {}) {
    this.draw(parts, frame.says);
    this.stand(frame);
    this.say(frame, aloud);
  }

  // The next frame of a stream.
  next(frame, options) {
    this.show(frame, options);
    this.log(frame.told.map((line) => ({ ...line, at: frame.at })));
  }
}

function entry({ text, kind, at, href }) {
  const item = document.createElement("li");
  if (kind) item.className = kind;
  const words = href ? document.createElement("a") : item;
  words.textContent = text;
  if (!href) return item;
  words.href = href;
  words.dataset.at = at;
  item.append(words);
  return item;
}
