"""What happens in Network, in plain sentences."""

from collections.abc import Sequence
from functools import singledispatch
from typing import Final

from bots.viewer.commentary.story import Chapter, Line, join_with_and
from bots.viewer.language import say
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
HUES: Final = (4, 5, 7, 6, 2, 3)  # as of these seats: of up to four companies, others than those of the players
DOES: Final = {
    "pass": "%(name)s passes.",
    "auction": "%(name)s holds an auction.",
    "act": "%(name)s acts for a company.",
    "auto": "%(name)s can only pass.",
}
ENDS = {
    "all_pass": "All have passed in a row.",
    "sold_out": "The last turn is over.",
    "cap": "The match is cut short after its last turn.",
}


def company_letter(company: int) -> str:
    """Return the sign of a company, which cannot be taken for the number of a seat."""
    return CALLED[company][0]


def company_hue(company: int) -> str:
    """Return the class of its colour."""
    return f"seat-{HUES[company]}"


def company_name(number: int, names: Names) -> str:
    return say("%(company)s (of %(name)s)", company=CALLED[number], name=names[number])


def earned(amounts: Sequence[int], names: Names) -> str:
    return join_with_and([f"{name} ${amount}" for name, amount in zip(names, amounts, strict=True) if amount])


@singledispatch
def tell(event: Event, _names: Names) -> Line | Chapter | None:
    """The sentence for one event, a chapter it begins, or None where there is nothing to say."""
    raise TypeError(f"Network has no event {event!r}")


@tell.register
def _(event: Setup, names: Names) -> Line | Chapter:
    hexes = say(
        "%(cities)s cities and %(mountains)s mountains", cities=len(event.cities), mountains=len(event.mountains)
    )
    return Line(
        say(
            "%(first)s begins on a map of radius %(radius)s with %(hexes)s.",
            first=names[event.first],
            radius=event.radius,
            hexes=hexes,
        )
    )


@tell.register
def _(event: TurnTaken, names: Names) -> Line | Chapter:
    does = say(DOES["auto" if event.auto else event.kind], name=names[event.seat])
    line = Line(does, "minor" if event.kind == "pass" else "")
    return Chapter(say("Turn %(turn)s", turn=event.turn), [line])


@tell.register
def _(event: Opened, names: Names) -> Line | Chapter:
    where = say("the pool") if event.source == "bank" else say("those not sold yet")
    opening = say("opens with $%(bid)s", bid=event.bid) if event.bid else say("does not open")
    lot = say(
        "A share of %(company)s from %(where)s is up for $%(least)s or more",
        company=company_name(event.company, names),
        where=where,
        least=event.least,
    )
    return Line(say("%(lot)s; %(name)s %(opening)s.", lot=lot, name=names[event.seat], opening=opening))


@tell.register
def _(event: BidMade, names: Names) -> Line | Chapter:
    if event.amount:
        return Line(say("%(name)s bids $%(amount)s.", name=names[event.seat], amount=event.amount))
    return Line(say("%(name)s cannot bid." if event.auto else "%(name)s passes.", name=names[event.seat]), "minor")


@tell.register
def _(event: Sold, names: Names) -> Line | Chapter:
    payee = say("the bank") if event.to == "bank" else say("the treasury")
    share = say("the share of %(company)s", company=company_name(event.company, names))
    return Line(
        say(
            "%(name)s buys %(share)s for $%(price)s, paid to %(payee)s.",
            name=names[event.seat],
            share=share,
            price=event.price,
            payee=payee,
        ),
        "key",
        deed=say(
            "%(name)s bought a share of %(company)s for $%(price)s",
            name=names[event.seat],
            company=CALLED[event.company],
            price=event.price,
        ),
    )


@tell.register
def _(event: Unsold, names: Names) -> Line | Chapter:
    paid = say(", and the bank pays its treasury $%(bank_paid)s", bank_paid=event.bank_paid) if event.bank_paid else ""
    return Line(
        say(
            "Nobody wants the share of %(company)s: it lies in the pool%(paid)s.",
            company=company_name(event.company, names),
            paid=paid,
        )
    )


@tell.register
def _(event: Built, names: Names) -> Line | Chapter:
    q, r = event.hex
    lease = say(" and $%(lease)s to lease the way", lease=event.lease) if event.lease else ""
    built = say(
        "%(company)s builds %(value)s on (%(q)s, %(r)s)",
        company=company_name(event.company, names),
        value=event.value,
        q=q,
        r=r,
    )
    deed = say("%(company)s built for $%(cost)s", company=CALLED[event.company], cost=event.cost)
    return Line(say("%(built)s for $%(cost)s%(lease)s.", built=built, cost=event.cost, lease=lease), "key", deed=deed)


@tell.register
def _(event: PaidOut, names: Names) -> Line | Chapter:
    what = say("The city") if event.reason == "city" else say("The lease")
    payees = earned(event.amounts, names) or say("nobody anything")
    return Line(
        say(
            "%(what)s pays $%(per_share)s for each share of %(company)s: %(who)s.",
            what=what,
            per_share=event.per_share,
            company=company_name(event.company, names),
            who=payees,
        )
    )


@tell.register
def _(event: UpkeepPaid, names: Names) -> Line | Chapter | None:
    name, shares = names[event.seat], say("share") if event.pooled == 1 else say("shares")
    if event.pooled:
        return Line(
            say(
                "Short of money, %(name)s gives %(pooled)s %(shares)s to the pool; upkeep is $%(paid)s.",
                name=name,
                pooled=event.pooled,
                shares=shares,
                paid=event.paid,
            )
        )
    return Line(say("%(name)s pays $%(paid)s of upkeep.", name=name, paid=event.paid), "minor") if event.paid else None


@tell.register
def _(event: Triggered, names: Names) -> Line | Chapter:
    return Line(
        say(
            "%(company)s is sold out: %(turns_left)s turns are left.",
            company=company_name(event.company, names),
            turns_left=event.turns_left,
        ),
        "key",
        deed=say("%(company)s was sold out", company=CALLED[event.company]),
    )


@tell.register
def _(event: Ended, names: Names) -> Line | Chapter:
    worth = join_with_and([f"{name} ${amount}" for name, amount in zip(names, event.worth, strict=True)])
    words = say("%(reason)s Net worth: %(worth)s.", reason=say(ENDS[event.reason]), worth=worth)
    return Chapter(say("The reckoning"), [Line(words)])


def margin(points: int) -> str:
    """Return how a difference of net worth is written."""
    return f"${points}"
