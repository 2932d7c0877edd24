// A number that one is asked for, as a slider with steps beside its field, and what it leaves of the money there.

import { sentence } from "./words.js";

function button(sign, name, act) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", textContent: sign, className: "quiet", tabIndex: -1 }); // keys step the slider
  made.setAttribute("aria-label", name);
  made.addEventListener("click", act);
  return made;
}

const label = (input) => input.closest(".field").querySelector("label").textContent;
export const words = (input) => label(input).split(/[,:]/)[0];

function leaves(input) {
  const money = label(input).match(/, (\D*)\d/)?.[1] ?? ""; // as it is written there: "Your bid, $3 to $9"
  const left = Number(input.dataset.of) - Number(input.value);
  return input.dataset.of && input.value !== "" ? sentence("leaves %(money)s", { money: `${money}${left}` }) : "";
}

function set(input, value) {
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

function step(input, by) {
  if (by > 0) input.stepUp();
  else input.stepDown();
  set(input, input.value);
}

// A slider that is one with the field `input`, wherever it is put.
export function amount(input, name) {
  const whole = document.createElement("div"), slider = document.createElement("input"), left = document.createElement("output");
  whole.className = "amount";
  slider.type = "range";
  slider.setAttribute("aria-label", name);
  const follow = () => {
    Object.assign(slider, { min: input.min, max: input.max, step: input.step || 1, value: input.value });
    left.textContent = leaves(input);
  };
  slider.addEventListener("input", () => set(input, slider.value));
  input.addEventListener("input", follow);
  follow();
  whole.append(button("−", sentence("Less"), () => step(input, -1)), slider, button("+", sentence("More"), () => step(input, 1)), left);
  return whole;
}

// What is chosen may ask for more than the rest (data-least): the number that goes with it begins there.
export function fit(form) {
  const least = [...form.querySelectorAll("option[data-least]")].find(({ selected }) => selected)?.dataset.least;
  const input = form.querySelector(":scope > .field input[type=number]");
  if (!least || input.min === least) return;
  if (input.value === input.min || Number(input.value) < Number(least)) input.value = least;
  input.min = least;
  input.dispatchEvent(new Event("input"));
}

// All fields of a way that are not folded away. A slider without a name is not sent.
export function slide(panel) {
  for (const input of panel.querySelectorAll(".way > .field input[type=number]")) {
    if (Number(input.max) > Number(input.min)) input.after(amount(input, sentence("%(amount)s, as a slider", { amount: words(input) })));
  }
}
