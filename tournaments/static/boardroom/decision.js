// The decision bar: what would be sent, in words, with Send and Undo. Nothing is sent before Send, and Send waits until
// something was picked: a place, a line of the list, or a button, be it of the bar or of the list.

import { amount, fit, words as called } from "./amounts.js";
import { sentence } from "./words.js";

const MOST = 6; // such buttons in the bar
const FIELDS_TO_FILL = ".field [name], .choices [name]";
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

// Whether a field is in a group whose point was left out, such as the words of a message; nothing of it is sent.
function idle(field) {
  const group = field.closest("details");
  return group && JSON.parse(field.form.elements.needs.value).some((path) => {
    const own = [...group.querySelectorAll(`[name^="${CSS.escape(path)}:"]`)];
    return own.length && !own.some((each) => (each.type === "checkbox" ? each.checked : each.value));
  });
}

// A field of a form in words; nothing for one that is empty, or stands for nothing.
function told(field) {
  if (!field.value || idle(field) || (field.name.endsWith(":some") && field.value === "0")) return "";
  if (field.matches("select")) return field.selectedOptions[0].textContent.trim();
  if (field.matches("[type=radio], [type=checkbox]")) return worded(field);
  return `${called(field)}: ${field.value}`;
}

// What Send stands for when no button was chosen: the first, unless each says something of its own.
export function usual(form) {
  const buttons = [...form.querySelectorAll(".row button")];
  return buttons.length === 1 || !buttons[0]?.name ? buttons[0] : undefined;
}

// What has to be chosen still, or typed otherwise, before the button can send its form.
function lacking(form, button) {
  const field = !button?.formNoValidate && [...form.querySelectorAll(FIELDS_TO_FILL)].find((each) => !each.validity.valid);
  return field && (field.closest("fieldset")?.querySelector("legend") ?? field.closest(".field").querySelector("label")).textContent;
}

// Buttons of no place on the board, which the bar has too: to pass, to stop, the most.
function others(panel) {
  const buttons = [...panel.querySelectorAll(".way .row button:not([data-place])")];
  return buttons.slice(0, MOST);
}

export class Decision {
  constructor(bar, panel, changed) {
    Object.assign(this, { bar, panel, changed, form: null, button: null, busy: false });
    this.send = this.part("send");
    this.send.addEventListener("click", () => this.form?.requestSubmit(this.button ?? usual(this.form)));
    panel.addEventListener("click", (event) => this.pressed(event));
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
    made.addEventListener("click", () => button.click());
    return made;
  }

  // A button of the list, by which the browser would send its form; so does Enter in a field.
  pressed(event) {
    const button = event.target.closest("[data-way] .row button");
    if (!button || button.type !== "submit") return;
    event.preventDefault();
    this.take(button.form, button);
    this.lead();
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
    const picked = this.form && this.touched, button = picked && (this.button ?? usual(this.form));
    const lacks = picked && lacking(this.form, button);
    this.send.disabled = !button || Boolean(lacks) || this.busy; // while an answer is on its way, the question on the page is the last one
    this.part("undo").disabled = !this.touched;
    this.part("would").textContent = picked ? this.sentence(button, lacks) : this.idle();
  }

  idle() {
    const form = this.panel.querySelector("[data-way]"), buttons = form && [...form.querySelectorAll(".row button")].map(worded).join(", ");
    if (form && !this.panel.querySelector("[data-way] [data-place]")) return sentence("Choose one of: %(buttons)s.", { buttons });
    if (!form) return this.panel.querySelector("#ask-title")?.textContent ?? "";
    return sentence("Pick a marked place on the board, or a line of the list.");
  }

  // Whether the button chosen says the number itself.
  says() {
    return this.button?.name.endsWith(":number");
  }

  sentence(button, lacks) {
    const fields = this.says() ? [] : [...this.form.querySelectorAll(FIELDS)];
    const said = [wayOf(this.form), ...fields.filter((field) => !folded(field)).map(told)].filter(Boolean).join("; ");
    const buttons = [...this.form.querySelectorAll(".row button")].map(worded).join(", ");
    if (button && lacks) return sentence("%(said)s. Now choose: %(lacks)s.", { said: [worded(button), said].filter(Boolean).join(". "), lacks });
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
