"""Zaibatsu: every answer can be listed; bids are exact while a purse has up to 64."""

from collections.abc import Sequence
from typing import Any, Final

from bots.environments.actions import Actions, Bids, Block, Single, Way
from bots.environments.codecs import Codec, counts, each, flag, itself, number, numbers, one_of, places
from bots.environments.encoding import Parts
from bots.environments.layout import layout, my_seat
from engine.auctions import Bid, ToBid
from engine.games.zaibatsu import CARDS, Call, Options, Place, Position, ToCall, ToPlace, View
from engine.games.zaibatsu.pieces import ROUNDS

LEVELS: Final = 64  # of a bid


def parts(options: Options) -> Parts:
    piles = range(1, options.players + 2)
    actions = Actions.of(
        Block.of(Place, card=tuple(CARDS), pile=piles), Block.of(Call, pile=piles), Bids.levels(Bid, LEVELS)
    )
    place, call = actions["place"].index, actions["call"].index
    by_question: dict[Any, Way] = {
        ToPlace: Single(actions, lambda asked: [place[card, pile] for card in asked.cards for pile in asked.piles]),
        ToCall: Single(actions, lambda asked: [call[pile] for pile in asked.piles]),
        ToBid: Bids(actions["bid"]),
    }
    return Parts(layout(View, Position, placed(options.players), LEFT_OUT), actions, by_question, longest=2_000)


LEFT_OUT: Final = {"phase": "what is asked says it"}


def placed(seats: int) -> dict[str, Any]:
    cards, seat, piles = counts(CARDS), one_of(range(seats)), seats + 1
    return {
        "seat": (seat, my_seat),
        "round": (number(), lambda position, _seat: min(position.round, ROUNDS)),
        "commissioner": seat,
        "first": seat,
        "cash": numbers(seats),
        "owned": each(seats, cards),
        "piles.cards": (each(piles, cards), lambda position, _seat: [pile.cards for pile in position.piles]),
        "piles.count": (
            numbers(piles),
            lambda position, _seat: [len(pile.cards) + len(pile.hidden) for pile in position.piles],
        ),
        "piles.called": (each(piles, flag()), lambda position, _seat: [pile.called for pile in position.piles]),
        "discarded": cards,
        "hand_sizes": (numbers(seats), lambda position, _seat: [len(hand) for hand in position.hands]),
        "deck_left": (number(), lambda position, _seat: len(position.deck)),
        "auction.pile": (number(), "auction.lot"),
        "auction.caller": (seat, "auction.caller"),
        "auction.high": (number(), "auction.high"),
        "auction.leader": (seat, "auction.leader"),
        "auction.left_to_act": (places(seats), "auction.to_bid"),
        "hand": (cards, lambda position, seat: position.hands[seat]),
        "my_placed": (own_cards(piles, cards), own_face_down),
    }


def own_cards(piles: int, cards: Codec) -> Codec:
    """Return the codec of cards by the pile's number, where the View has a dictionary."""
    rows, numbered = each(piles, cards), [str(number + 1) for number in range(piles)]

    def write(mine: Any) -> Sequence[int]:
        return rows.write([mine.get(number) for number in numbered] if isinstance(mine, dict) else mine)

    return Codec(rows.shape, write, about=rows.about, high=1, key=itself)


def own_face_down(position: Position, seat: int) -> tuple[tuple[str, ...], ...]:
    """Return the seat's cards face down by pile."""
    if position.options.piles == "open":
        return ()
    return tuple([tuple([down.card for down in pile.hidden if down.seat == seat]) for pile in position.piles])
