"""What happens in Shangzhou-Gold, in plain sentences. Sectors are called as on a chessboard, from a1 to h8."""

from collections import Counter
from collections.abc import Sequence
from functools import singledispatch
from typing import Final

from bots.viewer.commentary.story import Chapter, Line, listed
from engine.core import Event
from engine.games.shangzhou import (
    Applied,
    Awarded,
    BidMade,
    Checked,
    Displayed,
    Dropped,
    Ended,
    Engaged,
    Expanded,
    Given,
    Goods,
    Income,
    Offered,
    Ordered,
    Overseen,
    Passed,
    Relinquished,
    Said,
    Settled,
    Setup,
    Traded,
    TurnBegun,
    Unsold,
    Used,
    Vetoed,
)

Names = Sequence[str]
TILES: Final = {
    "C": "Commerce",
    "P": "Production",
    "U": "Public",
    "S": "Storage",
    "R": "Restricted",
    "N": "Critical Node",
    "H": "Hacker",
    "V": "Virus",
}
ENDS: Final = {
    "critical": "All four Critical Nodes are in one hand.",
    "sectors": "The better part of the sectors is in one hand.",
    "clout": "There is Clout enough to pay the officials.",
    "cap": "The match is cut short after its last turn, and nobody has won the area.",
}
PHASES: Final = {"bid": "bids", "apply": "placing templates", "expand": "expanding"}


def square(sector: int) -> str:
    row, column = divmod(sector, 8)
    return f"{'abcdefgh'[column]}{row + 1}"


def squares(sectors: Sequence[int]) -> str:
    """Each named once, with how often."""
    return listed(
        [f"{square(sector)} ({n} times)" if n > 1 else square(sector) for sector, n in Counter(sectors).items()]
    )


def counted(amounts: Sequence[int], names: Names) -> str:
    """Who has how many, without those who have none."""
    return listed([f"{name} {amount}" for name, amount in zip(names, amounts, strict=True) if amount])


def things(goods: Goods) -> str:
    named = {"Clout": goods.clout, "Hacker": goods.hackers, "Virus": goods.viruses}
    tiles = [TILES[tile] for tile in goods.templates]
    return listed([*(f"{number} {name}" for name, number in named.items() if number), *tiles]) or "nothing"


@singledispatch
def tell(event: Event, _names: Names) -> Line | Chapter | None:
    """The sentence for one event, a chapter it begins, or None where there is nothing to say."""
    raise TypeError(f"Shangzhou-Gold has no event {event!r}")


@tell.register
def _(event: Setup, names: Names) -> Line | Chapter:
    at = [f"{name} at {square(home)}" for name, home in zip(names, event.homes, strict=True) if home >= 0]
    homes = f"Home Nodes: {listed(at)}." if at else "Homes are yet to be chosen."
    return Line(f"{homes} Ties for oversight go to {listed([names[seat] for seat in event.priority])}, in this order.")


@tell.register
def _(event: Settled, names: Names) -> Line | Chapter:
    return Line(f"{names[event.seat]} {'is left with' if event.auto else 'settles at'} {square(event.sector)}.")


@tell.register
def _(event: TurnBegun, _names: Names) -> Line | Chapter:
    return Chapter(f"Turn {event.turn}")


@tell.register
def _(event: Income, names: Names) -> Line | Chapter:
    more = [sum(payout.paid[seat] for payout in event.sectors) for seat in range(len(names))]
    extra = f" Sectors add: {counted(more, names)}." if any(more) else ""
    return Line(f"All get {event.base} Clout.{extra}")


@tell.register
def _(event: Overseen, names: Names) -> Line | Chapter:
    bids = counted(event.bids, names)
    return Line(f"{names[event.overseer]} oversees; {f'bids: {bids}' if bids else 'nobody has bid anything'}.")


@tell.register
def _(event: Displayed, _names: Names) -> Line | Chapter:
    return Line(f"Up for bid: {listed([TILES[tile] for tile in event.tiles])}.")


@tell.register
def _(event: Offered, names: Names) -> Line | Chapter:
    offers = [
        f"{names[offer.by]} offers {names[offer.to]} {things(offer.give)} for {things(offer.want)}"
        for offer in event.offers
    ]
    return Line(f"{'; '.join(offers)}.")


@tell.register
def _(event: Traded, names: Names) -> Line | Chapter:
    by, to = names[event.by], names[event.to]
    if event.done:
        return Line(f"{to} accepts the offer of {by}, and it is done.", "key")
    return Line(f"{to} accepts the offer of {by}, but it cannot be covered any more.")


@tell.register
def _(event: Ordered, names: Names) -> Line | Chapter:
    return Line(f"The order of {PHASES[event.phase]}: {listed([names[seat] for seat in event.seats])}.", "minor")


@tell.register
def _(event: BidMade, names: Names) -> Line | Chapter:
    return Line(f"{names[event.seat]} puts {event.amount} on lot {event.lot + 1}, {event.total} in all.", "minor")


@tell.register
def _(event: Passed, names: Names) -> Line | Chapter:
    return Line(f"{names[event.seat]} {'can only pass' if event.auto else 'passes'}.", "minor")


@tell.register
def _(event: Awarded, names: Names) -> Line | Chapter:
    return Line(f"{names[event.seat]} buys {TILES[event.tile]} for {event.price}.", "key")


@tell.register
def _(event: Unsold, _names: Names) -> Line | Chapter:
    return Line(f"Nobody wants {TILES[event.tile]}: it leaves play.", "minor")


@tell.register
def _(event: Applied, names: Names) -> Line | Chapter:
    if event.sector < 0:
        return Line(f"{TILES[event.tile]} of {names[event.seat]} finds no sector and leaves play.")
    evicted = f"; agents evicted: {counted(event.evicted, names)}" if any(event.evicted) else ""
    return Line(f"{names[event.seat]} puts {TILES[event.tile]} on {square(event.sector)}{evicted}.")


@tell.register
def _(event: Expanded, names: Names) -> Line | Chapter:
    return Line(f"{names[event.seat]} expands to {squares(event.sectors)}.")


@tell.register
def _(event: Engaged, names: Names) -> Line | Chapter:
    left = counted(event.left, [names[event.seat], names[event.opponent]]) or "nobody"
    return Line(f"{names[event.seat]} engages {names[event.opponent]} on {square(event.sector)}; left: {left}.", "key")


@tell.register
def _(event: Given, names: Names) -> Line | Chapter:
    return Line(f"{names[event.seat]} gives {names[event.gift.to]} {things(event.gift)}.", "key")


@tell.register
def _(event: Used, names: Names) -> Line | Chapter:
    if event.tile == "hacker":
        what = f"a Hacker: {TILES[event.template]} is gone from {square(event.sector)}"
    else:
        what = f"a Virus on {square(event.sector)}; agents removed: {counted(event.agents, names)}"
    return Line(f"{names[event.seat]} uses {what}.", "key")


@tell.register
def _(event: Dropped, names: Names) -> Line | Chapter:
    return Line(f"Left out of an answer: {names[event.seat]} {event.reason}.", "minor")


@tell.register
def _(event: Said, names: Names) -> Line | Chapter:
    to = "" if event.to is None else f" to {names[event.to]}"
    return Line(f"{names[event.seat]} says{to}: \u201c{event.text}\u201d.")


@tell.register
def _(event: Checked, names: Names) -> Line | Chapter:
    held = [f"sectors: {counted(event.sectors, names) or 'nobody'}"]
    held += [f"Critical Nodes: {counted(event.nodes, names)}"] if any(event.nodes) else []
    held += [f"unspent Clout: {counted(event.clout, names)}"] if any(event.clout) else []
    return Line(f"In control of {'; '.join(held)}.")


@tell.register
def _(event: Vetoed, names: Names) -> Line | Chapter:
    bans = listed([f"{names[ban.seat]} on {square(ban.sector)}" for ban in event.bans])
    return Line(f"{names[event.seat]} forbids to bank: {bans}.")


@tell.register
def _(event: Relinquished, names: Names) -> Line | Chapter | None:
    if not any(event.kept):
        return Line(f"Clout that is lost: {counted(event.lost, names)}.", "minor") if any(event.lost) else None
    return Line(f"Clout that is kept: {counted(event.kept, names)}.", "minor")


@tell.register
def _(event: Ended, names: Names) -> Line | Chapter:
    scores = listed([f"{name} {score}" for name, score in zip(names, event.scores, strict=True)])
    return Chapter("The reckoning", [Line(f"{ENDS[event.reason]} Score: {scores}.")])
