"""The ring in words, a line for each thing on it: what the picture shows, for those who hear it."""

from collections.abc import Sequence
from typing import Final

from bots.viewer.boards.gigabucks.centre import doing
from bots.viewer.commentary.gigabucks import LOTS, bundle, lines
from bots.viewer.commentary.story import listed
from bots.viewer.language import say
from engine.core import Seat
from engine.games.gigabucks import Auction, Position, appraisal, corporations

LEFT: Final = {
    "bankrupt": "%(name)s: bankrupt in turn %(turn)s.",
    "resigned": "%(name)s: resigned in turn %(turn)s.",
}


def in_words(at: Position, names: Sequence[str], shown: frozenset[Seat]) -> dict[str, str]:
    return {
        say("Turn"): f"{at.turn}. {doing(at, names)}.",
        say("Auction"): _auction(at.auction, names) if at.auction and at.to_do else say("None under way."),
        say("To be shared"): f"${at.escrow}.",
        say("Inactive"): f"{_owned(at, None)}.",
        **{say("Seat %(seat)s", seat=seat): _seat(at, name, seat, shown) for seat, name in enumerate(names)},
    }


def _auction(it: Auction, names: Sequence[str]) -> str:
    by = "" if it.by is None else names[it.by]
    lot = say(LOTS[it.kind], space=it.space, by=by)
    menu = f": {say(' or ').join(map(bundle, it.menu))}" if it.menu else ""
    still = listed([names[seat] for seat in it.bidding]) or say("nobody")
    return f"{lot}{menu}; {_price(it, names)}. {say('Still in: %(names)s.', names=still)}"


def _price(it: Auction, names: Sequence[str]) -> str:
    if it.leader is None:
        return say("no bid, $%(least)s or more", least=it.least)
    return say("$%(money)s bid by %(name)s", money=it.high, name=names[it.leader])


def _seat(at: Position, name: str, seat: Seat, shown: frozenset[Seat]) -> str:
    if how := next((left for left in at.exits if left.seat == seat), None):
        return say(LEFT[how.how], name=name, turn=how.turn)
    token = at.tokens[seat]
    return say(
        "%(name)s: $%(cash)s, worth $%(worth)s in all; token %(token)s. Owns %(corporations)s.%(leaves)s",
        name=name,
        cash=at.cash[seat],
        worth=appraisal(at, seat),
        token=say("not placed") if token is None else say("on space %(here)s", here=token),
        corporations=_owned(at, seat),
        leaves=say(" Resigns when this turn ends.") if seat in shown and at.leaving[seat] else "",
    )


def _owned(at: Position, owner: Seat | None) -> str:
    """By number, with the product lines. Without an owner: those that had one."""
    held = corporations(at, owner) if owner is not None else _inactive(at)
    return listed([f"{space} ({lines(at.lines[space])})" for space in held]) or say("no corporation")


def _inactive(at: Position) -> list[int]:
    return [space for space, owner in enumerate(at.owner) if owner is None and at.chartered[space]]
