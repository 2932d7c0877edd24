// A match in one file: with whose eyes it is seen, and at which moment, is in the address, and the frames are in the page.

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

const asked = new URL(location.href).searchParams;
const every = [...document.querySelectorAll("template[data-eyes]")];
const chosen = every.find(({ dataset }) => dataset.eyes === asked.get("as")) ?? every.find(({ dataset }) => dataset.first === "");
const film = chosen.content.firstElementChild.cloneNode(true);
const packed = [...document.querySelectorAll("script[data-pieces]")].find(({ dataset }) => dataset.pieces === chosen.dataset.eyes);
const pieces = unpacked(packed.textContent);
film.kept = async (number) => (await pieces)[number] ?? [];
if (/^\d+$/.test(asked.get("at") ?? "")) film.dataset.at = asked.get("at");
document.querySelector("[data-place]").replaceChildren(film);
