// A game of one's own. Its page works by plain forms; with this, answers are sent and the bots' moves shown in place.

import { Screen } from "./screen.js";

const FIRST_LOOK = 120; // ms until one looks whether the bots have answered, more each time
const SLOWEST_LOOK = 2000;
const PAUSE = 450; // ms for a moment of the replay, less if there are many
const LONGEST = 4000; // ms for all of them

const play = document.getElementById("play");
const panel = document.getElementById("panel");
const screen = new Screen(play);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let at = Number(play.dataset.at);

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
  panel.innerHTML = markup; // made by the server, which has escaped what others wrote
  play.dataset.status = status;
}

// The question is where one goes on: focus it, or what was wrong.
function lead() {
  const trouble = panel.querySelector("[role=alert]");
  const heading = panel.querySelector("#ask-title");
  const field = trouble?.closest("form")?.querySelector("input:not([type=hidden]), select");
  (field ?? heading)?.focus({ preventScroll: false });
  document.getElementById("announcer").textContent = (trouble ?? panel.querySelector(".question") ?? heading)?.textContent ?? "";
}

async function follow(news) {
  await show(news);
  for (let pause = FIRST_LOOK; play.dataset.status === "waiting"; pause = Math.min(pause * 1.3, SLOWEST_LOOK)) {
    await sleep(pause);
    const next = document.hidden ? null : await fetchState(`${play.dataset.state}?from=${at}`).catch(() => null); // heals by itself
    if (next && (next.status !== "waiting" || next.frames.length)) await show(next);
  }
  if (play.dataset.status === "over") return location.reload();
  return lead();
}

panel.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-way]");
  if (!form) return;
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  body.append("from", at);
  for (const button of panel.querySelectorAll("button")) button.disabled = true;
  try {
    await follow(await fetchState(form.action, { method: "POST", body }));
  } catch {
    for (const button of panel.querySelectorAll("button")) button.disabled = false;
    document.getElementById("announcer").textContent = "The answer did not arrive. Try again.";
  }
});

if (play.dataset.status === "waiting") follow({ frames: [], panel: panel.innerHTML, status: "waiting", at });
