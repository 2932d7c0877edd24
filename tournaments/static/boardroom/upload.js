// Uploading; without it the page is a form that does the same.
//
// 1. A file may be dropped anywhere on the page.
// 2. One sees how far it is. A connection that breaks is tried again: the same upload sent twice is one version.
// 3. The ladder is one of the game that is chosen.
// 4. What the site refuses is shown in place, and the chosen file stays chosen.

import { sentence } from "./words.js";

const PAUSES = [2, 5, 15]; // seconds before each new try
const form = () => document.getElementById("upload");
const chooser = () => form().querySelector('input[type="file"]');

addEventListener("dragover", (event) => { event.preventDefault(); chooser()?.classList.add("over"); });
addEventListener("dragleave", (event) => { if (!event.relatedTarget) chooser()?.classList.remove("over"); });
addEventListener("drop", (event) => {
  const field = form() && chooser();
  if (!field || event.defaultPrevented) return; // the field itself has taken it
  event.preventDefault();
  field.classList.remove("over");
  if (!event.dataTransfer.files.length) return;
  field.files = event.dataTransfer.files;
  field.dispatchEvent(new Event("change", { bubbles: true }));
});

/** The part that tells how far it is: words for everybody, a bar for those who see it. */
function teller() {
  let box = document.getElementById("progress");
  if (!box) {
    box = document.createElement("div");
    box.id = "progress";
    box.className = "stack";
    box.innerHTML = '<progress max="1" value="0" aria-labelledby="progress-words"></progress><p id="progress-words" role="status"></p>';
    form().append(box);
  }
  return (words, share) => {
    box.querySelector("p").textContent = words;
    box.querySelector("progress").hidden = share === undefined;
    box.querySelector("progress").value = share ?? 0;
  };
}

/** The answer's page and address; rejects if there was none. */
function send(body, tell) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.upload.addEventListener("progress", ({ loaded, total }) => tell(loaded < total ? sentence("%(percent)s % is sent.", { percent: Math.round(100 * loaded / total) }) : sentence("All is sent."), loaded / total));
    request.addEventListener("load", () => (request.status < 500 ? resolve({ page: request.responseText, url: request.responseURL }) : reject()));
    request.addEventListener("error", reject);
    request.open("POST", location.href);
    request.send(body);
  });
}

const wait = (seconds) => new Promise((go) => setTimeout(go, seconds * 1000));

async function sendWithRetries(body, tell) {
  for (const pause of PAUSES) {
    const answer = await send(body, tell).catch(() => null);
    if (answer) return answer;
    tell(sentence("The connection broke. Trying again in %(pause)s seconds; your file is still chosen.", { pause }));
    await wait(pause);
  }
  return send(body, tell).catch(() => null);
}

/** The same page with what was refused; the file that was chosen moves over. */
function show({ page, url }) {
  if (url.split(/[?#]/)[0] !== location.href.split(/[?#]/)[0]) return location.assign(url);
  const fresh = new DOMParser().parseFromString(page, "text/html");
  const [old, next] = [chooser(), fresh.querySelector('#upload input[type="file"]')];
  if (next) {
    for (const name of ["aria-invalid", "aria-describedby"]) old.toggleAttribute(name, false);
    for (const { name, value } of next.attributes) if (name.startsWith("aria-")) old.setAttribute(name, value);
    next.replaceWith(old);
    fresh.querySelector("#upload .notice.wrong p:last-child")?.remove(); // that the file must be chosen again
  }
  document.querySelector("main").replaceWith(document.adoptNode(fresh.querySelector("main")));
  document.title = fresh.title;
  begin();
  document.querySelector("[role=alert] a, main input")?.focus();
}

async function submitted(event) {
  event.preventDefault();
  const button = form().querySelector("button");
  const tell = teller();
  button.disabled = true;
  const answer = await sendWithRetries(new FormData(form()), tell);
  button.disabled = false;
  if (answer) return show(answer);
  tell(sentence("There is no connection to the site. Nothing was stored, and all that you chose and typed is still here: press the button when the connection is back."));
}

/** A ladder of the game that is chosen: the first, unless one is chosen already. */
function chooseLadder(event) {
  const [game, ladder] = ["game", "ladder"].map((name) => form()?.elements[name]);
  if (!ladder || (event && event.target !== game)) return;
  const fits = (option) => option?.dataset.game === game.value;
  if (fits(ladder.selectedOptions[0])) return;
  ladder.value = [...ladder.options].find(fits)?.value ?? "";
}

function begin() {
  form()?.addEventListener("submit", submitted);
  form()?.addEventListener("change", chooseLadder);
}

begin();
if (!form()?.elements.name?.defaultValue) chooseLadder(); // what was chosen before a refusal stays
