// Notes of one's bots go along with the film: those of the moment that is shown are brought into their list's view, and
// what they say of the board is drawn on it.

import { sketch } from "./marks.js";

const list = document.querySelector("#notes .notes");
const film = document.querySelector("replay-film");

function follow() {
  const here = list.querySelector(":scope > .here");
  if (here) list.scrollTop += here.getBoundingClientRect().top - list.getBoundingClientRect().top;
  draw();
}

function draw() {
  sketch(film, list.querySelectorAll(":scope > .here [data-mark-of]"));
}

if (list) {
  new MutationObserver(follow).observe(list, { subtree: true, attributes: true, attributeFilter: ["class"] });
  new ResizeObserver(draw).observe(film.querySelector(".frame")); // the other layout has its places elsewhere
  follow();
}
