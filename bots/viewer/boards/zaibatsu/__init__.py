"""Zaibatsu as it lies on the table: the piles, the auction, and before each player purse, hand and conglomerate."""

from collections.abc import Sequence
from typing import Final

from bots.viewer.boards.screens import WIDE
from bots.viewer.boards.zaibatsu import piles, reckoning, seats
from bots.viewer.boards.zaibatsu.in_words import in_words
from bots.viewer.boards.zaibatsu.seats import Room
from bots.viewer.language import say
from bots.viewer.svg import Layout, Markup, Picture, clip, text
from engine.core import Seat
from engine.games.zaibatsu import CARDS, Position
from engine.games.zaibatsu.pieces import ROUNDS
from engine.games.zaibatsu.rules import scores

UNIT: Final = "points"
QUIET: Final = ("table", "seat-", "hand-")
SLIM: Final = (420, 660)
LEFT: Final = 326  # of a wide screen, for the piles


def draw(at: Position, names: Sequence[str], shown: frozenset[Seat]) -> Picture:
    over = at.round > ROUNDS
    below = reckoning.bottom(at) if over else piles.slim_bottom(at)
    wide = Room(LEFT + 14, 0, WIDE[0] - LEFT - 14, WIDE[1] - 2)
    slim = Room(0, below, SLIM[0], SLIM[1] - below - 2)
    parts = {
        "table": _table(at, LEFT),
        "slim-table": _table(at, SLIM[0]),
        **(reckoning.parts(at, names, LEFT, SLIM[0]) if over else _lots(at, names, shown)),
        **seats.drawn(at, names, shown, wide, ""),
        **seats.drawn(at, names, shown, slim, "slim-"),
    }
    return Picture(*WIDE, parts, _says(at, names), {}, Layout(*SLIM), QUIET, in_words(at, names, shown))


def _lots(at: Position, names: Sequence[str], shown: frozenset[Seat]) -> dict[str, Markup]:
    return {
        "auction": piles.auction(at, names, LEFT),
        "slim-auction": piles.auction(at, names, SLIM[0]),
        **piles.wide(at, shown, LEFT, WIDE[1]),
        **piles.slim(at, shown, SLIM[0]),
    }


def worth(at: Position) -> list[float]:
    return [float(score) for score in scores(at)]


def _says(at: Position, names: Sequence[str]) -> str:
    stands = ", ".join(f"{name} {score}" for name, score in zip(names, scores(at), strict=True))
    counts = ", ".join(f"{len(pile.cards) + len(pile.hidden)}" for pile in at.piles)
    out = (
        say(" Out of the game: %(cards)s.", cards=", ".join(CARDS[card].name for card in at.discarded))
        if at.discarded
        else ""
    )
    return clip(
        say(
            "Zaibatsu, %(when)s. Cards on the piles: %(counts)s. Points so far: %(stands)s.%(out)s",
            when=_when(at),
            counts=counts,
            stands=stands,
            out=out,
        ),
        399,
    )


def _when(at: Position) -> str:
    return (
        say("round %(round)s of %(rounds)s", round=at.round, rounds=ROUNDS)
        if at.round <= ROUNDS
        else say("after the last round")
    )


def _table(at: Position, width: float) -> Markup:
    """The round, and what is left of the deck and out of the game."""
    when = _when(at)
    head = text(when[:1].upper() + when[1:], 2, 18, "title")
    out = say(", %(number)s out", number=len(at.discarded)) if at.discarded else ""
    deck = say("%(deck)s in the deck%(out)s", deck=len(at.deck), out=out)
    return head + text(deck, width - 2, 18, "faint end")
