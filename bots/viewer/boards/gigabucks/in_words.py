"""The ring in words, a line for each thing on it: what the picture shows, for those who hear it."""

from collections.abc import Sequence

from bots.viewer.boards.gigabucks.centre import doing
from bots.viewer.commentary.gigabucks import LOTS, bundle
from bots.viewer.commentary.story import listed
from bots.viewer.language import say
from engine.core import Seat
from engine.games.gigabucks import Auction, Position, appraisal, corporations


def in_words(at: Position, names: Sequence[str], shown: frozenset[Seat]) -> dict[str, str]:
    return {
        "Turn": f"{at.turn}. {doing(at, names)}.",
        "Auction": _auction(at.auction, names) if at.auction and at.to_do else "None under way.",
        "To be shared": f"${at.escrow}.",
        "Inactive": f"{listed(_spaces(at, None)) or 'no corporation'}.",
        **{f"Seat {seat}": _seat(at, name, seat, shown) for seat, name in enumerate(names)},
    }


def _auction(it: Auction, names: Sequence[str]) -> str:
    by = "" if it.by is None else names[it.by]
    lot = say(LOTS[it.kind], space=it.space, by=by)
    menu = f": {' or '.join(map(bundle, it.menu))}" if it.menu else ""
    price = f"no bid, ${it.least} or more" if it.leader is None else f"${it.high} bid by {names[it.leader]}"
    still = listed([names[seat] for seat in it.bidding])
    return f"{lot}{menu}; {price}. Still in: {still or 'nobody'}."


def _seat(at: Position, name: str, seat: Seat, shown: frozenset[Seat]) -> str:
    if how := next((left for left in at.exits if left.seat == seat), None):
        return f"{name}: {how.how} in turn {how.turn}."
    leaves = " Resigns when this turn ends." if seat in shown and at.leaving[seat] else ""
    token = "not placed" if at.tokens[seat] is None else f"on space {at.tokens[seat]}"
    return (
        f"{name}: ${at.cash[seat]}, worth ${appraisal(at, seat)} in all; token {token}."
        f" Owns {listed(_spaces(at, seat)) or 'no corporation'}.{leaves}"
    )


def _spaces(at: Position, owner: Seat | None) -> list[str]:
    """By number, with the product lines. Without an owner: those that had one."""
    held = corporations(at, owner) if owner is not None else _inactive(at)
    return [f"{space} ({at.lines[space]} line{'s' * (at.lines[space] != 1)})" for space in held]


def _inactive(at: Position) -> list[int]:
    return [space for space, owner in enumerate(at.owner) if owner is None and at.chartered[space]]
