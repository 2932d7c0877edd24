// A wall: every so often the next view takes the place of the one before. → and ← step, Space holds it, F fills the
// screen. Where less movement is wanted it begins held: nothing turns, and tables are still kept fresh.

import { LiveBoard } from "./live_board.js";
import { sentence } from "./words.js";

const KEYS = { ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back", " ": "hold" };
const AGAIN = 10; // seconds after which a view that did not come is asked for again

let wall = document.getElementById("wall");
let held = wall.dataset.held !== undefined || matchMedia("(prefers-reduced-motion: reduce)").matches;
let boards = [], due = null, asked = 0;

const link = (key) => wall.querySelector(`[data-key="${key}"]`);

function open() {
  boards = [...wall.querySelectorAll("[data-live]")].map((box) => new LiveBoard(box, renew));
  label();
  wait(Number(wall.dataset.seconds));
}

function label() {
  link("hold").textContent = held ? sentence("Go on") : sentence("Hold");
}

function wait(seconds) {
  clearTimeout(due);
  due = setTimeout(turn, 1000 * seconds);
}

// A match is over: look what is played now. A view that is not held goes on by itself soon enough.
function renew(milliseconds) {
  if (held || boards.every((board) => board.over)) wait(milliseconds / 1000);
}

// The next view; where it is held the same one, as it is by now.
async function turn() {
  const stays = held || !link("next");
  const playing = boards.some((board) => !board.over && board.source.readyState !== EventSource.CLOSED);
  if (document.hidden || (stays && playing)) return wait(AGAIN);
  await show(stays ? location.href : link("next").href).catch(() => wait(AGAIN));
}

async function show(address) {
  const number = (asked += 1);
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(answer.statusText);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (number !== asked) return; // somebody has stepped on meanwhile
  const focused = document.activeElement?.dataset.key;
  for (const board of boards) board.close();
  const fresh = document.adoptNode(page.getElementById("wall"));
  wall.replaceWith(fresh);
  wall = fresh;
  document.title = page.title;
  history.replaceState(null, "", address);
  open();
  if (focused) link(focused)?.focus();
}

function hold() {
  held = !held;
  label();
  if (!held) turn();
}

async function step(key) {
  if (key === "hold") return hold();
  await show(link(key).href).catch(() => wait(AGAIN));
  document.getElementById("announcer").textContent = document.title;
}

document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-key]")?.dataset.key;
  if (!key || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  step(key);
});

document.addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key.toLowerCase() === "f") document.documentElement.requestFullscreen?.().catch(() => {});
  const key = KEYS[event.key];
  if (!key || !link(key)) return;
  event.preventDefault();
  step(key);
});

open();
