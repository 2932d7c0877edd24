"""Zaibatsu as it lies on the table: the piles, the auction, and before each player purse, hand and conglomerate."""

from collections.abc import Sequence
from typing import Final

from bots.games.zaibatsu.board import piles, reckoning, seats
from bots.games.zaibatsu.board.in_words import in_words
from bots.games.zaibatsu.board.seats import Room
from bots.viewer.language import say
from bots.viewer.screens import WIDE
from bots.viewer.svg import Layout, Markup, Picture, clip, text
from engine.core import Seat
from engine.games.zaibatsu import CARDS, Position
from engine.games.zaibatsu.pieces import ROUNDS
from engine.games.zaibatsu.rules import scores

UNIT: Final = "points"
PUSHED: Final = ("chain-", "pile-", "slim-chain-", "slim-pile-")  # by panels that grow
QUIET: Final = ("table", "seat-", "hand-")
SLIM: Final = (420, 660)
LEFT: Final = 326  # of a wide screen, for the piles


def draw(position: Position, names: Sequence[str], shown: frozenset[Seat]) -> Picture:
    over = position.round > ROUNDS
    below = reckoning.bottom(position) if over else piles.slim_bottom(position)
    wide = Room(LEFT + 14, 0, WIDE[0] - LEFT - 14, WIDE[1] - 2)
    slim = Room(0, below, SLIM[0], SLIM[1] - below - 2)
    parts = {
        "table": _table(position, LEFT),
        "slim-table": _table(position, SLIM[0]),
        **(reckoning.parts(position, names, LEFT, SLIM[0]) if over else _lots(position, names, shown)),
        **seats.draw_panels(position, names, shown, wide, ""),
        **seats.draw_panels(position, names, shown, slim, "slim-"),
    }
    words = in_words(position, names, shown)
    return Picture(*WIDE, parts, _says(position, names), {}, Layout(*SLIM), QUIET, words, PUSHED)


def _lots(position: Position, names: Sequence[str], shown: frozenset[Seat]) -> dict[str, Markup]:
    return {
        "auction": piles.auction(position, names, LEFT),
        "slim-auction": piles.auction(position, names, SLIM[0]),
        **piles.pile_column(position, shown, LEFT, WIDE[1]),
        **piles.pile_row(position, shown, SLIM[0]),
    }


def worth(position: Position) -> list[float]:
    return [float(score) for score in scores(position)]


def _says(position: Position, names: Sequence[str]) -> str:
    stands = ", ".join(f"{name} {score}" for name, score in zip(names, scores(position), strict=True))
    counts = ", ".join(f"{len(pile.cards) + len(pile.hidden)}" for pile in position.piles)
    out = (
        say(" Out of the game: %(cards)s.", cards=", ".join(CARDS[card].name for card in position.discarded))
        if position.discarded
        else ""
    )
    return clip(
        say(
            "Zaibatsu, %(when)s. Cards on the piles: %(counts)s. Points so far: %(stands)s.%(out)s",
            when=_when(position),
            counts=counts,
            stands=stands,
            out=out,
        ),
        399,
    )


def _when(position: Position) -> str:
    return (
        say("round %(round)s of %(rounds)s", round=position.round, rounds=ROUNDS)
        if position.round <= ROUNDS
        else say("after the last round")
    )


def _table(position: Position, width: float) -> Markup:
    """The round, and what is left of the deck and out of the game."""
    when = _when(position)
    head = text(when[:1].upper() + when[1:], 2, 18, "title")
    out = say(", %(number)s out", number=len(position.discarded)) if position.discarded else ""
    deck = say("%(deck)s in the deck%(out)s", deck=len(position.deck), out=out)
    return head + text(deck, width - 2, 18, "faint end")
