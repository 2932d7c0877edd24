// A match under way on one board. The server draws; frames come by a stream, and are shown one after the other at a pace
// that people can follow. Controls, log and chart are left out where the page has none, as on a wall.

import { badge, worded } from "./screen.js";
import { decimal, sentence } from "./words.js";

const LINES = 120; // of the log that are kept
const POINTS = 400; // of the chart
const HURRY = 40; // frames that may wait before the pace doubles
const NEXT = 5000, AGAIN = 10000; // milliseconds until something else may be shown

const say = (words) => { document.getElementById("announcer").textContent = words; };
const find = (box, name) => box.querySelector(`[data-${name}]`);

// `box` has data-live, the stream, and [data-pace] with the milliseconds of a frame, or data-beat; data-words says how many
// words a sentence may have. `ended` is called with the milliseconds after which something else may be shown.
export class LiveBoard {
  constructor(box, ended) {
    Object.assign(this, { box, ended, at: -1, waiting: [], names: [], path: [], leader: null, over: null });
    this.seats = [...box.querySelectorAll(".standing li")];
    this.pace = find(box, "pace") ?? { value: box.dataset.beat };
    this.pause = find(box, "pause");
    if (find(box, "controls")) find(box, "controls").hidden = false;
    this.pause?.addEventListener("click", () => this.hold(!this.held));
    this.listen();
    this.turn();
    this.look = () => (document.hidden ? this.source.close() : this.source.readyState === 2 && !this.over && this.listen());
    document.addEventListener("visibilitychange", this.look);
  }

  listen() {
    this.source = new EventSource(this.box.dataset.live);
    const on = (kind, act) => this.source.addEventListener(kind, (event) => act(JSON.parse(event.data)));
    on("scene", (scene) => { this.waiting = [scene]; });
    on("frame", (frame) => this.waiting.push(frame));
    on("over", (end) => { this.source.close(); this.waiting.push({ end }); });
    this.source.onopen = () => this.tell("");
    this.source.onerror = () => {
      if (this.source.readyState !== EventSource.CLOSED) return this.tell(sentence("The connection is lost; trying again."));
      if (!document.hidden && this.at < 0) this.ended(AGAIN);
    };
  }

  turn() {
    if (!this.box.isConnected) this.close();
    if (this.closed) return;
    if (!this.held && !document.hidden) {
      do this.show(this.waiting.shift()); while (this.pace.value === "0" && this.waiting.length);
    }
    const hurry = 1 + Math.floor(this.waiting.length / HURRY);
    setTimeout(() => this.turn(), Math.max(40, Number(this.pace.value) / hurry));
  }

  show(next) {
    if (!next) return;
    if (next.end) return this.finish(next.end);
    if (next.frame) return this.begin(next);
    if (next.at > this.at) this.draw(next);
  }

  begin({ frame, names, path }) {
    this.names = names;
    this.path = path.slice(0, -1);
    find(this.box, "log")?.replaceChildren();
    this.draw(frame);
  }

  draw(frame) {
    this.at = frame.at;
    for (const [name, markup] of Object.entries(frame.parts)) {
      for (const part of this.box.querySelectorAll(`[data-part="${name}"]`)) part.innerHTML = markup;
    }
    for (const picture of this.box.querySelectorAll("svg.picture")) picture.setAttribute("aria-label", frame.says);
    for (const [about, words] of Object.entries(frame.words)) {
      const line = this.box.querySelector(`[data-told="${CSS.escape(about)}"]`);
      if (line) line.textContent = words;
    }
    this.log(frame.told);
    this.stand(frame.worth, frame.asked);
    this.chart(frame.at, frame.worth);
  }

  log(lines) {
    if (!lines.length) return;
    find(this.box, "now").textContent = brief(lines.at(-1).title || lines.at(-1).text, this.box.dataset.words);
    const list = find(this.box, "log");
    if (!list) return;
    list.hidden = false;
    list.append(...lines.map(entry));
    while (list.children.length > LINES) list.firstChild.remove();
    list.scrollTop = list.scrollHeight;
  }

  stand(worth, asked) {
    const most = Math.max(...worth, 1), best = Math.max(...worth);
    const alone = worth.filter((value) => value === best).length === 1;
    const next = asked.map((seat) => this.names[seat]).join(", ");
    const line = find(this.box, "asked");
    if (line) line.textContent = next ? sentence("Next: %(names)s", { names: next }) : sentence("The match is over");
    this.seats.forEach((seat, number) => {
      find(seat, "worth").textContent = decimal(worth[number]);
      seat.querySelector("rect").setAttribute("width", Math.max(0, (100 * worth[number]) / most));
      seat.classList.toggle("first", worth[number] === best);
      seat.classList.toggle("asked", asked.includes(number));
    });
    const leader = alone ? this.names[worth.indexOf(best)] : null;
    const ahead = leader ? sentence("%(name)s leads.", { name: leader }) : sentence("Nobody leads alone.");
    find(this.box, "lead").textContent = next ? ahead : sentence("The match is over");
    if (leader && this.leader && leader !== this.leader) say(sentence("%(name)s takes the lead.", { name: leader }));
    this.leader = leader ?? this.leader;
  }

  chart(at, worth) {
    if (!find(this.box, "chart")) return;
    this.path.push([at, worth]);
    if (this.path.length > POINTS) this.path = this.path.filter((_, index) => index % 2 === 0 || index === POINTS);
    const every = this.path.flatMap(([, values]) => values);
    const low = Math.min(0, ...every), high = Math.max(1, ...every), last = Math.max(1, at);
    find(this.box, "chart").hidden = this.path.length < 2;
    this.box.querySelectorAll(".path polyline").forEach((line, seat) => {
      const point = ([x, values]) => `${(1000 * x) / last},${10 + (180 * (high - values[seat])) / (high - low)}`;
      line.setAttribute("points", this.path.map(point).join(" "));
    });
  }

  finish(end) {
    this.over = end;
    const winners = (end.places ?? []).flatMap((place, seat) => (place === 1 ? [this.names[seat]] : []));
    const names = winners.join(sentence(" and "));
    const won = winners.length > 1 ? sentence("%(names)s share the win.", { names }) : sentence("%(name)s wins.", { name: names });
    const words = winners.length ? won : end.text;
    for (const place of ["lead", "now"]) find(this.box, place).textContent = words;
    this.seats.forEach((seat, number) => end.scores && (find(seat, "worth").textContent = decimal(end.scores[number])));
    this.tell(sentence("This match is over."));
    say(words);
    this.ended(NEXT);
  }

  hold(held) {
    this.held = held;
    this.pause.textContent = held ? sentence("Go on") : sentence("Pause");
  }

  tell(words) {
    const state = find(this.box, "state");
    if (state) state.textContent = words;
  }

  close() {
    this.closed = true;
    this.source.close();
    document.removeEventListener("visibilitychange", this.look);
  }
}

function brief(text, most = Infinity) {
  const words = text.split(" ");
  return words.length > most ? `${words.slice(0, most).join(" ")} …` : text;
}

function entry({ title, kind, text, icons, seat }) {
  const line = document.createElement("li");
  line.className = title ? "key" : kind;
  line.append(...badge(title ? null : seat), ...(title ? [title] : worded({ text, icons })));
  return line;
}
