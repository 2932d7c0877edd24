"""What each entrant still needs, said before the end, must be true at the end."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from bots.formats.model import Pairing, SetResult
from bots.formats.settings import RoundRobin, Swiss
from engine.dice import Dice
from tests import thorough
from tests.bots.formats.playing import EVENT, field
from tournaments.ledger.formats.planning import plan_event


def lopsided(pairing: Pairing, seed: int) -> SetResult:
    """The lower number mostly wins, so that something is decided before the end."""
    dice = Dice.of(f"{seed} {pairing.key}")
    seats = len(pairing.entrants)
    scores = [[entrant + dice.below(6) for entrant in pairing.entrants] for _ in range(seats)]
    games = tuple(tuple(1 + sorted(score).index(mine) for mine in score) for score in scores)
    return SetResult(pairing.entrants, games if dice.below(20) else ())


@settings(max_examples=thorough.budget(12, full=600), deadline=None)
@given(
    st.sampled_from([RoundRobin(), RoundRobin(seats=4, fewest=3, rounds=5), Swiss(seats=3, fewest=2, rounds=5)]),
    st.integers(4, 13),
    st.integers(0, 10_000),
)
def test_who_is_sure_of_the_first_place_gets_it_and_who_cannot_reach_it_does_not(
    spec: RoundRobin | Swiss, count: int, seed: int
) -> None:
    results: dict[str, SetResult] = {}
    sure, lost = set[int](), set[int]()
    while (now := plan_event(spec, field(count), results, event=EVENT)).now:
        sure |= {row.entrant for row in now.table if row.needs == "is sure of first place"}
        lost |= {row.entrant for row in now.table if row.needs.startswith("cannot")}
        first = now.now[0]  # one at a time: claims are made in the middle of rounds too
        results[first.key] = lopsided(first, seed)
    best = now.table[0].entrant
    assert sure <= {best}
    assert best not in lost
    assert {row.needs for row in now.table} == {""}


def test_with_that_many_points_the_place_is_sure() -> None:
    """Three rounds of four; after two of them 100 has won twice, and half a point more cannot be caught."""
    entrants = [replace(entrant, rating=3000.0 - entrant.id) for entrant in field(4)]
    results: dict[str, SetResult] = {}
    while (now := plan_event(RoundRobin(), entrants, results, event=EVENT)).round < 3:
        results |= {p.key: SetResult(p.entrants, (places(p),) * 2) for p in now.now}
    needs = {row.entrant: row.needs for row in now.table}
    assert needs[100] == "is sure of first place with 0.01 points from 1 set"
    assert needs[103] == "cannot reach first place any more"


def places(pairing: Pairing) -> tuple[int, ...]:
    return tuple(1 + (entrant != min(pairing.entrants)) for entrant in pairing.entrants)
