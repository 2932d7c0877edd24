// Space and arrows follow the links that show one place more or one less.

const KEYS = { " ": "next", ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back" };
const TAKEN = "input, textarea, select, button, summary"; // these have a use of their own for such keys

document.addEventListener("keydown", (event) => {
  const link = document.querySelector(`[data-key="${KEYS[event.key]}"]`);
  if (!link || event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.target.closest(TAKEN)) return;
  event.preventDefault();
  link.click();
});
