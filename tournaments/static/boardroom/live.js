// The board of a match under way, and the channel, which goes on to the next match by itself.

import { LiveBoard } from "./live_board.js";

const AGAIN = 10000; // milliseconds

let channel = document.getElementById("channel");
let screen = null;

function open() {
  const box = document.querySelector("[data-live]");
  const pace = screen?.pace.value;
  screen?.close();
  screen = box && new LiveBoard(box, next);
  if (pace && screen) screen.pace.value = pace;
  if (!box) next(AGAIN);
}

let due;
function next(milliseconds) {
  if (!channel) return;
  clearTimeout(due);
  due = setTimeout(() => (document.hidden || screen?.held ? next(AGAIN) : tune().catch(() => next(AGAIN))), milliseconds);
}

async function tune() {
  const answer = await fetch(channel.dataset.channel);
  if (!answer.ok) return next(AGAIN);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = document.adoptNode(page.getElementById("channel"));
  channel.replaceWith(fresh);
  channel = fresh;
  document.title = page.title;
  open();
}

open();
