// What the signs of a board mean: the words of the one that is clicked, tapped or reached by keyboard, beside it.
//
// A sign is what has a <title>, or a choice on the board. Enter leads from a board's frame to its signs, arrows from one
// to the nearest, Escape back to the frame. A choice that is clicked does what it does, and no more.

import { sentence } from "./words.js";

const TITLED = "svg.picture :has(> title)";
const AREAS = '[data-part="places"] *'; // which lie over what they stand for
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const EDGE = 8; // pixels to the end of the window
const APART = 12; // and to what is pointed at

const tip = Object.assign(document.createElement("div"), { id: "sign-words", className: "tip", popover: "auto" });
tip.setAttribute("role", "tooltip");
document.body.append(tip);

let said = null; // the shape whose words are shown
const drawings = new MutationObserver(([{ target }]) => {
  if (!said || said.isConnected) return;
  hide();
  if (document.activeElement === document.body) target.closest(".frame")?.focus();
});

function middle(shape) {
  const { left, top, width, height } = shape.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

// The words of a shape, or of what lies under it there.
function wordsOf(shape, { x, y }) {
  const titled = [shape, ...document.elementsFromPoint(x, y)].map((each) => each.closest(TITLED)).find(Boolean);
  return titled?.querySelector(":scope > title").textContent ?? shape.getAttribute("aria-label");
}

// Say what a shape means, below `bottom` or above `top`; till it is drawn anew, for then it is another one.
function show(words, shape, { x, top, bottom }) {
  if (!words) return;
  said = shape;
  tip.textContent = words;
  tip.togglePopover(true);
  const left = Math.min(x - tip.offsetWidth / 2, document.documentElement.clientWidth - tip.offsetWidth - EDGE);
  const above = bottom + tip.offsetHeight + EDGE > innerHeight;
  tip.style.left = `${Math.max(EDGE, left) + scrollX}px`;
  tip.style.top = `${(above ? Math.max(EDGE, top - tip.offsetHeight) : bottom) + scrollY}px`;
  drawings.observe(shape.closest(".frame"), { childList: true, subtree: true });
}

function hide() {
  said = null;
  drawings.disconnect();
  tip.togglePopover(false);
}

// Those of the layout that is seen, and of several in one place the uppermost.
function signsOf(frame) {
  const shown = [...frame.querySelectorAll(`${TITLED}:not(${AREAS}), svg.picture [role="button"]`)];
  const placed = shown.filter((sign) => sign.getBoundingClientRect().width).map((sign) => ({ sign, ...middle(sign) }));
  return [...new Map(placed.map((each) => [`${Math.round(each.x)} ${Math.round(each.y)}`, each])).values()];
}

function nearest(frame, from, [right, down]) {
  const { x, y } = middle(from);
  const far = signsOf(frame).map(({ sign, x: x2, y: y2 }) => {
    const along = (x2 - x) * right + (y2 - y) * down, across = Math.abs((x2 - x) * down + (y2 - y) * right);
    return { sign, along, score: along + 2 * across };
  });
  return far.filter(({ along }) => along > 1).sort((one, other) => one.score - other.score)[0]?.sign;
}

function focus(sign) {
  if (!sign) return;
  sign.closest("svg").setAttribute("role", "group");
  if (!sign.hasAttribute("tabindex")) sign.setAttribute("tabindex", -1);
  sign.focus();
}

document.addEventListener("click", ({ target, clientX: x, clientY: y }) => {
  if (!target.closest(".frame") || target.closest('[role="button"]')) return;
  show(wordsOf(target, { x, y }), target, { x, top: y - APART, bottom: y + APART });
});

document.addEventListener("focusin", ({ target, relatedTarget }) => requestAnimationFrame(() => {
  const frame = target.closest(".frame");
  if (!frame || target !== document.activeElement || !target.matches(":focus-visible")) return;
  const { top, bottom } = target.getBoundingClientRect(), { x, y } = middle(target);
  if (target !== frame) return show(wordsOf(target, { x, y }), target, { x, top, bottom });
  const how = frame.contains(relatedTarget) ? "" : sentence("Enter: what each sign means. Arrows: the next one.");
  return show(how, frame, { x, top, bottom: top + APART });
}));

// What was drawn anew has lost the focus to nothing.
document.addEventListener("focusout", ({ target }) => queueMicrotask(() => { if (target.isConnected) hide(); }));

document.addEventListener("keydown", (event) => {
  const { key, target } = event, frame = target.closest?.(".frame");
  if (!frame || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target === frame ? key !== "Enter" : !WAYS[key] && key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  if (target === frame) focus(signsOf(frame)[0]?.sign);
  else if (key === "Escape") frame.focus();
  else focus(nearest(frame, target, WAYS[key]));
}, true);
