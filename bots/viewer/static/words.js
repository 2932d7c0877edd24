// What scripts say, in the language of the page: `sentence("Match %(number)s", { number: 7 })`. A file for each language
// but English (`words.de.js`), which the page has before all other scripts, gives its sentences by those in English.

const learnt = new Map();

export function learn(sentences) {
  for (const [english, other] of Object.entries(sentences)) learnt.set(english, other);
}

export function sentence(english, filled = {}) {
  return (learnt.get(english) ?? english).replace(/%\((\w+)\)s/g, (_, name) => filled[name]);
}

// A number with a minus sign, and one digit after the decimal sign of the page's language, or none.
export function decimal(value) {
  const written = (Math.round(value * 10) / 10 + 0).toLocaleString(document.documentElement.lang || "en", { useGrouping: false });
  return written.replace("-", "−");
}
