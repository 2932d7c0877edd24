"""What Zaibatsu asks, in words and controls."""

from collections.abc import Sequence
from typing import Any, Final

from bots.viewer.answer_forms.bids import bid
from bots.viewer.answer_forms.form import Button, Choice, Control, Form, Way
from bots.viewer.commentary.zaibatsu import money
from engine.auctions import ToBid
from engine.games.zaibatsu import CARDS, ToCall, ToPlace, View

RESOURCES: Final = {
    "R": "red",
    "Y": "yellow",
    "G": "green",
    "O": "orange",
    "K": "black",
    "W": "white",
    "B": "blue",
    "a": "red or yellow",
    "b": "yellow or green",
    "c": "red or green",
    "f": "orange or black",
}


def ask(question: Any, view: View, names: Sequence[str]) -> Form:
    match question:
        case ToPlace(cards, piles):
            return _place(cards, piles, view)
        case ToCall(piles):
            buttons = [_pile("Pile", number, view) for number in piles]
            words = f"Call a pile for auction; you bid last. You have {money(view.cash[view.seat])}."
            return Form(words, [Way("", {"t": "call"}, buttons)])
    return _bid(question, view, names)


def _place(cards: Sequence[str], piles: Sequence[int], view: View) -> Form:
    hand = [Choice(card, describe(card), card == min(cards), f"card:{card}") for card in sorted(cards)]
    buttons = [_pile("On pile", number, view) for number in sorted(piles)]
    way = Way("", {"t": "place"}, buttons, [Control("card", "one", "A card from your hand", hand, radio=True)])
    down = "face down" if view.opts.piles == "closed" else "face up"
    return Form(f"Place a card {down} on a pile. The piles are auctioned when all hands are empty.", [way])


def _bid(question: ToBid, view: View, names: Sequence[str]) -> Form:
    auction = view.auction
    assert auction
    pile = view.piles[auction.pile - 1]
    lot = f"pile {auction.pile}, {', '.join(CARDS[card].name for card in pile.cards) or 'which is empty'}"
    high = (
        f"{names[auction.leader]} leads with {money(auction.high)}" if auction.leader is not None else "no bid so far"
    )
    words = f"Bid for {lot}, or pass: {high}. You bid once, and have {money(view.cash[view.seat])}."
    return Form(words, [bid({"t": "bid"}, question.low, question.high, money, of=view.cash[view.seat])])


def _pile(words: str, number: int, view: View) -> Button:
    label = f"{words} {number} ({_cards(number, view)})"
    return Button(label, "pile", number, place=f"pile:{number}")


def _cards(number: int, view: View) -> str:
    count = view.piles[number - 1].count
    return f"{count} card{'s' * (count != 1)}"


def describe(card: str) -> str:
    it = CARDS[card]
    needs, makes = _resources(it.inputs), _resources(it.outputs)
    does = f"{f'needs {needs}; ' if needs else ''}{f'makes {makes}; ' if makes else ''}"
    return f"{it.name}: {does}{it.score} points"


def _resources(symbols: str) -> str:
    counts = {symbol: symbols.count(symbol) for symbol in symbols}
    return ", ".join(f"{count} {RESOURCES[symbol]}" for symbol, count in counts.items())
