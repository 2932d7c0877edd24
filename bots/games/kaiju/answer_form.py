"""What Kaiju Incorporated asks, in words and controls."""

from collections.abc import Sequence
from typing import Any, Final

from bots.games.kaiju.board.cards import card_place
from bots.games.kaiju.board.words import CITIES
from bots.games.kaiju.commentary import SUITS, card_name
from bots.viewer.answer_forms.form import ALL, Button, Form, Way
from bots.viewer.language import decimal, say
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

RIVALS: Final = "%(card)s, %(city)s, for %(cost)s¥: %(pays)s on a rival's turn"


def ask(question: Any, view: View, names: Sequence[str]) -> Form:
    tableaus = [player.tableau for player in view.players]
    match question:
        case ToTurn():
            return _turn(question)
        case ToTake(cards, left):
            more = say("; %(left)s are due", left=left) if left > 1 else ""
            return _cards(say("Take a New Product%(more)s.", more=more), "product", cards)
        case ToSacrifice(kaiju, cards):
            return _cards(
                say("%(kaiju)s attacks: choose the Building that you lose.", kaiju=NAMES[kaiju]),
                "sacrifice",
                cards,
                tableaus,
            )
        case ToPrefab(cards, revealed):
            shown = ", ".join(NAMES[shown_card] for shown_card in revealed) or say("nothing")
            return _cards(
                say("Turned up: %(shown)s. Build one of them at 3¥ less, or none.", shown=shown),
                "prefab",
                cards,
                optional=True,
            )
        case ToInsure(cards):
            return _cards(
                say("Discard a Building for its cost and 2¥, or none."), "insure", cards, tableaus, optional=True
            )
        case ToChooseSuit():
            buttons = [Button(name, "suit", suit) for suit, name in SUITS.items()]
            return Form(say("Take income of which suit?"), [Way("", {"t": "suit"}, buttons)])
        case ToChooseRival(special, seats):
            buttons = [Button(names[seat], "seat", seat, place=f"player:{seat}") for seat in seats]
            return Form(say("%(card)s: on whom?", card=NAMES[special]), [Way("", {"t": "rival"}, buttons)])
        case ToTakeOver(targets):
            buttons = [_target(shown_card, tableaus, names) for shown_card in targets]
            return Form(say("Take over a rival's Building."), [Way("", {"t": "takeover"}, buttons)])
    raise TypeError(f"Kaiju Incorporated asks nothing like {question!r}")


def _target(target: TakeOver, tableaus: Sequence[Sequence[str]], names: Sequence[str]) -> Button:
    label = say("%(card)s of %(name)s", card=card_name(target.card), name=names[target.seat])
    return Button(label, ALL, {"seat": target.seat, "card": target.card}, place=card_place(target.card, tableaus))


def _turn(question: ToTurn) -> Form:
    income = [
        Button(
            say("%(suit)s, with %(card)s", suit=SUITS[SUIT[offered]], card=NAMES[offered]),
            "card",
            offered,
            quiet=True,
            place=card_place(offered),
        )
        for offered in question.row
    ]
    alternatives = [Way(say("Discard a card for income of its suit"), {"t": "income"}, income)]
    if question.build:
        build = [
            Button(describe_card(offered), "card", offered, place=card_place(offered)) for offered in question.build
        ]
        alternatives.insert(
            0, Way(say("Pay for a card: add the Building, or carry out the action"), {"t": "build"}, build)
        )
    if question.rebuild:
        again = [
            Button(describe_card(offered), "card", offered, quiet=True, place=card_place(offered))
            for offered in question.rebuild
        ]
        title = say("Discard all your Buildings, have 11¥, and buy at once")
        alternatives.append(Way(title, {"t": "rebuild"}, again))
    return Form(
        say("Take a card of the row: build, or take income. Your bank holds %(bank)s¥.", bank=question.bank),
        alternatives,
    )


def _cards(
    words: str, tag: str, cards: Sequence[str], tableaus: Sequence[Sequence[str]] = (), *, optional: bool = False
) -> Form:
    """Return a form with a button for each card, of `tableaus` or from the middle of the table."""
    buttons = [
        Button(describe_card(offered), "card", offered, place=card_place(offered, tableaus)) for offered in cards
    ]
    away = [Button(say("None"), quiet=True)] if optional else []
    return Form(words, [Way("", {"t": tag, **({"card": None} if optional else {})}, [*buttons, *away])])


def describe_card(id_: str) -> str:
    if id_ in PRODUCT:
        return say("%(card)s (up to %(most)s VP)", card=NAMES[id_], most=PRODUCT[id_].most)
    if id_ not in BUILDING:
        return say("%(card)s, an action for %(cost)s¥", card=card_name(id_), cost=COST[id_])
    house = BUILDING[id_]
    brings = [f"{house.money}¥"] * bool(house.money)
    brings += [say("%(number)s research", number=house.research)] * bool(house.research)
    brings += [say("%(number)s kaiju", number=decimal(house.kaiju))] * bool(house.kaiju)
    pays = ", ".join(brings) or say("nothing")
    yours, rivals = "%(card)s, %(city)s, for %(cost)s¥: %(pays)s on your turn", RIVALS
    when = yours if house.timing == "Y" else rivals
    return say(when, card=card_name(id_), city=CITIES[house.city], cost=COST[id_], pays=pays)
