// Times as the reader's own clock shows them. The server writes them in UTC and says so; that stays in the title.
// Under a field that takes a time in UTC stands what it means here: what is sent is what is typed.

const PARTS = { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
const HERE = new Intl.DateTimeFormat("en-GB", PARTS);
const SECONDS = new Intl.DateTimeFormat("en-GB", { ...PARTS, second: "2-digit" });
const isElsewhere = (time) => new Date(time).getTimezoneOffset() !== 0; // summer time may part what winter does not
const inUtc = (typed) => Date.parse(`${typed.trim().replace(" ", "T")}Z`);

export function tellHere(page) {
  for (const time of page.querySelectorAll("time[data-zone][datetime]")) {
    const at = Date.parse(time.dateTime);
    if (time.title || Number.isNaN(at) || !isElsewhere(at)) continue;
    time.title = time.textContent;
    time.textContent = (time.dataset.zone ? SECONDS : HERE).format(at);
  }
}

function explain(field) {
  const words = document.createElement("output");
  words.className = "soft";
  words.htmlFor = field.id;
  field.after(words);
  const tell = () => {
    const at = inUtc(field.value);
    words.textContent = Number.isNaN(at) || !isElsewhere(at) ? "" : `Where you are: ${HERE.format(at)}`;
  };
  field.addEventListener("input", tell);
  tell();
}

tellHere(document);
document.querySelectorAll("input[data-utc]").forEach(explain);
