// Times as the reader's own clock shows them. The server writes them in UTC and says so; that stays in the title.
// A field that takes a time in UTC becomes one that takes it here, with the browser's own chooser, and says which zone that
// is; what is sent is UTC. What was typed and is no time stays as it was typed.

import { sentence } from "./words.js";

const PARTS = { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
const { lang } = document.documentElement;
const LOCALE = lang === "en" ? "en-GB" : lang;
const HERE = new Intl.DateTimeFormat(LOCALE, PARTS);
const SECONDS = new Intl.DateTimeFormat(LOCALE, { ...PARTS, second: "2-digit" });
const isElsewhere = (time) => new Date(time).getTimezoneOffset() !== 0; // summer time may part what winter does not
const inUtc = (typed) => Date.parse(`${typed.trim().replace(" ", "T")}Z`);

export function tellHere(page) {
  for (const time of page.querySelectorAll("time[data-zone][datetime]")) {
    const at = Date.parse(time.dateTime);
    if (time.title || Number.isNaN(at) || !isElsewhere(at)) continue;
    time.title = time.textContent;
    time.textContent = (time.dataset.zone ? SECONDS : HERE).format(at);
  }
}

const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const pad = (number) => String(number).padStart(2, "0");

function written(at) { // as a field of the browser's own takes it
  const time = new Date(at);
  const day = [String(time.getFullYear()).padStart(4, "0"), pad(time.getMonth() + 1), pad(time.getDate())].join("-");
  return `${day}T${pad(time.getHours())}:${pad(time.getMinutes())}`;
}

function takeHere(field) {
  const at = inUtc(field.value), here = document.createElement("input"), told = document.createElement("output");
  if (field.value.trim() && Number.isNaN(at)) return;
  here.type = "datetime-local";
  for (const { name, value } of [...field.attributes]) if (/^(id|aria-.*|required)$/.test(name)) here.setAttribute(name, value);
  field.removeAttribute("id");
  field.type = "hidden";
  told.className = "soft";
  told.htmlFor = here.id;
  field.after(here, told);
  const zone = document.querySelector(`#${CSS.escape(here.id)}_helptext [data-zone-here]`);
  if (zone) zone.textContent = sentence("In your time zone, %(zone)s", { zone: ZONE });
  const tell = () => { told.textContent = field.value && sentence("In UTC: %(time)s", { time: field.value }); };
  if (!Number.isNaN(at)) here.value = written(at);
  here.addEventListener("input", () => {
    field.value = here.value && new Date(here.value).toISOString().slice(0, 16).replace("T", " ");
    tell();
  });
  here.form?.addEventListener("submit", (event) => { // half a date would be sent as none
    if (!here.validity.badInput) return;
    event.preventDefault();
    here.reportValidity();
  });
  tell();
}

tellHere(document);
document.querySelectorAll("input[data-utc]").forEach(takeHere);
