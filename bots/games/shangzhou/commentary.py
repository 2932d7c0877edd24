"""What happens in Shangzhou-Gold, in plain sentences. Sectors are called as on a chessboard, from a1 to h8."""

from collections import Counter
from collections.abc import Sequence
from functools import singledispatch
from typing import Final

from bots.viewer.commentary.story import Chapter, Line, join_with_and
from bots.viewer.language import passed_on, say
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
from engine.games.shangzhou.scoring import WON

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
    "sectors": "Most of the sectors are in one hand.",
    "clout": "There is Clout enough to pay the officials.",
    "cap": "The match is cut short after its last turn, and nobody has won the area.",
}
PHASES: Final = {"bid": "bidding", "apply": "placing templates", "expand": "expanding"}


def square(sector: int) -> str:
    row, column = divmod(sector, 8)
    return f"{'abcdefgh'[column]}{row + 1}"


def squares(sectors: Sequence[int]) -> str:
    """List the sectors, each named once, with how often it occurs."""
    return join_with_and(
        [
            say("%(sector)s (%(n)s times)", sector=square(sector), n=n) if n > 1 else square(sector)
            for sector, n in Counter(sectors).items()
        ]
    )


def counted(amounts: Sequence[int], names: Names) -> str:
    """List who has how many, without those who have none."""
    return join_with_and([f"{name} {amount}" for name, amount in zip(names, amounts, strict=True) if amount])


def things(goods: Goods) -> str:
    named = {"Clout": goods.clout, "Hacker": goods.hackers, "Virus": goods.viruses}
    tiles = [TILES[tile] for tile in goods.templates]
    return join_with_and([*(f"{number} {name}" for name, number in named.items() if number), *tiles]) or say("nothing")


@singledispatch
def tell(event: Event, _names: Names) -> Line | Chapter | None:
    """The sentence for one event, a chapter it begins, or None where there is nothing to say."""
    raise TypeError(f"Shangzhou-Gold has no event {event!r}")


@tell.register
def _(event: Setup, names: Names) -> Line | Chapter:
    chosen = [
        say("%(name)s at %(home)s", name=name, home=square(home))
        for name, home in zip(names, event.homes, strict=True)
        if home >= 0
    ]
    homes = say("Home Nodes: %(at)s.", at=join_with_and(chosen)) if chosen else say("Homes are yet to be chosen.")
    return Line(
        say(
            "%(homes)s Ties for oversight go to %(names)s, in this order.",
            homes=homes,
            names=join_with_and([names[seat] for seat in event.priority]),
        )
    )


@tell.register
def _(event: Settled, names: Names) -> Line | Chapter:
    return Line(
        say(
            "%(name)s is left with %(sector)s." if event.auto else "%(name)s settles at %(sector)s.",
            name=names[event.seat],
            sector=square(event.sector),
        )
    )


@tell.register
def _(event: TurnBegun, _names: Names) -> Line | Chapter:
    return Chapter(say("Turn %(turn)s", turn=event.turn))


@tell.register
def _(event: Income, names: Names) -> Line | Chapter:
    more = [sum(payout.paid[seat] for payout in event.sectors) for seat in range(len(names))]
    extra = say(" Sectors add: %(more)s.", more=counted(more, names)) if any(more) else ""
    return Line(say("All get %(base)s Clout.%(extra)s", base=event.base, extra=extra))


@tell.register
def _(event: Overseen, names: Names) -> Line | Chapter:
    bids = counted(event.bids, names)
    return Line(
        say(
            "%(overseer)s oversees; %(bids)s.",
            overseer=names[event.overseer],
            bids=say("bids: %(bids)s", bids=bids) if bids else say("nobody has bid anything"),
        )
    )


@tell.register
def _(event: Displayed, _names: Names) -> Line | Chapter:
    return Line(say("Up for bid: %(tiles)s.", tiles=join_with_and([TILES[tile] for tile in event.tiles])))


@tell.register
def _(event: Offered, names: Names) -> Line | Chapter:
    offers = [
        say(
            "%(by)s offers %(to)s %(give)s for %(want)s",
            by=names[offer.by],
            to=names[offer.to],
            give=things(offer.give),
            want=things(offer.want),
        )
        for offer in event.offers
    ]
    return Line(f"{'; '.join(offers)}.")


@tell.register
def _(event: Traded, names: Names) -> Line | Chapter:
    by, to = names[event.by], names[event.to]
    if event.done:
        return Line(say("%(to)s accepts the offer of %(by)s, and it is done.", to=to, by=by), "key")
    return Line(say("%(to)s accepts the offer of %(by)s, but it cannot be covered any more.", to=to, by=by))


@tell.register
def _(event: Ordered, names: Names) -> Line | Chapter:
    return Line(
        say(
            "The order of %(phase)s: %(names)s.",
            phase=say(PHASES[event.phase]),
            names=join_with_and([names[seat] for seat in event.seats]),
        ),
        "minor",
    )


@tell.register
def _(event: BidMade, names: Names) -> Line | Chapter:
    return Line(
        say(
            "%(name)s puts %(amount)s on lot %(lot)s, %(total)s in all.",
            name=names[event.seat],
            amount=event.amount,
            lot=event.lot + 1,
            total=event.total,
        ),
        "minor",
    )


@tell.register
def _(event: Passed, names: Names) -> Line | Chapter:
    return Line(say("%(name)s can only pass." if event.auto else "%(name)s passes.", name=names[event.seat]), "minor")


@tell.register
def _(event: Awarded, names: Names) -> Line | Chapter:
    name, tile = names[event.seat], TILES[event.tile]
    deed = say("%(name)s bought %(tile)s for %(price)s", name=name, tile=tile, price=event.price)
    return Line(say("%(name)s buys %(tile)s for %(price)s.", name=name, tile=tile, price=event.price), "key", deed=deed)


@tell.register
def _(event: Unsold, _names: Names) -> Line | Chapter:
    return Line(say("Nobody wants %(tile)s: it leaves play.", tile=TILES[event.tile]), "minor")


@tell.register
def _(event: Applied, names: Names) -> Line | Chapter:
    if event.sector < 0:
        return Line(
            say("%(tile)s of %(name)s finds no sector and leaves play.", tile=TILES[event.tile], name=names[event.seat])
        )
    evicted = say("; agents evicted: %(evicted)s", evicted=counted(event.evicted, names)) if any(event.evicted) else ""
    return Line(
        say(
            "%(name)s puts %(tile)s on %(sector)s%(evicted)s.",
            name=names[event.seat],
            tile=TILES[event.tile],
            sector=square(event.sector),
            evicted=evicted,
        ),
        deed=say(
            "%(name)s put %(tile)s on %(sector)s",
            name=names[event.seat],
            tile=TILES[event.tile],
            sector=square(event.sector),
        ),
    )


@tell.register
def _(event: Expanded, names: Names) -> Line | Chapter:
    return Line(say("%(name)s expands to %(sectors)s.", name=names[event.seat], sectors=squares(event.sectors)))


@tell.register
def _(event: Engaged, names: Names) -> Line | Chapter:
    left = counted(event.left, [names[event.seat], names[event.opponent]]) or say("nobody")
    return Line(
        say(
            "%(name)s engages %(opponent)s on %(sector)s; left: %(left)s.",
            name=names[event.seat],
            opponent=names[event.opponent],
            sector=square(event.sector),
            left=left,
        ),
        "key",
        deed=say(
            "%(name)s engaged %(opponent)s on %(sector)s",
            name=names[event.seat],
            opponent=names[event.opponent],
            sector=square(event.sector),
        ),
    )


@tell.register
def _(event: Given, names: Names) -> Line | Chapter:
    return Line(
        say(
            "%(name)s gives %(to)s %(gift)s.", name=names[event.seat], to=names[event.gift.to], gift=things(event.gift)
        ),
        "key",
    )


@tell.register
def _(event: Used, names: Names) -> Line | Chapter:
    if event.tile == "hacker":
        what = say(
            "a Hacker: %(template)s is gone from %(sector)s",
            template=TILES[event.template],
            sector=square(event.sector),
        )
    else:
        what = say(
            "a Virus on %(sector)s; agents removed: %(agents)s",
            sector=square(event.sector),
            agents=counted(event.agents, names),
        )
    used = "%(name)s used a Hacker on %(sector)s" if event.tile == "hacker" else "%(name)s used a Virus on %(sector)s"
    deed = say(used, name=names[event.seat], sector=square(event.sector))
    return Line(say("%(name)s uses %(what)s.", name=names[event.seat], what=what), "key", deed=deed)


@tell.register
def _(event: Dropped, names: Names) -> Line | Chapter:
    return Line(
        say("Left out of an answer: %(name)s %(reason)s.", name=names[event.seat], reason=passed_on(event.reason)),
        "minor",
    )


@tell.register
def _(event: Said, names: Names) -> Line | Chapter:
    to = "" if event.to is None else say(" to %(to)s", to=names[event.to])
    return Line(say("%(name)s says%(to)s: “%(text)s”.", name=names[event.seat], to=to, text=event.text))


@tell.register
def _(event: Checked, names: Names) -> Line | Chapter:
    held = [say("sectors: %(sectors)s", sectors=counted(event.sectors, names) or say("nobody"))]
    held += [say("Critical Nodes: %(nodes)s", nodes=counted(event.nodes, names))] if any(event.nodes) else []
    held += [say("unspent Clout: %(clout)s", clout=counted(event.clout, names))] if any(event.clout) else []
    return Line(say("In control of %(held)s.", held="; ".join(held)))


@tell.register
def _(event: Vetoed, names: Names) -> Line | Chapter:
    bans = join_with_and(
        [say("%(name)s on %(sector)s", name=names[ban.seat], sector=square(ban.sector)) for ban in event.bans]
    )
    return Line(say("%(name)s forbids to bank: %(bans)s.", name=names[event.seat], bans=bans))


@tell.register
def _(event: Relinquished, names: Names) -> Line | Chapter | None:
    if not any(event.kept):
        return (
            Line(say("Clout that is lost: %(lost)s.", lost=counted(event.lost, names)), "minor")
            if any(event.lost)
            else None
        )
    return Line(say("Clout that is kept: %(kept)s.", kept=counted(event.kept, names)), "minor")


@tell.register
def _(event: Ended, names: Names) -> Line | Chapter:
    scores = join_with_and([f"{name} {score}" for name, score in zip(names, event.scores, strict=True)])
    words = say("%(reason)s Score: %(scores)s.", reason=say(ENDS[event.reason]), scores=scores)
    return Chapter(say("The reckoning"), [Line(words)])


def margin(points: int) -> str:
    """Return how a difference of scores is written; nothing where one has won the area, for which 100 are added."""
    return str(points) if points < WON // 2 else ""
