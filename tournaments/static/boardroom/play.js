// A game of one's own. Its page works by plain forms; with this, answers are sent and the bots' moves shown in place.

import { slide } from "./amounts.js";
import { Decision } from "./decision.js";
import { Places } from "./places.js";
import { Screen } from "./screen.js";
import { decimal, sentence } from "./words.js";

const FIRST_LOOK = 120; // ms until one looks whether the bots have answered, more each time
const SLOWEST_LOOK = 2000;
const SLOWEST_FOR_PEOPLE = 4000;
const PAUSE = 450; // ms for a moment of the replay, less if there are many
const LONGEST = 4000; // ms for all of them

const play = document.getElementById("play");
const panel = document.getElementById("panel");
const screen = new Screen(play);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const bar = document.getElementById("decision");
const decision = new Decision(bar, panel, () => places.mark());
const places = new Places(play, decision);
let at = Number(play.dataset.at);
let byBar = false; // whether the last answer was sent with it: then one stays where one is

const sleep = (ms) => new Promise((wake) => { setTimeout(wake, ms); });

async function fetchState(address, options = {}) {
  const answer = await fetch(address, { headers: { Accept: "application/json" }, cache: "no-store", ...options });
  if (!answer.headers.get("Content-Type")?.startsWith("application/json")) return location.reload(); // signed out, or gone
  return answer.json();
}

async function show({ frames, panel: markup, status, at: now }) {
  const pause = calm.matches ? 0 : Math.min(PAUSE, LONGEST / (frames.length || 1));
  for (const frame of frames) {
    screen.show(frame);
    if (frame !== frames.at(-1)) await sleep(pause);
  }
  at = now;
  const open = [...panel.querySelectorAll("details[open][id]")].map(({ id }) => id);
  panel.innerHTML = markup; // made by the server, which has escaped what others wrote
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  play.dataset.status = status;
  ask();
}

// Whatever is asked now, on the board and in the bar too.
function ask() {
  decision.busy = false;
  slide(panel);
  places.refresh();
}

// The question is where one goes on: focus it, or what was wrong.
function lead() {
  const trouble = panel.querySelector("[role=alert]");
  const heading = panel.querySelector("#ask-title");
  const field = trouble?.closest("form")?.querySelector("input:not([type=hidden]), select");
  (field ?? heading)?.focus({ preventScroll: byBar && !field });
  document.getElementById("announcer").textContent = (trouble ?? panel.querySelector(".question") ?? heading)?.textContent ?? "";
}

function timed(sent, status) {
  if (!sent || status === "waiting" || "shared" in play.dataset) return; // there it was people, too
  const seconds = decimal((performance.now() - sent) / 1000);
  play.querySelector("[data-speed]").textContent = sentence("The bots answered in %(seconds)s s.", { seconds });
}

async function follow(news, sent = 0) {
  const waits = news.status === "waiting";
  await show(news);
  const slowest = "shared" in play.dataset ? SLOWEST_FOR_PEOPLE : SLOWEST_LOOK;
  for (let pause = FIRST_LOOK; play.dataset.status === "waiting"; pause = Math.min(pause * 1.3, slowest)) {
    await sleep(pause);
    const next = document.hidden ? null : await fetchState(`${play.dataset.state}?from=${at}`).catch(() => null); // heals by itself
    if (next && waits) timed(sent, next.status);
    if (next && (next.status !== "waiting" || next.frames.length)) await show(next);
  }
  if (play.dataset.status === "over") return location.reload();
  return lead();
}

function enable(can) {
  decision.busy = !can;
  for (const button of play.querySelectorAll("#panel button, #decision button")) button.disabled = !can;
}

panel.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-way]");
  if (!form) return;
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  body.append("from", at);
  byBar = bar.contains(document.activeElement);
  enable(false);
  try {
    const sent = performance.now();
    await follow(await fetchState(form.action, { method: "POST", body }), sent);
  } catch {
    enable(true);
    decision.say();
    document.getElementById("announcer").textContent = sentence("The answer did not arrive. Try again.");
  }
});

// The game may have gone on elsewhere, in another tab, while this page was not looked at or stood in the browser's past.
async function catchUp() {
  if (document.hidden || decision.busy || play.dataset.status === "waiting") return;
  const next = await fetchState(`${play.dataset.state}?from=${at}`).catch(() => null);
  if (next && (next.frames.length || next.status !== play.dataset.status) && !decision.busy) follow(next);
}

// Where people have minutes, time passes on the page, and when it has run out the game goes on without an answer from here.
function tick() {
  const clock = panel.querySelector("[data-left]");
  if (!clock) return;
  clock.ends ??= performance.now() + 1000 * clock.dataset.left;
  const left = Math.max(0, Math.round((clock.ends - performance.now()) / 1000));
  clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

if (play.dataset.shared) {
  setInterval(tick, 1000);
  setInterval(catchUp, SLOWEST_FOR_PEOPLE);
}
document.addEventListener("visibilitychange", catchUp);
addEventListener("pageshow", ({ persisted }) => {
  if (persisted || performance.getEntriesByType("navigation")[0]?.type === "back_forward") catchUp();
});

ask();
if (play.dataset.status === "waiting") follow({ frames: [], panel: panel.innerHTML, status: "waiting", at });
