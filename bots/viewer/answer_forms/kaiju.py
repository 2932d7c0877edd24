"""What Kaiju Incorporated asks, in words and controls."""

from collections.abc import Sequence
from typing import Any, Final

from bots.viewer import places
from bots.viewer.answer_forms.form import ALL, Button, Form, Way
from bots.viewer.commentary.kaiju import SUITS, card
from engine.games.kaiju import (
    BUILDING,
    COST,
    NAMES,
    PRODUCT,
    SUIT,
    TakeOver,
    ToChooseRival,
    ToChooseSuit,
    ToInsure,
    ToPrefab,
    ToSacrifice,
    ToTake,
    ToTakeOver,
    ToTurn,
    View,
)

CITIES: Final = {"TYO": "Tokyo", "MOS": "Moscow", "HKG": "Hong Kong", "SYD": "Sydney", "SFO": "San Francisco"}


def ask(question: Any, view: View, names: Sequence[str]) -> Form:
    tableaus = [player.tableau for player in view.players]
    match question:
        case ToTurn():
            return _turn(question)
        case ToTake(cards, left):
            more = f"; {left} are due" if left > 1 else ""
            return _cards(f"Take a New Product{more}.", "product", cards)
        case ToSacrifice(kaiju, cards):
            return _cards(f"{NAMES[kaiju]} attacks: choose the Building that you lose.", "sacrifice", cards, tableaus)
        case ToPrefab(cards, revealed):
            shown = ", ".join(NAMES[it] for it in revealed) or "nothing"
            return _cards(f"Turned up: {shown}. Build one of them at 3¥ less, or none.", "prefab", cards, none=True)
        case ToInsure(cards):
            return _cards("Discard a Building for its cost and 2¥, or none.", "insure", cards, tableaus, none=True)
        case ToChooseSuit():
            buttons = [Button(name, "suit", suit) for suit, name in SUITS.items()]
            return Form("Take income of which suit?", [Way("", {"t": "suit"}, buttons)])
        case ToChooseRival(special, seats):
            buttons = [Button(names[seat], "seat", seat, place=f"player:{seat}") for seat in seats]
            return Form(f"{NAMES[special]}: on whom?", [Way("", {"t": "rival"}, buttons)])
        case ToTakeOver(targets):
            buttons = [_target(it, tableaus, names) for it in targets]
            return Form("Take over a rival's Building.", [Way("", {"t": "takeover"}, buttons)])
    raise TypeError(f"Kaiju Incorporated asks nothing like {question!r}")


def _target(it: TakeOver, tableaus: Sequence[Sequence[str]], names: Sequence[str]) -> Button:
    label = f"{card(it.card)} of {names[it.seat]}"
    return Button(label, ALL, {"seat": it.seat, "card": it.card}, place=places.card(it.card, tableaus))


def _turn(question: ToTurn) -> Form:
    income = [
        Button(f"{SUITS[SUIT[it]]}, with {NAMES[it]}", "card", it, quiet=True, place=places.card(it))
        for it in question.row
    ]
    ways = [Way("Discard a card for income of its suit", {"t": "income"}, income)]
    if question.build:
        build = [Button(describe(it), "card", it, place=places.card(it)) for it in question.build]
        ways.insert(0, Way("Pay for a card: add the Building, or carry out the action", {"t": "build"}, build))
    if question.rebuild:
        again = [Button(describe(it), "card", it, quiet=True, place=places.card(it)) for it in question.rebuild]
        title = "Discard all your Buildings, have 11¥, and buy at once"
        ways.append(Way(title, {"t": "rebuild"}, again))
    return Form(f"Take a card of the row: build, or take income. Your bank holds {question.bank}¥.", ways)


def _cards(
    words: str, tag: str, cards: Sequence[str], tableaus: Sequence[Sequence[str]] = (), *, none: bool = False
) -> Form:
    """Of `tableaus`, or from what lies in the middle."""
    buttons = [Button(describe(it), "card", it, place=places.card(it, tableaus)) for it in cards]
    away = [Button("None", quiet=True)] if none else []
    return Form(words, [Way("", {"t": tag, **({"card": None} if none else {})}, [*buttons, *away])])


def describe(it: str) -> str:
    if it in PRODUCT:
        return f"{NAMES[it]} (up to {PRODUCT[it].most} VP)"
    if it not in BUILDING:
        return f"{card(it)}, an action for {COST[it]}¥"
    house = BUILDING[it]
    signs = {"¥": house.money, " research": house.research, " kaiju": house.kaiju}
    pays = ", ".join(f"{amount}{sign}" for sign, amount in signs.items() if amount) or "nothing"
    when = "your" if house.timing == "Y" else "a rival's"
    return f"{card(it)}, {CITIES[house.city]}, for {COST[it]}¥: {pays} on {when} turn"
