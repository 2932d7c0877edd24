"""What happens in Network, in plain sentences."""

from collections.abc import Sequence
from functools import singledispatch
from typing import Final

from bots.viewer.commentary.story import Chapter, Line, listed
from engine.core import Event
from engine.games.network import (
    BidMade,
    Built,
    Ended,
    Opened,
    PaidOut,
    Setup,
    Sold,
    Triggered,
    TurnTaken,
    Unsold,
    UpkeepPaid,
)

Names = Sequence[str]
CALLED: Final = ("Arc", "Bay", "Cape", "Dale", "Elm", "Fen")  # companies, by number; the rules have no names for them
ENDS = {
    "all_pass": "All have passed in a row.",
    "sold_out": "The last turn is over.",
    "cap": "The match is cut short after its last turn.",
}


def company(number: int, names: Names, word: str = "company") -> str:
    return f"{word} {number} ({CALLED[number]}, of {names[number]})"


def earned(amounts: Sequence[int], names: Names) -> str:
    return listed([f"{name} ${amount}" for name, amount in zip(names, amounts, strict=True) if amount])


@singledispatch
def tell(event: Event, _names: Names) -> Line | Chapter | None:
    """The sentence for one event, a chapter it begins, or None where there is nothing to say."""
    raise TypeError(f"Network has no event {event!r}")


@tell.register
def _(event: Setup, names: Names) -> Line | Chapter:
    hexes = f"{len(event.cities)} cities and {len(event.mountains)} mountains"
    return Line(f"{names[event.first]} begins on a map of radius {event.radius} with {hexes}.")


@tell.register
def _(event: TurnTaken, names: Names) -> Line | Chapter:
    name = names[event.seat]
    does = {"pass": "passes", "auction": "holds an auction", "act": "acts for a company"}[event.kind]
    line = Line(f"{name} {'can only pass' if event.auto else does}.", "minor" if event.kind == "pass" else "")
    return Chapter(f"Turn {event.turn}", [line])


@tell.register
def _(event: Opened, names: Names) -> Line | Chapter:
    where = "the pool" if event.source == "bank" else "the hand"
    opening = f"opens with ${event.bid}" if event.bid else "does not open"
    lot = f"A share of {company(event.company, names)} from {where} is up for ${event.least} or more"
    return Line(f"{lot}; {names[event.seat]} {opening}.")


@tell.register
def _(event: BidMade, names: Names) -> Line | Chapter:
    if event.amount:
        return Line(f"{names[event.seat]} bids ${event.amount}.")
    return Line(f"{names[event.seat]} {'cannot bid' if event.auto else 'passes'}.", "minor")


@tell.register
def _(event: Sold, names: Names) -> Line | Chapter:
    payee = "the bank" if event.to == "bank" else "the treasury"
    share = f"the share of {company(event.company, names)}"
    return Line(f"{names[event.seat]} buys {share} for ${event.price}, paid to {payee}.", "key")


@tell.register
def _(event: Unsold, names: Names) -> Line | Chapter:
    paid = f", and the bank pays its treasury ${event.bank_paid}" if event.bank_paid else ""
    return Line(f"Nobody wants the share of {company(event.company, names)}: it lies in the pool{paid}.")


@tell.register
def _(event: Built, names: Names) -> Line | Chapter:
    q, r = event.hex
    lease = f" and ${event.lease} to lease the way" if event.lease else ""
    built = f"{company(event.company, names, 'Company')} builds {event.value} on ({q}, {r})"
    return Line(f"{built} for ${event.cost}{lease}.", "key")


@tell.register
def _(event: PaidOut, names: Names) -> Line | Chapter:
    what = "The city" if event.reason == "city" else "The lease"
    who = earned(event.amounts, names) or "nobody anything"
    return Line(f"{what} pays ${event.per_share} for each share of {company(event.company, names)}: {who}.")


@tell.register
def _(event: UpkeepPaid, names: Names) -> Line | Chapter | None:
    name, shares = names[event.seat], "share" if event.pooled == 1 else "shares"
    if event.pooled:
        return Line(f"Short of money, {name} gives {event.pooled} {shares} to the pool; upkeep is ${event.paid}.")
    return Line(f"{name} pays ${event.paid} of upkeep.", "minor") if event.paid else None


@tell.register
def _(event: Triggered, names: Names) -> Line | Chapter:
    return Line(f"{company(event.company, names, 'Company')} is sold out: {event.turns_left} turns are left.", "key")


@tell.register
def _(event: Ended, names: Names) -> Line | Chapter:
    worth = listed([f"{name} ${amount}" for name, amount in zip(names, event.worth, strict=True)])
    return Chapter("The reckoning", [Line(f"{ENDS[event.reason]} Net worth: {worth}.")])
