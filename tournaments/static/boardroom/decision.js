// The decision bar: what would be sent, in words, with Send and Undo. Nothing is sent before Send.

import { amount, fit, words as called } from "./amounts.js";
import { sentence } from "./words.js";

const MOST = 6; // such buttons in the bar
const FIELDS = "select, input:checked, input[type=number], input[type=text]";

export const worded = (line) => plain(line.closest("label") ?? line);
export const wayOf = (form) => form.querySelector("h3")?.textContent.trim() ?? "";
// What an element says, without the letters on its icons.
function plain(element) {
  const copy = element.cloneNode(true);
  for (const icon of copy.querySelectorAll(".icon")) icon.remove();
  return copy.textContent.trim();
}

const folded = (field) => field.closest("details:not([open])");

// A field of a form in words; nothing for one that is empty.
function told(field) {
  if (field.matches("select")) return field.selectedOptions[0]?.textContent.trim();
  if (field.matches("[type=radio], [type=checkbox]")) return worded(field);
  return field.value && `${called(field)}: ${field.value}`;
}

// What Send stands for when no button was chosen: the first, unless each says something of its own.
export function usual(form) {
  const buttons = [...form.querySelectorAll(".row button")];
  return buttons.length === 1 || !buttons[0]?.name ? buttons[0] : undefined;
}

// Buttons of no place on the board, which the bar has too: to pass, to stop, the most.
function others(panel) {
  const buttons = [...panel.querySelectorAll(".way .row button:not([data-place])")];
  return buttons.filter((button) => button !== usual(button.form) || !button.form.querySelector(".field, .choices")).slice(0, MOST);
}

export class Decision {
  constructor(bar, panel, changed) {
    Object.assign(this, { bar, panel, changed, form: null, button: null, busy: false });
    this.send = this.part("send");
    this.send.addEventListener("click", () => this.form?.requestSubmit(this.button ?? usual(this.form)));
    this.part("undo").addEventListener("click", () => this.undo());
    panel.addEventListener("change", ({ target }) => target.form?.matches("[data-way]") && this.take(target.form, this.button));
    panel.addEventListener("input", ({ target }) => target.form === this.form && this.form && this.typed());
  }

  // A new question, or none. What can be answered in one way alone needs nothing picked first.
  fresh() {
    const forms = this.panel.querySelectorAll("[data-way]");
    this.bar.hidden = !forms.length && !this.panel.querySelector(".live");
    this.part("question").textContent = (this.panel.querySelector("[role=alert]") ?? this.panel.querySelector(".question"))?.textContent.trim() ?? "";
    this.part("others").replaceChildren(...others(this.panel).map((button) => this.other(button)));
    this.take(forms.length === 1 ? forms[0] : null, null, false);
  }

  part(name) {
    return this.bar.querySelector(`[data-${name}]`);
  }

  other(button) {
    const made = document.createElement("button");
    Object.assign(made, { type: "button", className: "quiet", textContent: worded(button) });
    made.addEventListener("click", () => {
      this.take(button.form, button);
      this.lead();
    });
    return made;
  }

  // What was picked in `form`, and its button if that was chosen.
  take(form, button = null, touched = true) {
    Object.assign(this, { form, touched });
    if (form) fit(form);
    this.button = button?.form === form ? button : null;
    this.changed();
    this.mirror();
    this.say();
  }

  // A number of the form was changed, so its usual button is meant.
  typed() {
    this.touched = true;
    this.say();
  }

  undo() {
    for (const form of this.panel.querySelectorAll("[data-way]")) {
      form.reset();
      fit(form);
    }
    for (const input of this.panel.querySelectorAll("input[type=number]")) input.dispatchEvent(new Event("input"));
    this.fresh();
    this.panel.querySelector("#ask-title")?.focus({ preventScroll: true });
  }

  // The numbers of the form, beside Send, so that one need not look for them.
  mirror() {
    const inputs = this.form && !this.says() ? [...this.form.querySelectorAll(":scope > .field input[type=number]")] : [];
    const wide = inputs.filter((input) => Number(input.max) > Number(input.min));
    this.part("amounts").replaceChildren(...wide.map((input) => amount(input, called(input))));
  }

  say() {
    const button = this.form && (this.button ?? usual(this.form));
    this.send.disabled = !button || this.busy; // while an answer is on its way, the question on the page is the last one
    this.part("undo").disabled = !this.touched;
    this.part("would").textContent = this.form ? this.sentence(button) : this.idle();
  }

  idle() {
    if (!this.panel.querySelector("[data-way]")) return this.panel.querySelector("#ask-title")?.textContent ?? "";
    return sentence("Pick a marked place on the board, or a line of the list.");
  }

  // Whether the button chosen says the number itself.
  says() {
    return this.button?.name.endsWith(":number");
  }

  sentence(button) {
    const fields = this.says() ? [] : [...this.form.querySelectorAll(FIELDS)];
    const said = [wayOf(this.form), ...fields.filter((field) => !folded(field)).map(told)].filter(Boolean).join("; ");
    const buttons = [...this.form.querySelectorAll(".row button")].map(worded).join(", ");
    if (!button && !said) return sentence("Choose one of: %(buttons)s.", { buttons });
    if (!button) return sentence("%(said)s. Now choose one of: %(buttons)s.", { said, buttons });
    return sentence("To send: %(chosen)s.", { chosen: [worded(button), said].filter(Boolean).join(". ") });
  }

  // Where one goes on after picking: a number, else Send.
  lead() {
    const next = this.part("amounts").querySelector("input") ?? this.send;
    if (!next.disabled) next.focus({ preventScroll: true });
    return !next.disabled;
  }
}
