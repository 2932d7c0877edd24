import { tellHere } from "./times.js";
import { sentence } from "./words.js";

// Comforts; every page works without them.
//
// 1. Live parts. An element with an id and data-refresh="SECONDS" is fetched again with its page and swapped when it
//    changed. Nothing is fetched while the page is hidden. When data-say changes, screen readers hear it. What is marked
//    data-keep inside stays as it is. Nothing is while a form that was refused waits for its writer (data-still). Where a part has data-stream="ADDRESS", the server says when there is news.
// 2. File fields. A file may be dropped on them, and one that is too large is refused before it is sent.

const live = () => [...document.querySelectorAll("main:not([data-still]) [data-refresh][id]")];

function say(words) {
  document.getElementById("announcer").textContent = words;
}

const FOCUSABLE = "a, button, summary, [tabindex]";
const key = (element) => [element.tagName, element.getAttribute("href"), element.value, element.textContent].join();

function swap(old, fresh) {
  const focused = old.contains(document.activeElement) ? key(document.activeElement) : null;
  const scrolled = [...old.querySelectorAll(".table")].map((box) => box.scrollLeft);
  const words = fresh.dataset.say;
  if (words && words !== old.dataset.say) say(words);
  old.querySelectorAll("[data-keep][id]").forEach((kept) => fresh.querySelector(`#${kept.id}`)?.replaceWith(kept));
  old.replaceWith(fresh);
  fresh.querySelectorAll(".table").forEach((box, at) => { box.scrollLeft = scrolled[at] ?? 0; });
  [...fresh.querySelectorAll(FOCUSABLE)].find((element) => key(element) === focused)?.focus({ preventScroll: true });
}

async function refresh() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-cache" });
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  tellHere(page); // what is shown is told so too, and is not taken for old
  for (const part of live()) {
    const fresh = page.getElementById(part.id);
    if (!fresh) continue;
    for (const { id } of part.querySelectorAll("details[open][id]")) page.getElementById(id)?.setAttribute("open", "");
    if (fresh.outerHTML !== part.outerHTML) swap(part, document.adoptNode(fresh));
  }
}

const UNHURRIED = 60; // seconds between two looks while a stream tells of news
const SPREAD = 1500; // milliseconds over which those who heard the same news ask for it
let stream = null, due = null, hurried = false;

function keepFresh() {
  const seconds = Math.min(...live().map((part) => Number(part.dataset.refresh) || 10));
  if (seconds === Infinity || hurried) return; // nothing on the page is live any more, or it is looked at in a moment
  clearTimeout(due);
  due = setTimeout(look, 1000 * (stream?.readyState === EventSource.OPEN ? UNHURRIED : seconds));
}

async function look() {
  hurried = false;
  if (!document.hidden) await refresh().catch(() => {}); // a lost connection heals at the next turn
  keepFresh();
}

function hear() {
  if (hurried || !live().length) return;
  hurried = true;
  clearTimeout(due);
  due = setTimeout(look, 500 + Math.random() * SPREAD);
}

function listen() {
  const address = document.querySelector("[data-stream]")?.dataset.stream;
  if (!address || document.hidden) return;
  let lost = false;
  stream = new EventSource(address);
  stream.addEventListener("changed", hear);
  stream.onopen = () => {
    if (lost) hear(); // whatever was missed meanwhile
    lost = false;
    keepFresh();
  };
  stream.onerror = () => {
    if (!lost) keepFresh();
    lost = true;
  };
}

document.addEventListener("visibilitychange", () => { // a hidden page holds no line open
  stream?.close();
  stream = null;
  listen();
  if (!document.hidden) hear();
});

// Whoever changes the language comes back to what the address names by now, such as another moment of a match.
document.querySelector("form [name=back]")?.form.addEventListener("submit", ({ target }) => {
  target.elements.back.value = location.pathname + location.search;
});

function takeDrops(field) {
  const over = (is) => (event) => { event.preventDefault(); field.classList.toggle("over", is); };
  field.addEventListener("dragover", over(true));
  field.addEventListener("dragleave", over(false));
  field.addEventListener("drop", (event) => {
    over(false)(event);
    field.files = event.dataTransfer.files;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
  field.addEventListener("change", () => {
    weigh(field);
    field.reportValidity();
  });
  weigh(field); // one may have been chosen before this was loaded
}

function weigh(field) {
  const [file] = field.files;
  const most = Number(field.dataset.bytes);
  const large = file && most && file.size > most;
  field.setCustomValidity(large ? sentence("This file has %(size)s bytes; at most %(most)s are taken.", { size: file.size, most }) : "");
}

document.querySelectorAll('input[type="file"]').forEach(takeDrops);
listen();
keepFresh();
