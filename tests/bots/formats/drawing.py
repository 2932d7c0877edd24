"""Settings and fields of every kind, for properties that hold for all of them."""

from dataclasses import replace

from hypothesis import strategies as st

from bots.formats.model import Entrant
from bots.formats.settings import Gauntlet, Groups, KingOfTheHill, Knockout, League, RoundRobin, Spec, Swiss
from tests.bots.formats.playing import field

Event = tuple[Spec, list[Entrant]]


def sizes_of(spec: Spec) -> tuple[int, int]:
    """The smallest and the largest table."""
    match spec:
        case Groups():
            (smallest, seats), (fewer, more) = sizes_of(spec.first), sizes_of(spec.then)
            return min(smallest, fewer), max(seats, more)
        case League():
            return sizes_of(spec.season)
        case _:
            return spec.fewest or spec.seats, spec.seats


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, int]:
    seats = draw(st.integers(2, 8))
    return seats, draw(st.integers(2, seats) | st.just(0))


@st.composite
def robins(draw: st.DrawFn) -> RoundRobin:
    return RoundRobin(*draw(tables()), rounds=draw(st.integers(0, 6)), sets=draw(st.integers(1, 2)))


@st.composite
def swisses(draw: st.DrawFn) -> Swiss:
    lot = draw(st.sampled_from(["seeded", "lot"]))
    owners_apart = draw(st.booleans())
    return Swiss(*draw(tables()), rounds=draw(st.integers(0, 1)), first=lot, owners_apart=owners_apart)  # type: ignore[arg-type]


@st.composite
def knockouts(draw: st.DrawFn) -> Knockout:
    seats, fewest = draw(tables())
    reseeded = Knockout(
        seats,
        fewest,
        lives=draw(st.sampled_from([1, 2])),
        advance=draw(st.integers(0, seats - 1)),
        sets=draw(st.sampled_from([(1,), (1, 2)])),
        extra=draw(st.integers(0, 3)),
        owners_apart=draw(st.booleans()),
        edition=draw(st.sampled_from([1, 2])),
    )
    if seats == 2 and reseeded.lives == 1:
        reseeded = replace(reseeded, third_place=draw(st.booleans()))
    return draw(fixed(reseeded)) if draw(st.booleans()) else reseeded


@st.composite
def fixed(draw: st.DrawFn, spec: Knockout) -> Knockout:
    """Return the same with a fixed bracket, at tables of any size, so that every field can play it."""
    on = draw(st.sampled_from([count for count in range(1, spec.seats) if spec.seats % count == 0]))
    return replace(spec, lives=1, fewest=2, advance=on, bracket="fixed")


@st.composite
def hills(draw: st.DrawFn) -> KingOfTheHill:
    return KingOfTheHill(*draw(tables()), extra=draw(st.integers(0, 2)))


@st.composite
def single_events(draw: st.DrawFn, most: int) -> Event:
    spec = draw(st.one_of(robins(), swisses(), knockouts(), hills()))
    return spec, field(draw(st.integers(sizes_of(spec)[0], most)))


@st.composite
def gauntlets(draw: st.DrawFn, most: int) -> Event:
    seats, fewest = draw(tables())
    panel = draw(st.integers((fewest or seats) - 1, 8))
    entrants = field(draw(st.integers(panel + 1, most)))
    spec = Gauntlet(tuple(e.id for e in entrants[:panel]), seats, fewest, rounds=draw(st.integers(0, 4)))
    return spec, entrants


@st.composite
def group_events(draw: st.DrawFn, most: int) -> Event:
    first, then = draw(st.one_of(robins(), swisses())), draw(st.one_of(robins(), swisses(), knockouts()))
    smallest = sizes_of(first)[0]
    groups = draw(st.integers(1, most // smallest))
    qualify = draw(st.integers(-(-sizes_of(then)[0] // groups), max(-(-sizes_of(then)[0] // groups), most // groups)))
    return Groups(groups, qualify, first, then), field(
        draw(st.integers(groups * max(smallest, qualify), max(most, 16)))
    )


@st.composite
def leagues(draw: st.DrawFn, most: int) -> Event:
    season = draw(st.one_of(robins(), swisses()))
    smallest = sizes_of(season)[0]
    size = draw(st.integers(2 * smallest, 30))
    spec = League(season, size, seasons=draw(st.integers(1, 3)), moves=draw(st.integers(0, size // 2)))
    return spec, field(draw(st.integers(smallest, most)))


def events(most: int = 200) -> st.SearchStrategy[Event]:
    """Any format with a field of its smallest size to `most` (never below what tables of eight need)."""
    return st.one_of(single_events(most), gauntlets(most), group_events(most), leagues(most))
