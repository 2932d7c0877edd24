"""Kaiju Incorporated: every answer can be listed."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bots.environments.actions import Actions, Block, Single
from bots.environments.codecs import Codec, counts, each, flag, number, numbers, one_of
from bots.environments.encoding import Parts
from bots.environments.layout import layout, my_seat
from engine.games.kaiju import (
    BUILDING,
    COMPANY,
    PRODUCT,
    SPECIAL,
    SUITS,
    THREAT,
    Build,
    ChooseRival,
    ChooseSuit,
    Income,
    Insure,
    Options,
    Position,
    Prefab,
    Rebuild,
    Sacrifice,
    Take,
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
from engine.games.kaiju.pieces import DECK
from engine.games.kaiju.position import Gain

LEFT_OUT: Final = {
    "doing": "what is asked says it",
    "vp": "it follows from the players' cards",
    "ended": "nobody is asked after it",
}


def parts(options: Options) -> Parts:
    seats, buildings = range(options.players), tuple(BUILDING)
    actions = Actions.of(
        *(Block.of(kind, card=DECK) for kind in (Build, Income, Rebuild)),
        Block.of(Take, card=tuple(PRODUCT)),
        Block.of(Sacrifice, card=buildings),
        Block.of(Prefab, card=(*DECK, None)),
        Block.of(Insure, card=(*buildings, None)),
        Block.of(ChooseSuit, suit=SUITS),
        Block.of(ChooseRival, seat=seats),
        Block.of(TakeOver, seat=seats, card=buildings),
    )
    return Parts(
        layout(View, Position, placed(options.players), LEFT_OUT), actions, singles_by_question(actions), longest=20_000
    )


def singles_by_question(actions: Actions) -> Mapping[Any, Single]:
    block = {name: block.index for name, block in actions.blocks.items()}
    build, income, rebuild = block["build"], block["income"], block["rebuild"]
    finds = {
        ToTurn: lambda asked: [
            *[build[card] for card in asked.build],
            *[income[card] for card in asked.row],
            *[rebuild[card] for card in asked.rebuild],
        ],
        ToTake: lambda asked: [block["product"][card] for card in asked.cards],
        ToSacrifice: lambda asked: [block["sacrifice"][card] for card in asked.cards],
        ToPrefab: lambda asked: [block["prefab"][card] for card in (*asked.cards, None)],
        ToInsure: lambda asked: [block["insure"][card] for card in (*asked.cards, None)],
        ToChooseSuit: lambda _asked: [block["suit"][suit] for suit in SUITS],
        ToChooseRival: lambda asked: [block["rival"][seat] for seat in asked.seats],
        ToTakeOver: lambda asked: [block["takeover"][target.seat, target.card] for target in asked.targets],
    }
    return {kind: Single(actions, find) for kind, find in finds.items()}


def placed(seats: int) -> dict[str, Any]:
    seat, deck, products = one_of(range(seats)), counts(DECK), counts(PRODUCT)
    return {
        "seat": (seat, my_seat),
        "turn": number(),
        "start_player": seat,
        "first_start": seat,
        "goes": each(max(4, seats), seat, "seat"),
        "row": deck,
        "sixth": one_of(DECK),
        "display": products,
        "kaiju": (one_of(THREAT), "threat"),
        "struck": flag(),
        "decks.building": (number(), lambda position, _seat: len(position.deck)),
        "decks.product": (number(), lambda position, _seat: len(position.product_deck)),
        "decks.kaiju": (number(), lambda position, _seat: len(position.kaiju_deck)),
        "building_discard": (deck, "discard"),
        "kaiju_discard": counts(THREAT),
        "players.company": each(seats, one_of(COMPANY)),
        "players.bank": numbers(seats),
        "players.research": numbers(seats),
        "players.kaiju": numbers(seats),
        "players.tableau": each(seats, counts(BUILDING)),
        "players.products": each(seats, products),
        "special": one_of(SPECIAL),
        "revealed": deck,
        "gains": gains(seats),
        "owed.seat": seat,
        "owed.products": number(),
        "owed.attacks": number(),
        "triggered": flag(),
    }


def gains(seats: int) -> Codec:
    """Return the codec of what each seat is to get, all sources together."""

    def write(due: Sequence[Gain]) -> Sequence[int]:
        out = [0] * (3 * seats)
        for gain in due:
            for offset, more in enumerate((gain.money, gain.research, gain.kaiju)):
                out[3 * gain.seat + offset] += more
        return out

    about = "money, research, kaiju"
    return Codec((seats, 3), write, low=-1000, high=1000, about=about)
