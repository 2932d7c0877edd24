"""What happens in Zaibatsu, in plain sentences."""

from collections.abc import Sequence
from functools import singledispatch

from bots.viewer.commentary.story import Chapter, Line, listed
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
    return listed([CARDS[card].name for card in cards]) or "no company"


def money(amount: int) -> str:
    return f"T¥\N{NO-BREAK SPACE}{amount}"


@singledispatch
def tell(event: Event, _names: Names) -> Line | Chapter | None:
    """The sentence for one event, a chapter it begins, or None where there is nothing to say."""
    raise TypeError(f"Zaibatsu has no event {event!r}")


@tell.register
def _(event: Setup, names: Names) -> Line | Chapter:
    purses = listed([f"{name} has {money(cash)}" for name, cash in zip(names, event.cash, strict=True)])
    return Line(f"{names[event.first]} is the first Commissioner. {purses}.")


@tell.register
def _(event: RoundBegun, names: Names) -> Line | Chapter:
    income = f"Everybody receives {money(event.income)}. " if event.income else ""
    line = Line(f"{income}{names[event.commissioner]} is Commissioner: first to place, first and last to call.")
    return Chapter(f"Round {event.round}", [line])


@tell.register
def _(event: Dealt, names: Names) -> Line | Chapter:
    return Line(f"{names[event.seat]} is dealt {companies(event.hand)}.", "minor")


@tell.register
def _(event: Placed, names: Names) -> Line | Chapter:
    card = CARDS[event.card].name if event.card else "a company"  # of which others know nothing more
    down = " face down" if event.face_down else ""
    return Line(f"{names[event.seat]} places {card}{down} on pile {event.pile}.", "minor")


@tell.register
def _(event: Called, names: Names) -> Line | Chapter:
    last = ", the last one" if event.auto else ""
    return Line(f"{names[event.seat]} calls pile {event.pile}{last}: {companies(event.cards)}.", "key")


@tell.register
def _(event: BidMade, names: Names) -> Line | Chapter:
    if event.amount:
        return Line(f"{names[event.seat]} bids {money(event.amount)}.")
    return Line(f"{names[event.seat]} {'cannot bid more' if event.auto else 'passes'}.", "minor")


@tell.register
def _(event: Sold, names: Names) -> Line | Chapter:
    return Line(
        f"{names[event.seat]} takes pile {event.pile} for {money(event.price)}: {companies(event.cards)}.", "key"
    )


@tell.register
def _(event: Unsold, _names: Names) -> Line | Chapter:
    fate = "its cards stay for the next round" if event.carried else f"out of the game: {companies(event.cards)}"
    return Line(f"Nobody wants pile {event.pile}; {fate}.")


@tell.register
def _(event: Scored, names: Names) -> Line | Chapter:
    running = f"runs {companies(event.operating)}{f' for {event.op}' if event.operating else ''}"
    line = Line(f"{names[event.seat]} {running} and has {money(event.cash)} left: {event.total} in all.")
    return Chapter("The reckoning", [line]) if event.seat == 0 else line


@tell.register
def _(event: Ended, names: Names) -> None:
    """Who won is the referee's to say: forfeits count."""
