"""What happens in Corporate Gigabucks, in plain sentences."""

from collections.abc import Mapping, Sequence
from functools import singledispatch
from typing import Final

from bots.viewer.commentary.story import Chapter, Line, listed
from engine.core import Event
from engine.games.gigabucks import (
    Bankrupt,
    BidMade,
    Bundle,
    Called,
    Diversified,
    Ended,
    Fact,
    Moved,
    NoBid,
    Owned,
    Paid,
    Placed,
    Resigned,
    Royalty,
    Said,
    Say,
    Seated,
    Setup,
    Shared,
    TurnBegun,
    Untrue,
    Won,
)

Names = Sequence[str]
LOTS: Final[Mapping[str, str]] = {
    "charter": "the charter of corporation {space}",
    "reactivation": "the inactive corporation {space}",
    "diversification": "product lines",
    "voluntary": "what {by} offers",
    "involuntary": "one corporation of {by}",
    "seat": "the next seat",
}
ENDS: Final[Mapping[str, str]] = {
    "last": "One player is left",
    "resigned": "All who were left resign together",
    "rounds": "The rounds agreed on are over",
    "decisions": "The decisions agreed on are used up",
}


def money(amount: int) -> str:
    return f"${amount}"


def corporations(numbers: Sequence[int]) -> str:
    return f"corporation{'s' * (len(numbers) > 1)} {listed([str(number) for number in numbers])}"


def lines(number: int) -> str:
    return f"{number} product line{'s' * (number > 1)}"


@singledispatch
def tell(event: Event, _names: Names) -> Line | Chapter | None:
    """The sentence for one event, a chapter it begins, or None where there is nothing to say."""
    raise TypeError(f"Corporate Gigabucks has no event {event!r}")


@tell.register
def _(event: Setup, names: Names) -> Line | Chapter:
    order = listed([names[seat] for seat in event.order])
    how = "bid for their seats in this order" if event.opts.seating == "auction" else "take their seats clockwise"
    return Line(f"{order} {how}; each has {money(event.opts.currency)}.")


@tell.register
def _(event: Seated, names: Names) -> Line | Chapter:
    return Line(f"{names[event.seat]} plays in place {event.place}.")


@tell.register
def _(event: TurnBegun, names: Names) -> Line | Chapter:
    line = Line(f"It is {names[event.seat]}'s turn.", "minor")
    rounds, turns = divmod(event.turn - 1, len(names))
    return line if turns else Chapter(f"Round {rounds + 1}", [line])


@tell.register
def _(event: Placed, names: Names) -> Line | Chapter:
    return Line(f"{names[event.seat]} goes to space {event.space}.")


@tell.register
def _(event: Moved, names: Names) -> Line | Chapter:
    on = f", {event.bumped} on as others stand there," if event.bumped else ""
    return Line(f"{names[event.seat]} rolls {listed([str(eyes) for eyes in event.dice])} and comes{on} to {event.to}.")


@tell.register
def _(event: Royalty, names: Names) -> Line | Chapter:
    return Line(f"{names[event.seat]} owes {names[event.to]} {money(event.amount)} for space {event.space}.")


@tell.register
def _(event: Called, names: Names) -> Line | Chapter:
    by = "" if event.by is None else names[event.by]
    lot = LOTS[event.kind].format(space=event.space, by=by)
    menu = f": {' or '.join(map(bundle, event.menu))}" if event.menu else ""
    return Line(f"Up for auction: {lot}{menu}.")


def bundle(bundle: Bundle) -> str:
    return f"{corporations(bundle.corps)} for {money(bundle.least)} or more"


@tell.register
def _(event: BidMade, names: Names) -> Line | Chapter:
    if event.amount:
        return Line(f"{names[event.seat]} bids {money(event.amount)}.", "minor")
    return Line(f"{names[event.seat]} {'cannot bid more' if event.auto else 'passes'}.", "minor")


@tell.register
def _(event: Won, names: Names) -> Line | Chapter:
    return Line(f"{names[event.seat]} wins at {money(event.bid)}.", "key")


@tell.register
def _(_event: NoBid, _names: Names) -> Line | Chapter:
    return Line("Nobody bids.")


@tell.register
def _(event: Paid, names: Names) -> Line | Chapter:
    each = " each" if len(event.to) > 1 else ""
    return Line(f"{names[event.seat]} pays {listed([names[seat] for seat in event.to])} {money(event.each)}{each}.")


@tell.register
def _(event: Owned, names: Names) -> Line | Chapter:
    if event.seat is None:
        return Line(f"{corporations(event.corps).capitalize()} fall{'s' * (len(event.corps) == 1)} inactive.")
    return Line(f"{names[event.seat]} owns {corporations(event.corps)} now.")


@tell.register
def _(event: Diversified, names: Names) -> Line | Chapter:
    added = listed([f"{lines(number)} to corporation {corp}" for corp, number in event.add.items()])
    return Line(f"{names[event.seat]} adds {added}.")


@tell.register
def _(event: Bankrupt, names: Names) -> Line | Chapter:
    left = f"the last {money(event.amount)}" if event.amount else "no currency"
    return Line(f"{names[event.seat]} is bankrupt and leaves {names[event.creditor]} {left}.", "key")


@tell.register
def _(event: Resigned, names: Names) -> Line | Chapter:
    fate = "keeps" if event.keeps else "leaves the others"
    return Line(f"{names[event.seat]} resigns and {fate} {money(event.amount)}.", "key")


@tell.register
def _(event: Shared, _names: Names) -> Line | Chapter:
    return Line(f"Each player still in receives {money(event.each)}; {money(event.left)} wait to be shared.")


@tell.register
def _(event: Said, names: Names) -> Line | Chapter:
    return Line(f"{names[event.seat]} says{_said(event.message, names)}.")


@tell.register
def _(event: Untrue, names: Names) -> Line | Chapter:
    return Line(f"What {names[event.seat]} wanted to say{_said(event.message, names)}, is not passed on.", "minor")


def _said(message: Fact | Say, names: Names) -> str:
    known = message.to is not None and 0 <= message.to < len(names)
    to = f" to {names[message.to]}" if known and message.to is not None else ""
    if isinstance(message, Say):
        return f"{to} ({message.kind}): “{message.text}”"
    of = "" if message.what == "turn" else f" of {message.of}"
    return f"{to}: the {message.what}{of} is {message.value}"


@tell.register
def _(event: Ended, names: Names) -> Line | Chapter:
    worth = listed([f"{name} {money(sum_)}" for name, sum_ in zip(names, event.appraisals, strict=True) if sum_])
    return Line(f"{ENDS[event.reason]}. In currency and royalties: {worth or 'nobody has anything'}.")
