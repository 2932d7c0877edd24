// The board as a way to answer: every place that a choice of the forms stands for becomes a button on it.
//
// A choice (option, input, button) and a shape of the board that have the same data-place belong together. A place with
// several choices offers them as a list in the decision bar.

import { wayOf, worded as label } from "./decision.js";
import { sentence } from "./words.js";

const CHOICES = "[data-way] [data-place]";
const KEYS = ["Enter", " "];

const isOn = (choice) => choice.selected || choice.checked;
const line = (choice) => choice.closest("select") ?? choice.closest("label") ?? choice;

function full(choice) {
  return [wayOf(choice.form ?? choice.closest("form")), label(choice)].filter(Boolean).join(": ");
}

function byPlace(choices) {
  const found = new Map();
  for (const choice of choices) found.set(choice.dataset.place, [...(found.get(choice.dataset.place) ?? []), choice]);
  return found;
}

export class Places {
  constructor(play, decision) {
    Object.assign(this, { play, decision, board: play.querySelector(".frame"), choices: new Map() });
    this.panel = play.querySelector("#panel");
    this.menu = play.querySelector("[data-menu]");
    this.board?.addEventListener("click", ({ target }) => this.choose(target.closest(".legal")));
    this.board?.addEventListener("keydown", (event) => this.press(event));
    this.menu.addEventListener("keydown", ({ key }) => key === "Escape" && this.close(true));
    for (const type of ["pointerover", "focusin"]) play.addEventListener(type, ({ target }) => this.light(target));
    if (this.board) new ResizeObserver(() => this.mark()).observe(this.board); // the other layout is drawn anew
  }

  // After each new question, and after each new picture.
  refresh() {
    this.choices = byPlace(this.panel.querySelectorAll(CHOICES));
    this.close();
    this.decision.fresh();
    this.mark();
  }

  mark() {
    for (const shape of this.board?.querySelectorAll("[data-place]") ?? []) this.dress(shape, this.choices.get(shape.dataset.place));
    for (const picture of this.board?.querySelectorAll("svg.picture") ?? []) picture.setAttribute("role", picture.querySelector("[tabindex]") ? "group" : "img");
  }

  dress(shape, choices) {
    shape.classList.toggle("legal", Boolean(choices));
    if (!choices) return ["role", "tabindex", "aria-label", "aria-pressed"].forEach((name) => shape.removeAttribute(name)), shape.classList.remove("picked", "lit");
    const words = choices.length === 1 ? label(choices[0]) : sentence("%(number)s choices: %(choices)s", { number: choices.length, choices: choices.map(full).join("; ") });
    const picked = choices.some((choice) => this.picks(choice));
    const marks = { role: "button", tabindex: 0, "aria-label": words.slice(0, 300), "aria-pressed": picked };
    for (const [name, value] of Object.entries(marks)) shape.setAttribute(name, value);
    shape.classList.toggle("picked", picked);
  }

  picks(choice) {
    return choice === this.decision.button || (isOn(choice) && choice.closest("form") === this.decision.form);
  }

  press(event) {
    const shape = KEYS.includes(event.key) && event.target.closest(".legal");
    if (!shape) return;
    event.preventDefault();
    this.choose(shape);
  }

  choose(shape) {
    const choices = shape && this.choices.get(shape.dataset.place);
    if (!choices) return;
    this.from = shape;
    if (choices.length === 1) this.pick(choices[0]);
    else this.offer(choices);
  }

  offer(choices) {
    this.menu.replaceChildren(...choices.map((choice) => this.offered(choice)));
    this.menu.hidden = false;
    this.menu.firstElementChild.focus({ preventScroll: true });
  }

  offered(choice) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "quiet", textContent: full(choice) });
    button.addEventListener("click", () => this.pick(choice));
    return button;
  }

  close(back = false) {
    this.menu.hidden = true;
    this.menu.replaceChildren();
    if (back) this.from?.focus({ preventScroll: true });
  }

  pick(choice) {
    const form = choice.closest("form");
    this.close();
    choice.closest("details")?.setAttribute("open", "");
    if (choice.matches("option")) choice.selected = true;
    else if (choice.matches("input")) choice.checked = choice.type === "radio" || !choice.checked;
    this.decision.take(form, choice.matches("button") ? choice : this.decision.button);
    if (choice.type === "checkbox" || !this.decision.lead()) this.from?.focus({ preventScroll: true });
  }

  // What is pointed at, on the board and in the list.
  light(target) {
    const at = target.closest?.("[data-place], label, select");
    const choice = at?.selectedOptions?.[0] ?? at?.querySelector?.("[data-place]") ?? at;
    const place = choice?.dataset?.place ?? "";
    for (const lit of this.play.querySelectorAll(".lit")) lit.classList.remove("lit");
    if (!this.choices.has(place)) return;
    for (const shape of this.board?.querySelectorAll(`[data-place="${CSS.escape(place)}"]`) ?? []) shape.classList.add("lit");
    for (const each of this.choices.get(place)) line(each).classList.add("lit");
  }
}
