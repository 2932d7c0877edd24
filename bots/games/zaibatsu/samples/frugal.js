// Zaibatsu in JavaScript: a frugal bidder, straight on the protocol. It pays T¥ 2 for each card of a pile, and T¥ 1 more
// for each it could run with: the company wants what one of ours makes, or makes what one of ours wants.

const MADE = { M: "RYG", P: "OK", A: "WB", F: "" };
const WANTED = { M: "", P: "RYG", A: "RYGOK", F: "WBOKRYG" };

const fits = (one, other) => [...MADE[one[0]]].some((made) => WANTED[other[0]].includes(made));

function worth(view, cards) {
  const owned = view.owned[view.seat];
  return cards.reduce((sum, card) => sum + 2 + owned.some((own) => fits(own, card) || fits(card, own)), 0);
}

const worthOf = (view, number) => worth(view, view.piles.find((pile) => pile.n === number).cards);

function choose(ask, view) {
  if (ask.t === "place") return { t: "place", card: ask.cards[0], pile: ask.piles[0] };
  if (ask.t === "call") {
    return { t: "call", pile: ask.piles.reduce((a, b) => (worthOf(view, b) > worthOf(view, a) ? b : a)) };
  }
  const most = worthOf(view, view.auction.pile);
  return { t: "bid", amount: ask.low <= Math.min(most, ask.high) ? ask.low : 0 };
}

function answer(message) {
  if (message.t === "hello") return { t: "ready" };
  if (message.t === "question") return { action: choose(message.ask, message.view) };
  return null; // the end
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const reply = answer(JSON.parse(line));
    if (reply) process.stdout.write(JSON.stringify(reply) + "\n");
  });
