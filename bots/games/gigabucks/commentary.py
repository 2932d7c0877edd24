"""What happens in Corporate Gigabucks, in plain sentences."""

from collections.abc import Mapping, Sequence
from functools import singledispatch
from typing import Final

from bots.viewer.commentary.story import Chapter, Line, join_with_and
from bots.viewer.language import say, say_number
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
    "charter": "the charter of corporation %(space)s",
    "reactivation": "the inactive corporation %(space)s",
    "diversification": "product lines",
    "voluntary": "what %(by)s offers",
    "involuntary": "one corporation of %(by)s",
    "seat": "the next seat",
}
ENDS: Final[Mapping[str, str]] = {
    "last": "One player is left",
    "resigned": "All who were left resign together",
    "rounds": "The rounds agreed on are over",
    "decisions": "The decisions agreed on are used up",
}


def bucks(amount: int) -> str:
    return f"${amount}"


def corporation_names(numbers: Sequence[int]) -> str:
    named = join_with_and([str(number) for number in numbers])
    return say_number("corporation %(named)s", "corporations %(named)s", len(numbers), named=named)


def product_lines(number: int) -> str:
    return say_number("%(number)s product line", "%(number)s product lines", number)


@singledispatch
def tell(event: Event, _names: Names) -> Line | Chapter | None:
    """The sentence for one event, a chapter it begins, or None where there is nothing to say."""
    raise TypeError(f"Corporate Gigabucks has no event {event!r}")


@tell.register
def _(event: Setup, names: Names) -> Line | Chapter:
    order = join_with_and([names[seat] for seat in event.order])
    auction = "%(order)s bid for their seats in this order; each has %(money)s."
    how = auction if event.opts.seating == "auction" else "%(order)s take their seats clockwise; each has %(money)s."
    return Line(say(how, order=order, money=bucks(event.opts.currency)))


@tell.register
def _(event: Seated, names: Names) -> Line | Chapter:
    return Line(say("%(name)s plays in place %(place)s.", name=names[event.seat], place=event.place))


@tell.register
def _(event: TurnBegun, names: Names) -> Line | Chapter:
    line = Line(say("It is %(name)s's turn.", name=names[event.seat]), "minor")
    rounds, turns = divmod(event.turn - 1, len(names))
    return line if turns else Chapter(say("Round %(rounds)s", rounds=rounds + 1), [line])


@tell.register
def _(event: Placed, names: Names) -> Line | Chapter:
    return Line(say("%(name)s goes to space %(space)s.", name=names[event.seat], space=event.space))


@tell.register
def _(event: Moved, names: Names) -> Line | Chapter:
    on = say(", %(bumped)s on as others stand there,", bumped=event.bumped) if event.bumped else ""
    return Line(
        say(
            "%(name)s rolls %(dice)s and comes%(on)s to %(to)s.",
            name=names[event.seat],
            dice=join_with_and([str(eyes) for eyes in event.dice]),
            on=on,
            to=event.to,
        )
    )


@tell.register
def _(event: Royalty, names: Names) -> Line | Chapter | None:
    if not event.amount:
        return None
    name, to, amount = names[event.seat], names[event.to], bucks(event.amount)
    sentence = "%(name)s owes %(to)s %(amount)s for space %(space)s."
    deed = say("%(name)s owed %(to)s %(amount)s", name=name, to=to, amount=amount)
    return Line(say(sentence, name=name, to=to, amount=amount, space=event.space), deed=deed)


@tell.register
def _(event: Called, names: Names) -> Line | Chapter:
    by = "" if event.by is None else names[event.by]
    lot = say(LOTS[event.kind], space=event.space, by=by)
    menu = f": {say(' or ').join(map(bundle, event.menu))}" if event.menu else ""
    return Line(say("Up for auction: %(lot)s%(menu)s.", lot=lot, menu=menu))


def bundle(bundle: Bundle) -> str:
    return say("%(corps)s for %(least)s or more", corps=corporation_names(bundle.corps), least=bucks(bundle.least))


@tell.register
def _(event: BidMade, names: Names) -> Line | Chapter:
    if event.amount:
        return Line(say("%(name)s bids %(amount)s.", name=names[event.seat], amount=bucks(event.amount)), "minor")
    return Line(say("%(name)s cannot bid more." if event.auto else "%(name)s passes.", name=names[event.seat]), "minor")


@tell.register
def _(event: Won, names: Names) -> Line | Chapter:
    name, bid = names[event.seat], bucks(event.bid)
    deed = say("%(name)s won an auction at %(bid)s", name=name, bid=bid)
    wins = (
        "%(name)s wins: a line costs %(bid)s for each opponent."
        if event.kind == "diversification"
        else "%(name)s wins at %(bid)s."
    )
    return Line(say(wins, name=name, bid=bid), "key", deed=deed)


@tell.register
def _(_event: NoBid, _names: Names) -> Line | Chapter:
    return Line(say("Nobody bids."))


@tell.register
def _(event: Paid, names: Names) -> Line | Chapter:
    to = join_with_and([names[seat] for seat in event.to])
    single, more = "%(name)s pays %(to)s %(money)s.", "%(name)s pays %(to)s %(money)s each."
    return Line(say_number(single, more, len(event.to), name=names[event.seat], to=to, money=bucks(event.each)))


@tell.register
def _(event: Owned, names: Names) -> Line | Chapter:
    if event.seat is None:
        which, several = join_with_and([str(number) for number in event.corps]), len(event.corps)
        single, more = "Corporation %(which)s falls inactive.", "Corporations %(which)s fall inactive."
        return Line(say_number(single, more, several, which=which))
    return Line(say("%(name)s owns %(corps)s now.", name=names[event.seat], corps=corporation_names(event.corps)))


@tell.register
def _(event: Diversified, names: Names) -> Line | Chapter:
    added = join_with_and(
        [
            say("%(number)s to corporation %(corp)s", number=product_lines(number), corp=corp)
            for corp, number in event.add.items()
        ]
    )
    return Line(say("%(name)s adds %(added)s.", name=names[event.seat], added=added))


@tell.register
def _(event: Bankrupt, names: Names) -> Line | Chapter:
    left = say("the last %(amount)s", amount=bucks(event.amount)) if event.amount else say("no currency")
    return Line(
        say(
            "%(name)s is bankrupt and leaves %(creditor)s %(left)s.",
            name=names[event.seat],
            creditor=names[event.creditor],
            left=left,
        ),
        "key",
        deed=say("%(name)s went bankrupt", name=names[event.seat]),
    )


@tell.register
def _(event: Resigned, names: Names) -> Line | Chapter:
    fate = (
        "%(name)s resigns and keeps %(money)s." if event.keeps else "%(name)s resigns and leaves the others %(money)s."
    )
    deed = say("%(name)s resigned", name=names[event.seat])
    return Line(say(fate, name=names[event.seat], money=bucks(event.amount)), "key", deed=deed)


@tell.register
def _(event: Shared, _names: Names) -> Line | Chapter:
    return Line(
        say(
            "Each player still in receives %(each)s; %(left)s wait to be shared.",
            each=bucks(event.each),
            left=bucks(event.left),
        )
    )


@tell.register
def _(event: Said, names: Names) -> Line | Chapter:
    return Line(say("%(name)s says%(said)s.", name=names[event.seat], said=_said(event.message, names)))


@tell.register
def _(event: Untrue, names: Names) -> Line | Chapter:
    return Line(
        say(
            "What %(name)s wanted to say%(said)s, is not passed on.",
            name=names[event.seat],
            said=_said(event.message, names),
        ),
        "minor",
    )


def _said(message: Fact | Say, names: Names) -> str:
    to_seat = message.to is not None and 0 <= message.to < len(names)
    to = say(" to %(to)s", to=names[message.to]) if to_seat and message.to is not None else ""
    if isinstance(message, Say):
        return f"{to} ({message.kind}): “{message.text}”"
    of = "" if message.what == "turn" else say(" of %(of)s", of=message.of)
    return say("%(to)s: the %(what)s%(of)s is %(value)s", to=to, what=message.what, of=of, value=message.value)


@tell.register
def _(event: Ended, names: Names) -> Line | Chapter:
    worth = join_with_and([f"{name} {bucks(sum_)}" for name, sum_ in zip(names, event.appraisals, strict=True) if sum_])
    return Line(
        say(
            "%(reason)s. In currency and royalties: %(worth)s.",
            reason=say(ENDS[event.reason]),
            worth=worth or say("nobody has anything"),
        )
    )


def margin(points: int) -> str:
    """Return how a difference of appraisals is written."""
    return bucks(points)
