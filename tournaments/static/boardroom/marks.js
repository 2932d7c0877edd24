// What notes of one's bots say of the board, drawn over it: a ring round a place, an arrow from one to another, a number.
//
// A note's line has the names of places as the board has them (data-place). What the board does not show is not drawn, and
// its words stand in the list. Names are only ever compared, and numbers only ever text.

const SVG = "http://www.w3.org/2000/svg";
const MOST = 24; // at a moment
const KEPT = ["d", "href", "x", "y", "width", "height", "rx", "r", "cx", "cy"]; // of a shape, to draw it again
const HEAD = 11; // of an arrow

function made(tag, attributes, ...inner) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inner);
  return element;
}

// A place as the picture has it: its shape's matrix and its box, in units of the picture.
function found(picture, name) {
  const shape = [...picture.querySelectorAll("[data-place]")].find((each) => each.dataset.place === name);
  const box = shape?.getBBox();
  if (!box?.width) return null;
  const matrix = picture.getScreenCTM().inverse().multiply(shape.getScreenCTM());
  const [from, to] = [[box.x, box.y], [box.x + box.width, box.y + box.height]].map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix));
  return { shape, box, matrix, right: to.x, top: from.y, x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
}

// The shape's own outline, or a frame round one of several pieces; twice, so that it is seen on every ground.
function ring({ shape, box, matrix }, seat) {
  const { a, b, c, d, e, f } = matrix, transform = `matrix(${[a, b, c, d, e, f]})`;
  const own = KEPT.filter((name) => shape.hasAttribute(name)).map((name) => [name, shape.getAttribute(name)]);
  const frame = { x: box.x, y: box.y, width: box.width, height: box.height, rx: 6 };
  const [tag, shaped] = shape.matches("g") ? ["rect", frame] : [shape.localName, Object.fromEntries(own)];
  return ["ground", `outline seat-${seat}`].map((kind) => made(tag, { ...shaped, transform, class: `ring ${kind}` }));
}

function arrow(from, to, seat) {
  const length = Math.hypot(to.x - from.x, to.y - from.y), turn = (180 * Math.atan2(to.y - from.y, to.x - from.x)) / Math.PI;
  const line = `M0 0H${Math.max(0, length - HEAD)}`, head = `M${length} 0l${-1.4 * HEAD} ${-0.7 * HEAD}v${1.4 * HEAD}Z`;
  const parts = [made("path", { d: line, class: "way ground" }), made("path", { d: line, class: `way outline seat-${seat}` }), made("path", { d: head, class: `head seat-${seat}` })];
  return made("g", { transform: `translate(${from.x} ${from.y}) rotate(${turn})` }, ...parts);
}

// The seat's number, and the note's beside it, at the upper right corner of the place; further ones to the left.
function plate({ right, top }, seat, number, before) {
  const words = number === undefined ? "" : String(Number(Number(number).toPrecision(5)));
  const wide = words && 8 * words.length + 10, x = right - wide - 8 - before, y = Math.max(10, top);
  const parts = words ? [made("rect", { x: 8, y: -10, width: wide, height: 20, rx: 4, class: "said" }), made("text", { x: 12 + wide / 2, y: 5, class: "middle strong" }, words)] : [];
  const sign = made("text", { y: 4.5, class: "on-seat" }, seat);
  const whole = made("g", { transform: `translate(${x} ${y})` }, ...parts, made("circle", { r: 9, class: `seat-${seat}` }), sign);
  return { whole, wide: wide + 20 };
}

class Sketch {
  constructor(picture) {
    this.picture = picture;
    this.over = made("g", { class: "sketch", "aria-hidden": "true" });
    this.taken = new Map(); // how much of each corner, by the place's name
    this.labels = made("g", {}); // above all rings
    picture.append(this.over);
  }

  add({ place, to, number, markOf: seat }) {
    const [at, end] = [place, to].map((name) => name && found(this.picture, name));
    for (const one of [at, end].filter(Boolean)) this.over.append(...ring(one, seat));
    if (at && end && place !== to) this.over.append(arrow(at, end, seat));
    const [name, corner] = at ? [place, at] : [to, end];
    if (corner) this.label(name, plate(corner, seat, number, this.taken.get(name) ?? 0));
    this.over.append(this.labels);
  }

  label(name, { whole, wide }) {
    this.taken.set(name, (this.taken.get(name) ?? 0) + wide);
    this.labels.append(whole);
  }
}

// Those of the moment, on the layout that is seen.
export function sketch(film, lines) {
  for (const old of film.querySelectorAll(".sketch")) old.remove();
  const marks = [...lines].slice(0, MOST).map((line) => ({ ...line.dataset }));
  const seen = [...film.querySelectorAll(".frame svg.picture")].filter((picture) => picture.getClientRects().length);
  for (const picture of marks.length ? seen : []) {
    const drawn = new Sketch(picture);
    for (const mark of marks) drawn.add(mark);
  }
}
