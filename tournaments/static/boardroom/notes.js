// Notes of one's bots go along with the film: those of the moment that is shown are brought into their list's view.

const list = document.querySelector("#notes .notes");

function follow() {
  const here = list.querySelector(":scope > .here");
  if (here) list.scrollTop += here.getBoundingClientRect().top - list.getBoundingClientRect().top;
}

if (list) {
  new MutationObserver(follow).observe(list, { subtree: true, attributes: true, attributeFilter: ["class"] });
  follow();
}
