// The editor; without it the page is a form with a text field, and its buttons do the same.
//
// 1. The field gets line numbers and colours, which lie behind it: the field itself stays an ordinary text field.
// 2. Tab indents, Shift+Tab takes it back, Enter keeps the indentation. After Escape, Tab leaves the field.
// 3. What is typed is saved on the server a moment later, and kept in this browser for as long as the server has not got it.
// 4. A link to #line-12 goes to that line of the text.

import { sentence } from "./words.js";

const form = document.getElementById("draft");
const field = form.elements.source;
const saving = document.getElementById("saving");
const KEY = `draft-${field.closest("[data-draft]").dataset.draft}`;
const PAUSE = 1200; // ms without a key, then it is saved
const INDENT = "    ";

// Colours

const PYTHON = "and as assert async await break class continue def del elif else except finally for from global if import in is "
  + "lambda match nonlocal not or pass raise return try while with yield None True False";
const BRACED = "auto break case catch char class const continue default do double else enum export extern false finally float for "
  + "from function if import in int let long new null of return short signed sizeof static struct switch this throw true try "
  + "typedef undefined unsigned using var void while #include #define";
const words = (list) => new Set(list.split(" "));
const PY = { words: words(PYTHON), token: /(?<note>#.*)|(?<text>"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|(?<figure>\b\d[\w.]*)|(?<word>[A-Za-z_]\w*)/g };
const CLIKE = { words: words(BRACED), token: /(?<note>\/\/.*|\/\*[^]*?(?:\*\/|$))|(?<text>`[^`]*`?|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|(?<figure>\b\d[\w.]*)|(?<word>#?[A-Za-z_]\w*)/g };

function painted(text) {
  const { words, token } = form.elements.filename.value.endsWith(".py") ? PY : CLIKE;
  const paint = document.createDocumentFragment();
  let at = 0;
  for (const found of text.matchAll(token)) {
    const [kind] = Object.entries(found.groups).find(([, part]) => part !== undefined);
    if (kind === "word" && !words.has(found[0])) continue;
    paint.append(text.slice(at, found.index));
    const span = document.createElement("span");
    span.className = kind;
    span.textContent = found[0];
    paint.append(span);
    at = found.index + found[0].length;
  }
  paint.append(`${text.slice(at)}\n`);
  return paint;
}

const layer = (name) => {
  const pre = document.createElement("pre");
  pre.className = name;
  pre.ariaHidden = "true";
  return pre;
};
const paint = layer("paint");
const numbers = layer("numbers");
const desk = document.createElement("div");
desk.className = "desk";
const { selectionStart, selectionEnd } = field;
const isInUse = document.activeElement === field; // somebody types already, and moving the field would end that
field.before(desk);
desk.append(numbers, paint, field);
if (isInUse) {
  field.focus();
  field.setSelectionRange(selectionStart, selectionEnd);
}

function show() {
  paint.replaceChildren(painted(field.value));
  const lines = field.value.split("\n").length;
  numbers.textContent = Array.from({ length: lines }, (_, line) => line + 1).join("\n");
  follow();
}

function follow() {
  paint.scrollTop = numbers.scrollTop = field.scrollTop;
  paint.scrollLeft = field.scrollLeft;
}

// Keys

let leaving = false; // Escape was pressed: the next Tab goes on

const insert = (text) => document.execCommand("insertText", false, text); // as if typed: it can be undone
const lineStart = (at) => field.value.lastIndexOf("\n", at - 1) + 1;

function shift(back) {
  const { selectionStart: from, selectionEnd: to, value } = field;
  const start = lineStart(from);
  const old = value.slice(start, to);
  const fresh = back ? old.replace(/^ {1,4}|^\t/gm, "") : old.replace(/^(?=.)/gm, INDENT);
  field.setSelectionRange(start, to);
  if (fresh) insert(fresh);
  else document.execCommand("delete");
  field.setSelectionRange(Math.max(start, from + (back ? -INDENT.length : INDENT.length)), start + fresh.length);
}

function typed(event) {
  if (event.key === "Escape") { leaving = true; return; }
  if (event.key === "Tab" && !leaving && !event.ctrlKey && !event.altKey) {
    event.preventDefault();
    const several = field.value.slice(field.selectionStart, field.selectionEnd).includes("\n");
    if (several || event.shiftKey) shift(event.shiftKey);
    else insert(INDENT);
  }
  if (event.key === "Enter" && !event.isComposing) {
    const line = field.value.slice(lineStart(field.selectionStart), field.selectionStart);
    const [indent] = line.match(/^[ \t]*/);
    event.preventDefault();
    insert(`\n${indent}${/[:{([]\s*$/.test(line) ? INDENT : ""}`);
  }
  if (event.key !== "Shift") leaving = false;
}

// Saving

let timer = 0;
let sent = field.defaultValue; // more may have been typed before this was loaded

const kept = () => JSON.parse(localStorage.getItem(KEY) ?? "null");

function keep() {
  try { localStorage.setItem(KEY, JSON.stringify({ source: field.value, since: form.elements.since.value })); } catch { /* full, or not allowed */ }
}

const forget = () => localStorage.removeItem(KEY);
const tell = (words, wrong = false) => { saving.textContent = words; saving.classList.toggle("bad", wrong); };

let busy = false; // one at a time: the next one says since when

async function save() {
  if (busy) return later();
  busy = true;
  await send().finally(() => { busy = false; });
}

async function send() {
  const body = new FormData(form);
  const text = field.value;
  const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } }).catch(() => null);
  const isOurs = answer?.headers.get("Content-Type")?.startsWith("application/json");
  if (!answer) { tell(sentence("No connection. What you type is kept in this browser, and saved when the connection is back."), true); return later(10_000); }
  if (answer.status >= 500 || answer.status === 429) { tell(sentence("The site could not save it. What you type is kept in this browser; it tries again soon."), true); return later(10_000); }
  if (!isOurs) return tell(answer.ok ? sentence("You are signed out. Your text is kept in this browser: press Save to sign in.") : sentence("Not saved. Your text is kept in this browser: press Save to read why."), true);
  const { said: message, since } = await answer.json();
  if (!answer.ok) return tell(sentence("Not saved: %(why)s", { why: message }), true);
  form.elements.since.value = since;
  sent = text;
  if (field.value === text) { forget(); tell(sentence("Saved.")); } else later();
}

function later(ms = PAUSE) {
  clearTimeout(timer);
  timer = setTimeout(save, ms);
}

function changed() {
  show();
  if (field.value === sent) return;
  keep();
  tell(sentence("Not saved yet."));
  later();
}

/** What this browser has of an earlier visit, and the server has not. */
function recover() {
  const found = kept();
  if (!found || found.source === field.value) return forget();
  const note = document.createElement("div");
  note.className = "notice row";
  note.append(sentence("This browser has text of this draft that was not saved."));
  for (const [words, act] of [[sentence("Take it"), () => { field.select(); insert(found.source); }], [sentence("Delete it"), forget]]) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "quiet", textContent: words });
    button.addEventListener("click", () => { note.remove(); field.focus(); act(); });
    note.append(button);
  }
  desk.before(note);
}

function goToLine() {
  const [, line] = location.hash.match(/^#line-(\d+)$/) ?? [];
  if (!line) return;
  const lines = field.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  field.focus();
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  field.scrollTop = (line - 4) * (field.scrollHeight / lines.length);
}

field.addEventListener("keydown", typed);
field.addEventListener("input", changed);
field.addEventListener("scroll", follow);
form.elements.filename.addEventListener("input", show);
form.addEventListener("submit", () => clearTimeout(timer)); // the form saves by itself, and what is kept here stays till then
addEventListener("hashchange", goToLine);
recover();
changed();
goToLine();
