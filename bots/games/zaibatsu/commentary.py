"""What happens in Zaibatsu, in plain sentences."""

from collections.abc import Sequence
from functools import singledispatch

from bots.viewer.commentary.story import Chapter, Line, join_with_and
from bots.viewer.language import say
from engine.core import Event
from engine.games.zaibatsu import (
    CARDS,
    BidMade,
    Called,
    Dealt,
    Ended,
    Placed,
    RoundBegun,
    Scored,
    Setup,
    Sold,
    Unsold,
)

Names = Sequence[str]


def companies(cards: Sequence[str]) -> str:
    return join_with_and([CARDS[card].name for card in cards]) or say("no company")


def trillion_yen(amount: int) -> str:
    return f"T¥\N{NO-BREAK SPACE}{amount}"


@singledispatch
def tell(event: Event, _names: Names) -> Line | Chapter | None:
    """The sentence for one event, a chapter it begins, or None where there is nothing to say."""
    raise TypeError(f"Zaibatsu has no event {event!r}")


@tell.register
def _(event: Setup, names: Names) -> Line | Chapter:
    purses = join_with_and(
        [
            say("%(name)s has %(cash)s", name=name, cash=trillion_yen(cash))
            for name, cash in zip(names, event.cash, strict=True)
        ]
    )
    return Line(say("%(first)s is the first Commissioner. %(purses)s.", first=names[event.first], purses=purses))


@tell.register
def _(event: RoundBegun, names: Names) -> Line | Chapter:
    income = say("Everybody receives %(income)s. ", income=trillion_yen(event.income)) if event.income else ""
    line = Line(
        say(
            "%(income)s%(name)s is Commissioner: first to place, first and last to call.",
            income=income,
            name=names[event.commissioner],
        )
    )
    return Chapter(say("Round %(round)s", round=event.round), [line])


@tell.register
def _(event: Dealt, names: Names) -> Line | Chapter:
    return Line(say("%(name)s is dealt %(hand)s.", name=names[event.seat], hand=companies(event.hand)), "minor")


@tell.register
def _(event: Placed, names: Names) -> Line | Chapter:
    card = CARDS[event.card].name if event.card else say("a company")  # of which others know nothing more
    down = say(" face down") if event.face_down else ""
    return Line(
        say(
            "%(name)s places %(card)s%(down)s on pile %(pile)s.",
            name=names[event.seat],
            card=card,
            down=down,
            pile=event.pile,
        ),
        "minor",
    )


@tell.register
def _(event: Called, names: Names) -> Line | Chapter:
    last = say(", the last one") if event.auto else ""
    return Line(
        say(
            "%(name)s calls pile %(pile)s%(last)s: %(cards)s.",
            name=names[event.seat],
            pile=event.pile,
            last=last,
            cards=companies(event.cards),
        ),
        "key",
    )


@tell.register
def _(event: BidMade, names: Names) -> Line | Chapter:
    name, amount = names[event.seat], trillion_yen(event.amount)
    if event.amount:
        deed = say("%(name)s bid %(amount)s", name=name, amount=amount)
        return Line(say("%(name)s bids %(amount)s.", name=name, amount=amount), deed=deed)
    deed = "" if event.auto else say("%(name)s passed", name=name)
    return Line(say("%(name)s cannot bid more." if event.auto else "%(name)s passes.", name=name), "minor", deed=deed)


@tell.register
def _(event: Sold, names: Names) -> Line | Chapter:
    name, pile, price = names[event.seat], event.pile, trillion_yen(event.price)
    sentence = "%(name)s takes pile %(pile)s for %(price)s: %(cards)s."
    deed = say("%(name)s took pile %(pile)s for %(price)s", name=name, pile=pile, price=price)
    return Line(say(sentence, name=name, pile=pile, price=price, cards=companies(event.cards)), "key", deed=deed)


@tell.register
def _(event: Unsold, _names: Names) -> Line | Chapter:
    fate = (
        say("its cards stay for the next round")
        if event.carried
        else say("out of the game: %(cards)s", cards=companies(event.cards))
    )
    return Line(say("Nobody wants pile %(pile)s; %(fate)s.", pile=event.pile, fate=fate))


@tell.register
def _(event: Scored, names: Names) -> Line | Chapter:
    running = say(
        "runs %(companies)s%(points)s",
        companies=companies(event.operating),
        points=say(" for %(points)s", points=event.op) if event.operating else "",
    )
    line = Line(
        say(
            "%(name)s %(running)s and has %(cash)s left: %(total)s in all.",
            name=names[event.seat],
            running=running,
            cash=trillion_yen(event.cash),
            total=event.total,
        )
    )
    return Chapter(say("The reckoning"), [line]) if event.seat == 0 else line


@tell.register
def _(event: Ended, names: Names) -> None:
    """Return nothing: the referee says who won, for forfeits count."""
