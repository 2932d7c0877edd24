"""What happens in Kaiju Incorporated, in plain sentences."""

from collections.abc import Sequence
from functools import singledispatch
from typing import Final

from bots.viewer.commentary.story import Chapter, Line, join_with_and
from bots.viewer.language import decimal, say
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


SHUFFLED: Final = {
    "building": "The Building deck is reshuffled and holds %(size)s cards.",
    "product": "The Product deck is reshuffled and holds %(size)s cards.",
    "kaiju": "The Kaiju deck is reshuffled and holds %(size)s cards.",
}


def cards(ids: Sequence[str]) -> str:
    return join_with_and([card_name(id_) for id_ in ids]) or say("nothing")


def card_name(id_: str) -> str:
    return f"{NAMES[id_]} ({SUITS[SUIT[id_]]})" if id_ in SUIT else NAMES[id_]


def yen(amount: int) -> str:
    return f"{amount}¥"


def research(number: int) -> str:
    return say("%(number)s research", number=number) if number else ""


def number_of_times(number: int) -> str:
    return {1: "", 2: say(" twice")}.get(number, say(" %(number)s times", number=number))


@singledispatch
def tell(event: Event, _names: Names) -> Line | Chapter | None:
    """The sentence for one event, a chapter it begins, or None where there is nothing to say."""
    raise TypeError(f"Kaiju Incorporated has no event {event!r}")


@tell.register
def _(event: Setup, names: Names) -> Line | Chapter:
    run = join_with_and(
        [
            say("%(name)s runs %(company)s", name=name, company=COMPANY[id_].name)
            for name, id_ in zip(names, event.companies, strict=True)
        ]
    )
    return Line(
        say(
            "%(run)s. %(name)s starts, %(kaiju)s threatens.",
            run=run,
            name=names[event.start_player],
            kaiju=NAMES[event.kaiju],
        )
    )


@tell.register
def _(event: TurnBegun, names: Names) -> Line | Chapter:
    sixth = say(", and beside it %(sixth)s", sixth=card_name(event.sixth)) if event.sixth else ""
    line = Line(
        say(
            "%(name)s starts. The row is %(row)s%(sixth)s.",
            name=names[event.start_player],
            row=cards(event.row),
            sixth=sixth,
        )
    )
    return Chapter(say("Turn %(turn)s", turn=event.turn), [line])


@tell.register
def _(event: Reshuffled, _names: Names) -> Line | Chapter:
    return Line(say(SHUFFLED[event.deck], size=event.size), "minor")


@tell.register
def _(event: Built, names: Names) -> Line | Chapter:
    return Line(
        say(
            "%(name)s pays %(cost)s for %(card)s; %(bank)s are left.",
            name=names[event.seat],
            cost=yen(event.cost),
            card=card_name(event.card),
            bank=yen(event.bank),
        ),
        deed=say("%(name)s built %(card)s", name=names[event.seat], card=card_name(event.card)),
    )


@tell.register
def _(event: Rebuilt, names: Names) -> Line | Chapter:
    name = names[event.seat]
    return Line(
        say(
            "%(name)s starts over: %(discarded)s are gone, %(card)s is bought.",
            name=name,
            discarded=cards(event.discarded),
            card=card_name(event.card),
        ),
        "key",
        deed=say("%(name)s started over", name=name),
    )


@tell.register
def _(event: SpecialDone, names: Names) -> Line | Chapter | None:
    revealed = say("turns up %(revealed)s", revealed=cards(event.revealed)) if event.revealed else ""
    chosen = SUITS.get(event.chosen) or (card_name(event.chosen) if event.chosen else "")
    chosen = say("chooses %(chosen)s", chosen=chosen) if chosen else ""
    rival = say("picks %(rival)s", rival=names[event.rival]) if event.rival is not None else ""
    done = join_with_and([part for part in (revealed, rival, chosen) if part])
    return Line(f"{names[event.seat]} {done}.") if done else None


@tell.register
def _(event: IncomeBegun, names: Names) -> Line | Chapter:
    suit = SUITS[event.suit]
    if event.seat is None:
        return Line(say("%(card)s brings %(suit)s income for all.", card=card_name(event.card), suit=suit))
    return Line(
        say(
            "%(name)s discards %(card)s for %(suit)s income.", name=names[event.seat], card=NAMES[event.card], suit=suit
        )
    )


@tell.register
def _(event: Paid, names: Names) -> Line | Chapter:
    gets = [yen(event.money) if event.money else "", research(event.research)]
    gets += [say("%(number)s kaiju", number=decimal(event.kaiju)) if event.kaiju else ""]
    eureka = say(" Eureka%(times)s!", times=number_of_times(event.products)) if event.products else ""
    alarm = say(" The Kaiju comes%(times)s!", times=number_of_times(event.attacks)) if event.attacks else ""
    got = join_with_and([part for part in gets if part]) or say("nothing")
    line = say(
        "%(name)s gets %(got)s, and has %(bank)s.%(eureka)s%(alarm)s",
        name=names[event.seat],
        got=got,
        bank=yen(event.bank),
        eureka=eureka,
        alarm=alarm,
    )
    return Line(line, "" if event.products or event.attacks else "minor")


@tell.register
def _(event: ProductTaken, names: Names) -> Line | Chapter:
    refill = say(" %(card)s is turned up.", card=NAMES[event.refill]) if event.refill else ""
    end = say(" The game ends with this turn.") if event.trigger else ""
    return Line(
        say(
            "%(name)s brings out the %(card)s.%(refill)s%(end)s",
            name=names[event.seat],
            card=NAMES[event.card],
            refill=refill,
            end=end,
        ),
        "key",
        deed=say("%(name)s brought out the %(card)s", name=names[event.seat], card=NAMES[event.card]),
    )


@tell.register
def _(event: Attacked, names: Names) -> Line | Chapter:
    lost = [card_name(event.lost) if event.lost else "", yen(event.money) if event.money else ""]
    lost += [research(event.research)]
    what = join_with_and([part for part in lost if part])
    loses = say("loses %(what)s", what=what) if what else say("loses nothing")
    return Line(
        say("%(kaiju)s attacks: %(name)s %(loses)s.", kaiju=NAMES[event.kaiju], name=names[event.seat], loses=loses),
        "key" if what else "minor",
        deed=say("%(kaiju)s attacked %(name)s", kaiju=NAMES[event.kaiju], name=names[event.seat]) if what else "",
    )


@tell.register
def _(event: Threatened, _names: Names) -> Line | Chapter:
    return Line(say("%(new)s threatens now.", new=NAMES[event.new]))


@tell.register
def _(event: Discarded, _names: Names) -> Line | Chapter:
    return Line(say("Nobody took %(cards)s.", cards=cards(event.cards)), "minor")


@tell.register
def _(event: Scored, names: Names) -> Line | Chapter:
    made = join_with_and([f"{NAMES[id_]} {vp}" for id_, vp in event.products.items()]) or say("no New Product")
    majority = say(", majority %(majority)s", majority=event.majority) if event.majority else ""
    of = say("city") if event.cities == 1 else say("different cities")
    line = Line(
        say(
            "%(name)s has %(vp)s VP: %(made)s%(majority)s, %(cities)s %(of)s %(cities_vp)s. The bank holds %(bank)s.",
            name=names[event.seat],
            vp=event.vp,
            made=made,
            majority=majority,
            cities=event.cities,
            of=of,
            cities_vp=event.cities_vp,
            bank=yen(event.bank),
        )
    )
    return Chapter(say("The reckoning"), [line]) if event.seat == 0 else line


@tell.register
def _(event: Ended, _names: Names) -> Line | Chapter | None:
    """Return a line if the game was cut short. The referee says who won, for forfeits count."""
    return Line(say("No Handbag came in time: the game is scored as it stands.")) if event.capped else None
