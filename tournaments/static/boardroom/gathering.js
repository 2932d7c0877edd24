// A table that waits for people: shown anew when somebody comes or goes, or the game begins.

const PAUSE = 3000; // ms between two looks

const table = document.getElementById("gathering");

async function look() {
  const answer = document.hidden ? null : await fetch(table.dataset.state, { cache: "no-store" }).catch(() => null); // heals by itself
  const news = answer?.ok ? await answer.json() : null;
  if (news && news.roster !== table.dataset.roster) return location.replace(table.dataset.page);
  setTimeout(look, PAUSE);
}

setTimeout(look, PAUSE);
