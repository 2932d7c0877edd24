"""What Zaibatsu asks, in words and controls."""

from collections.abc import Sequence
from typing import Any, Final

from bots.games.zaibatsu.commentary import trillion_yen
from bots.viewer.answer_forms.bids import bid
from bots.viewer.answer_forms.form import Button, Choice, Control, Form, Way
from bots.viewer.language import say, say_number
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
            buttons = [_pile("Pile %(number)s (%(cards)s)", number, view) for number in piles]
            words = say(
                "Call a pile for auction; you bid last. You have %(mine)s.", mine=trillion_yen(view.cash[view.seat])
            )
            return Form(words, [Way("", {"t": "call"}, buttons)])
    return _bid(question, view, names)


def _place(cards: Sequence[str], piles: Sequence[int], view: View) -> Form:
    hand = [Choice(card, describe_company(card), place=f"card:{card}") for card in sorted(cards)]
    buttons = [_pile("On pile %(number)s (%(cards)s)", number, view) for number in sorted(piles)]
    alternative = Way(
        "", {"t": "place"}, buttons, [Control("card", "one", say("A card from your hand"), hand, radio=True)]
    )
    down = say("face down") if view.opts.piles == "closed" else say("face up")
    return Form(
        say("Place a card %(down)s on a pile. The piles are auctioned when all hands are empty.", down=down),
        [alternative],
    )


def _bid(question: ToBid, view: View, names: Sequence[str]) -> Form:
    auction = view.auction
    assert auction
    pile = view.piles[auction.pile - 1]
    lot = say(
        "pile %(pile)s, %(cards)s",
        pile=auction.pile,
        cards=", ".join(CARDS[card].name for card in pile.cards) or say("which is empty"),
    )
    high = (
        say("%(leader)s leads with %(high)s", leader=names[auction.leader], high=trillion_yen(auction.high))
        if auction.leader is not None
        else say("no bid so far")
    )
    words = say(
        "Bid for %(lot)s, or pass: %(high)s. You bid once, and have %(mine)s.",
        lot=lot,
        high=high,
        mine=trillion_yen(view.cash[view.seat]),
    )
    return Form(words, [bid({"t": "bid"}, question.low, question.high, trillion_yen, of=view.cash[view.seat])])


def _pile(words: str, number: int, view: View) -> Button:
    label = say(words, number=number, cards=_cards(number, view))
    return Button(label, "pile", number, place=f"pile:{number}")


def _cards(number: int, view: View) -> str:
    count = view.piles[number - 1].count
    return say_number("%(number)s card", "%(number)s cards", count)


def describe_company(card: str) -> str:
    company = CARDS[card]
    needs, makes = _resources(company.inputs), _resources(company.outputs)
    does = say("needs %(needs)s; ", needs=needs) if needs else ""
    does += say("makes %(makes)s; ", makes=makes) if makes else ""
    return say("%(name)s: %(does)s%(score)s points", name=company.name, does=does, score=company.score)


def _resources(symbols: str) -> str:
    counts = {symbol: symbols.count(symbol) for symbol in symbols}
    return ", ".join(f"{count} {say(RESOURCES[symbol])}" for symbol, count in counts.items())
