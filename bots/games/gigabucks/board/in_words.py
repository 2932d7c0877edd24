"""The ring in words, a line for each thing on it: what the picture shows, for those who hear it."""

from collections.abc import Sequence
from typing import Final

from bots.games.gigabucks.board.centre import doing
from bots.games.gigabucks.commentary import LOTS, bundle, product_lines
from bots.viewer.commentary.story import join_with_and
from bots.viewer.language import say
from engine.core import Seat
from engine.games.gigabucks import Auction, Position, appraisal, corporations

LEFT: Final = {
    "bankrupt": "%(name)s: bankrupt in turn %(turn)s.",
    "resigned": "%(name)s: resigned in turn %(turn)s.",
}


def in_words(position: Position, names: Sequence[str], shown: frozenset[Seat]) -> dict[str, str]:
    return {
        say("Turn"): f"{position.turn}. {doing(position, names)}.",
        say("Auction"): _auction(position.auction, names)
        if position.auction and position.to_do
        else say("None under way."),
        say("To be shared"): f"${position.escrow}.",
        say("Inactive"): f"{_owned(position, None)}.",
        **{say("Seat %(seat)s", seat=seat): _seat(position, name, seat, shown) for seat, name in enumerate(names)},
    }


def _auction(auction: Auction, names: Sequence[str]) -> str:
    by = "" if auction.by is None else names[auction.by]
    lot = say(LOTS[auction.kind], space=auction.space, by=by)
    menu = f": {say(' or ').join(map(bundle, auction.menu))}" if auction.menu else ""
    still = join_with_and([names[seat] for seat in auction.bidding]) or say("nobody")
    return f"{lot}{menu}; {_price(auction, names)}. {say('Still in: %(names)s.', names=still)}"


def _price(auction: Auction, names: Sequence[str]) -> str:
    if auction.leader is None:
        return say("no bid, $%(least)s or more", least=auction.least)
    return say("$%(money)s bid by %(name)s", money=auction.high, name=names[auction.leader])


def _seat(position: Position, name: str, seat: Seat, shown: frozenset[Seat]) -> str:
    if how := next((left for left in position.exits if left.seat == seat), None):
        return say(LEFT[how.how], name=name, turn=how.turn)
    token = position.tokens[seat]
    return say(
        "%(name)s: $%(cash)s, worth $%(worth)s in all; token %(token)s. Owns %(corporations)s.%(leaves)s",
        name=name,
        cash=position.cash[seat],
        worth=appraisal(position, seat),
        token=say("not placed") if token is None else say("on space %(here)s", here=token),
        corporations=_owned(position, seat),
        leaves=say(" Resigns when this turn ends.") if seat in shown and position.leaving[seat] else "",
    )


def _owned(position: Position, owner: Seat | None) -> str:
    """List the owner's corporations by number, with their product lines; without an owner, those that had one."""
    held = corporations(position, owner) if owner is not None else _inactive(position)
    return join_with_and([f"{space} ({product_lines(position.lines[space])})" for space in held]) or say(
        "no corporation"
    )


def _inactive(position: Position) -> list[int]:
    return [space for space, owner in enumerate(position.owner) if owner is None and position.chartered[space]]
