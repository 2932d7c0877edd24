// Parts that have a page of their own (data-fetched="ADDRESS", with an id) come when somebody scrolls near them. Until
// then, without JavaScript, and where they do not come, they are a link to it.

const AHEAD = "600px"; // before they can be seen

async function fill(part) {
  const answer = await fetch(part.dataset.fetched, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById(part.id);
  if (!answer.ok || !fresh) return;
  const focused = part.contains(document.activeElement);
  part.replaceWith(document.adoptNode(fresh));
  if (focused) fresh.querySelector("[tabindex], a")?.focus({ preventScroll: true });
}

const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    fill(target).catch(() => {}); // the link is still there
  }
}, { rootMargin: AHEAD });

for (const part of document.querySelectorAll("[data-fetched][id]")) near.observe(part);
