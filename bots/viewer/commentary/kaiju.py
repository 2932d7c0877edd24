"""What happens in Kaiju Incorporated, in plain sentences."""

from collections.abc import Sequence
from functools import singledispatch

from bots.viewer.commentary.story import Chapter, Line, listed
from engine.core import Event
from engine.games.kaiju import (
    COMPANY,
    NAMES,
    SUIT,
    Attacked,
    Built,
    Discarded,
    Ended,
    IncomeBegun,
    Paid,
    ProductTaken,
    Rebuilt,
    Reshuffled,
    Scored,
    Setup,
    SpecialDone,
    Threatened,
    TurnBegun,
)

Names = Sequence[str]
SUITS = {"C": "Construction", "I": "Industrial", "T": "Technology"}


def cards(ids: Sequence[str]) -> str:
    return listed([card(it) for it in ids]) or "nothing"


def card(it: str) -> str:
    return f"{NAMES[it]} ({SUITS[SUIT[it]]})" if it in SUIT else NAMES[it]


def money(amount: int) -> str:
    return f"{amount}¥"


def points(number: int, what: str) -> str:
    return f"{number} {what}" if number else ""


def times(number: int) -> str:
    return {1: "", 2: " twice"}.get(number, f" {number} times")


@singledispatch
def tell(event: Event, _names: Names) -> Line | Chapter | None:
    """The sentence for one event, a chapter it begins, or None where there is nothing to say."""
    raise TypeError(f"Kaiju Incorporated has no event {event!r}")


@tell.register
def _(event: Setup, names: Names) -> Line | Chapter:
    run = listed([f"{name} runs {COMPANY[it].name}" for name, it in zip(names, event.companies, strict=True)])
    return Line(f"{run}. {names[event.start_player]} starts, {NAMES[event.kaiju]} threatens.")


@tell.register
def _(event: TurnBegun, names: Names) -> Line | Chapter:
    sixth = f", and beside it {card(event.sixth)}" if event.sixth else ""
    line = Line(f"{names[event.start_player]} starts. The row is {cards(event.row)}{sixth}.")
    return Chapter(f"Turn {event.turn}", [line])


@tell.register
def _(event: Reshuffled, _names: Names) -> Line | Chapter:
    return Line(f"The {event.deck.capitalize()} deck is reshuffled and holds {event.size} cards.", "minor")


@tell.register
def _(event: Built, names: Names) -> Line | Chapter:
    return Line(f"{names[event.seat]} pays {money(event.cost)} for {card(event.card)}; {money(event.bank)} are left.")


@tell.register
def _(event: Rebuilt, names: Names) -> Line | Chapter:
    name = names[event.seat]
    return Line(f"{name} starts over: {cards(event.discarded)} are gone, {card(event.card)} is bought.", "key")


@tell.register
def _(event: SpecialDone, names: Names) -> Line | Chapter | None:
    revealed = f"turns up {cards(event.revealed)}" if event.revealed else ""
    chosen = SUITS.get(event.chosen) or (card(event.chosen) if event.chosen else "")
    chosen = f"chooses {chosen}" if chosen else ""
    rival = f"picks {names[event.rival]}" if event.rival is not None else ""
    done = listed([part for part in (revealed, rival, chosen) if part])
    return Line(f"{names[event.seat]} {done}.") if done else None


@tell.register
def _(event: IncomeBegun, names: Names) -> Line | Chapter:
    suit = SUITS[event.suit]
    if event.seat is None:
        return Line(f"{card(event.card)} brings {suit} income for all.")
    return Line(f"{names[event.seat]} discards {NAMES[event.card]} for {suit} income.")


@tell.register
def _(event: Paid, names: Names) -> Line | Chapter:
    gets = [money(event.money) if event.money else "", points(event.research, "research")]
    gets += [points(event.kaiju, "kaiju")]
    eureka = f" Eureka{times(event.products)}!" if event.products else ""
    alarm = f" The Kaiju comes{times(event.attacks)}!" if event.attacks else ""
    got = listed([part for part in gets if part]) or "nothing"
    line = f"{names[event.seat]} gets {got}, and has {money(event.bank)}.{eureka}{alarm}"
    return Line(line, "" if event.products or event.attacks else "minor")


@tell.register
def _(event: ProductTaken, names: Names) -> Line | Chapter:
    refill = f" {NAMES[event.refill]} is turned up." if event.refill else ""
    end = " The game ends with this turn." if event.trigger else ""
    return Line(f"{names[event.seat]} brings out the {NAMES[event.card]}.{refill}{end}", "key")


@tell.register
def _(event: Attacked, names: Names) -> Line | Chapter:
    lost = [card(event.lost) if event.lost else "", money(event.money) if event.money else ""]
    lost += [points(event.research, "research")]
    what = listed([part for part in lost if part])
    loses = f"loses {what}" if what else "loses nothing"
    return Line(f"{NAMES[event.kaiju]} attacks: {names[event.seat]} {loses}.", "key" if what else "minor")


@tell.register
def _(event: Threatened, _names: Names) -> Line | Chapter:
    return Line(f"{NAMES[event.new]} threatens now.")


@tell.register
def _(event: Discarded, _names: Names) -> Line | Chapter:
    return Line(f"Nobody took {cards(event.cards)}.", "minor")


@tell.register
def _(event: Scored, names: Names) -> Line | Chapter:
    made = listed([f"{NAMES[it]} {vp}" for it, vp in event.products.items()]) or "no New Product"
    majority = f", majority {event.majority}" if event.majority else ""
    of = "city" if event.cities == 1 else "different cities"
    line = Line(
        f"{names[event.seat]} has {event.vp} VP: {made}{majority}, {event.cities} {of} {event.cities_vp}."
        f" The bank holds {money(event.bank)}."
    )
    return Chapter("The reckoning", [line]) if event.seat == 0 else line


@tell.register
def _(event: Ended, _names: Names) -> Line | Chapter | None:
    """Who won is the referee's to say: forfeits count."""
    return Line("No Handbag came in time: the game is scored as it stands.") if event.capped else None
