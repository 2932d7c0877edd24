"""What each entrant still needs, said before the end, must be true at the end."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.formats.model import Entrant, Pairing, Plan, SetResult
from bots.formats.settings import Gauntlet, Groups, KingOfTheHill, Knockout, League, RoundRobin, Spec, Swiss
from engine.dice import Dice
from tests import thorough
from tests.bots.formats.playing import EVENT, by_number, field, play_out, seeded
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
        if results[first.key].void:
            lost.clear()  # claims hold if all sets are played
    best = now.table[0].entrant
    assert sure <= {best}
    assert best not in lost
    assert {row.needs for row in now.table} == {""}


def test_with_that_many_points_the_place_is_sure() -> None:
    """Three rounds of four; after two of them 100 has won twice, and the least that a set can bring is enough."""
    entrants = [replace(entrant, rating=3000.0 - entrant.id) for entrant in field(4)]
    results: dict[str, SetResult] = {}
    while (now := plan_event(RoundRobin(), entrants, results, event=EVENT)).round < 3:
        results |= {p.key: SetResult(p.entrants, (places(p),) * 2) for p in now.now}
    needs = {row.entrant: row.needs for row in now.table}
    assert needs[100] == "is sure of first place with 0.25 points from 1 set"
    assert needs[103] == "cannot reach first place any more"


GAMES = [
    ((1, 2), (1, 2)),
    ((1, 2), (1, 1)),
    ((1, 2), (2, 1)),
    ((1, 1), (1, 1)),
    ((2, 1), (1, 1)),
    ((2, 1), (2, 1)),
]  # all that two can make of a set
ONE_GROUP = Groups(1, 2, RoundRobin(), RoundRobin())
Ending = tuple[dict[int, float], dict[int, float], set[int]]  # gained, points in the end, and who has the place


def endings(spec: Spec, entrants: list[Entrant], results: dict[str, SetResult], stage: str) -> Iterator[Ending]:
    """Yield what each outcome of the sets that are left in a stage leads to."""
    now = plan_event(spec, entrants, results, event=EVENT)
    if left := [pairing for pairing in now.now if pairing.stage == stage]:
        for games in GAMES:
            result = SetResult(left[0].entrants, games)
            for gained, points, first in endings(spec, entrants, {**results, left[0].key: result}, stage):
                shares = {entrant: result.beaten(seat, 1 - seat) / 4 for seat, entrant in enumerate(result.entrants)}
                yield (
                    {entrant: gained.get(entrant, 0) + shares.get(entrant, 0) for entrant in {**gained, **shares}},
                    points,
                    first,
                )
        return
    table = next(table for table in now.stages if table.stage == stage)
    racing = {row.entrant: row.points for row in table.rows if not row.needs.startswith("is disq")}
    if isinstance(spec, Groups):
        staying = {entrant.id for entrant in entrants if entrant.last_round is None}
        first = {entrant for pairing in now.pairings if pairing.stage == "final" for entrant in pairing.entrants}
        yield {}, {entrant: points for entrant, points in racing.items() if entrant in staying}, first
    else:
        yield {}, racing, {now.table[0].entrant}


def left_in(spec: Spec, entrants: list[Entrant], results: dict[str, SetResult], stage: str) -> int:
    """How many sets are left in a stage; with no result of them but ties, which no other changes."""
    played = dict(results)
    while now := [p for p in plan_event(spec, entrants, played, event=EVENT).now if p.stage == stage]:
        played[now[0].key] = SetResult(now[0].entrants, GAMES[3])
    return len(played) - len(results)


@settings(max_examples=thorough.budget(25, full=1000), deadline=None)
@given(
    st.sampled_from([RoundRobin(), Swiss(), RoundRobin(sets=2), Gauntlet((100,)), ONE_GROUP]),
    st.integers(3, 6),
    st.integers(0, 10_000),
    st.sampled_from(["stays", "withdraws", "is disqualified"]),
)
def test_what_is_said_of_the_last_sets_is_what_all_their_outcomes_come_to(
    spec: Spec, count: int, seed: int, leaving: str
) -> None:
    """Byes, withdrawals and disqualifications among them. Ties by points are left to tie-breaks."""
    dice, entrants, results = Dice.of(f"{seed}"), field(count + (spec is ONE_GROUP)), dict[str, SetResult]()
    stage = plan_event(spec, entrants, {}, event=EVENT).now[0].stage
    leaver = entrants[-1 - dice.below(2)].id
    if leaving != "stays":
        gone = {"last_round": 1 + dice.below(2), "disqualified": leaving == "is disqualified"}
        entrants = [replace(e, **gone) if e.id == leaver else e for e in entrants]  # type: ignore[arg-type]
    while left_in(spec, entrants, results, stage) > thorough.budget(3, full=4):
        first = plan_event(spec, entrants, results, event=EVENT).now[0]
        results[first.key] = SetResult(first.entrants, GAMES[dice.below(len(GAMES))])
    now = plan_event(spec, entrants, results, event=EVENT)
    places = 2 if spec is ONE_GROUP else 1
    if any(pairing.stage == stage for pairing in now.now):
        ends = list(endings(spec, entrants, results, stage))
        is_drawn = left_in(spec, entrants, results, stage) == sum(pairing.stage == stage for pairing in now.now)
        panel = spec.panel if isinstance(spec, Gauntlet) else ()
        for entrant, needs in needs_of(now, stage).items():
            if not needs.startswith(("has left", "is disq")) and entrant not in panel:
                no_shows = {e for e in (leaver,) if leaving != "stays" and not played_by(now, results, e)}
                outside = {*panel, *no_shows} - {entrant}
                assert_true(entrant, needs, ends, places, outside, is_known=is_drawn or not isinstance(spec, Swiss))


def played_by(now: Plan, results: dict[str, SetResult], entrant: int) -> bool:
    return any(entrant in pairing.entrants for pairing in now.pairings if pairing.key in results or pairing in now.now)


def assert_true(
    entrant: int, needs: str, ends: list[Ending], places: int, outside: set[int], *, is_known: bool
) -> None:
    """Check what a bot needs; with `is_known` all meet, so that nothing is left open."""
    gains = [gained.get(entrant, 0.0) for gained, _, _ in ends]
    is_in = [entrant in first for _, _, first in ends]
    rivals = [[p for e, p in points.items() if e != entrant and e not in outside] for _, points, _ in ends]
    mine = [points[entrant] for _, points, _ in ends]
    ahead = [sum(p > won for p in against) < places for won, against in zip(mine, rivals, strict=True)]  # or level
    sure = [sum(p >= won for p in against) < places for won, against in zip(mine, rivals, strict=True)]
    wins = [gain == max(gains) for gain in gains]
    with_points = re.search(r"with ([\d.]+) points", needs)
    least = float(with_points[1]) if with_points else 0.0
    enough = [gain >= least for gain in gains]

    def holds(where: list[bool], what: list[bool]) -> bool:
        return all(holding for counted, holding in zip(where, what, strict=True) if counted)

    everywhere = [True] * len(ends)
    if needs.startswith("is sure of at least a tie"):
        assert holds(enough, ahead)
        assert not holds(wins, sure)
    elif needs.startswith("is sure of"):
        assert holds(enough, sure)
        assert holds(enough, is_in)
    elif needs.startswith("cannot"):
        assert not any(is_in)
    elif needs.startswith("can at best tie"):
        assert any(ahead)
        assert not any(sure)
    elif is_known or not needs.startswith("has "):
        assert needs.startswith("can reach")
        assert any(is_in)
        assert not needs.startswith("can reach first place if others") or not holds(wins, ahead)
    if not is_known:
        return
    assert holds(everywhere, sure) == bool(re.fullmatch(r"is sure of (first place|the next stage)", needs))
    assert holds(wins, sure) == (needs.startswith("is sure of") and "tie" not in needs)
    assert any(ahead) != needs.startswith("cannot")


def places(pairing: Pairing) -> tuple[int, ...]:
    return tuple(1 + (entrant != min(pairing.entrants)) for entrant in pairing.entrants)


def needs_of(now: Plan, stage: str = "") -> dict[int, str]:
    """Return by entrant what the table of a stage says, or that of all stages, where the latest counts."""
    tables = [table for table in reversed(now.stages) if stage in ("", table.stage)]
    return {row.entrant: row.needs for table in tables for row in table.rows}


GROUPS = Groups(2, 2, RoundRobin(), Knockout())
LEFT = re.compile(r"(up to )?(\d+) sets?( at most)?")


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        (RoundRobin(), 5),
        (RoundRobin(sets=2), 3),
        (RoundRobin(seats=3), 7),
        (RoundRobin(seats=4, rounds=6), 10),
        (Swiss(rank_by=("performance",)), 7),
        (Swiss(seats=4, rounds=5), 10),
        (Gauntlet((100, 101), sets=2), 7),
        (GROUPS, 6),
        (GROUPS, 9),
        (League(RoundRobin(), size=4, seasons=2), 6),
    ],
)
def test_the_sets_that_are_left_are_those_that_it_plays(spec: Spec, count: int) -> None:
    """Rounds without a table are none of them; where nobody knows yet who has one, the number is the most."""
    claims: list[tuple[str, int, int, int, bool]] = []
    results: dict[str, SetResult] = {}
    while (now := plan_event(spec, field(count), results, event=EVENT)).now:
        claims += [
            (table.stage, row.entrant, row.sets, int(left[2]), not (left[1] or left[3]))
            for table in now.stages
            for row in table.rows
            if (left := LEFT.search(row.needs))
        ]
        results[now.now[0].key] = lopsided_and_whole(now.now[0])
    played = Counter((pairing.stage, entrant) for pairing in now.pairings for entrant in pairing.entrants)
    assert claims
    for stage, entrant, sets, left_over, is_certain in claims:
        really = played[stage, entrant] - sets
        assert really == left_over if is_certain else really <= left_over


def lopsided_and_whole(pairing: Pairing) -> SetResult:
    dice = Dice.of(pairing.key)
    scores = [entrant + dice.below(6) for entrant in pairing.entrants]
    return SetResult(pairing.entrants, (tuple(1 + sorted(scores).index(mine) for mine in scores),))


def test_in_a_division_of_three_two_opponents_are_two_sets() -> None:
    now = plan_event(League(RoundRobin(), size=4), field(6), {}, event=EVENT)
    assert {match and match[0] for needs in needs_of(now).values() for match in [LEFT.search(needs)]} == {"2 sets"}


@pytest.mark.parametrize("count", [6, 9])
def test_when_a_group_is_over_its_table_says_who_goes_on_though_others_still_play(count: int) -> None:
    spec, results = GROUPS, dict[str, SetResult]()
    verdicts: dict[str, dict[int, str]] = {}
    while (now := plan_event(spec, seeded(count), results, event=EVENT)).now:
        for group in ("group-1", "group-2"):
            if all(pairing.stage != group for pairing in now.now) and "has reached" in str(needs_of(now, group)):
                verdicts.setdefault(group, needs_of(now, group))
                assert needs_of(now, group) == verdicts[group]
        results[now.now[0].key] = by_number(now.now[0])
    final = {entrant for pairing in now.pairings if pairing.stage == "final" for entrant in pairing.entrants}
    assert verdicts.keys() == {"group-1", "group-2"}
    for entrant, needs in (verdicts["group-1"] | verdicts["group-2"]).items():
        assert needs == ("has reached the next stage" if entrant in final else "has not reached the next stage")


def test_who_qualified_and_left_then_is_not_replaced_in_what_the_group_says() -> None:
    entrants, results = seeded(6), dict[str, SetResult]()
    while (now := plan_event(GROUPS, entrants, results, event=EVENT)).pairings[-1].stage != "final":
        results |= {pairing.key: by_number(pairing) for pairing in now.now}
    gone = [replace(entrant, last_round=now.round) if entrant.id == 1 else entrant for entrant in entrants]
    after = plan_event(GROUPS, gone, results, event=EVENT)
    for group in ("group-1", "group-2"):
        before, later = needs_of(now, group), needs_of(after, group)
        assert {**before, **({1: later[1]} if 1 in later else {})} == later
    assert needs_of(after, "final")[1] == "has left; plays the sets that were dealt"


FORMATS: list[Spec] = [
    RoundRobin(),
    Swiss(),
    Knockout(),
    Knockout(bracket="fixed"),
    Knockout(lives=2),
    KingOfTheHill(),
    Gauntlet((5, 6)),
    GROUPS,
    League(RoundRobin(), size=4, seasons=2),
]


@pytest.mark.parametrize("spec", FORMATS)
def test_who_has_left_needs_nothing_in_any_format(spec: Spec) -> None:
    """It holds from the withdrawal in the first round on, while the bot still plays what was dealt, and after."""
    first = plan_event(spec, seeded(8), {}, event=EVENT)
    leaver = min(first.now[0].entrants)
    gone = [replace(entrant, last_round=1) if entrant.id == leaver else entrant for entrant in seeded(8)]
    now, seen = plan_event(spec, gone, {}, event=EVENT), set[str]()
    results: dict[str, SetResult] = {}
    while now.now:
        seen |= {row.needs for table in now.stages for row in table.rows if row.entrant == leaver}
        results[now.now[0].key] = by_number(now.now[0])
        now = plan_event(spec, gone, results, event=EVENT)
    assert seen <= {"has left", "has left; plays the sets that were dealt"}
    assert "has left; plays the sets that were dealt" in seen


@pytest.mark.parametrize("spec", [Knockout(), Knockout(bracket="fixed")])
def test_who_has_left_is_not_first_while_others_play_on(spec: Knockout) -> None:
    gone = [replace(entrant, last_round=1) if entrant.id == 1 else entrant for entrant in seeded(8)]
    first = plan_event(spec, gone, {}, event=EVENT)
    results = {pairing.key: by_number(pairing) for pairing in first.now if 1 in pairing.entrants}
    assert plan_event(spec, gone, results, event=EVENT).table[0].entrant != 1


@pytest.mark.parametrize("spec", [Knockout(), Knockout(bracket="fixed")])
def test_whose_table_is_over_while_others_play_is_told_what_it_waits_for(spec: Knockout) -> None:
    entrants = seeded(8)
    first, second, *_ = plan_event(spec, entrants, {}, event=EVENT).now
    level = SetResult(second.entrants, ((1, 1), (1, 1)))
    now = plan_event(spec, entrants, {first.key: by_number(first), second.key: level}, event=EVENT)
    needs = needs_of(now)
    assert needs[min(first.entrants)] == "waits for the next round"
    assert needs[max(first.entrants)] == "has lost at its table"
    assert {needs[entrant] for entrant in second.entrants} == {"plays an extra set, as its table is level"}


@pytest.mark.parametrize("spec", [Knockout(third_place=True), Knockout(bracket="fixed", third_place=True)])
def test_who_has_won_the_final_waits_for_no_round_while_third_place_is_played_for(spec: Knockout) -> None:
    entrants, results = seeded(4), dict[str, SetResult]()
    while (now := plan_event(spec, entrants, results, event=EVENT)).round < 2:
        results |= {pairing.key: by_number(pairing) for pairing in now.now}
    final, _ = now.now
    needs = needs_of(plan_event(spec, entrants, results | {final.key: by_number(final)}, event=EVENT))
    assert [needs[entrant] for entrant in (1, 2)] == ["has reached first place", "has lost at its table"]


@pytest.mark.parametrize("spec", [Knockout(), Knockout(bracket="fixed"), KingOfTheHill()])
def test_a_level_table_that_somebody_has_left_plays_no_extra_set_but_those_that_were_dealt(spec: Spec) -> None:
    first = plan_event(spec, seeded(4), {}, event=EVENT).now[0]

    def left(sets: int) -> list[Entrant]:
        leaver = min(first.entrants)
        return [replace(e, last_round=1, last_sets=sets) if e.id == leaver else e for e in seeded(4)]

    def level(pairing: Pairing) -> SetResult:
        return SetResult(pairing.entrants, ((1, 1), (1, 1)))

    for sets in (1, 2):
        results: dict[str, SetResult] = {}
        while (now := plan_event(spec, left(sets), results, event=EVENT)).now:
            results |= {p.key: level(p) if p.entrants == first.entrants else by_number(p) for p in now.now}
        reps = [pairing.rep for pairing in now.pairings if pairing.key.startswith(first.key[:-1])]
        assert reps == [*range(1, sets + 1)]
        assert now.table[-1].entrant != max(first.entrants)


def test_a_win_over_the_rival_is_enough_in_the_last_round_of_a_swiss_and_before_it() -> None:
    """A bot's win from its rival is the rival's loss; so too where there is too much left to go through."""
    spec, entrants, results = Swiss(rounds=2), seeded(4), dict[str, SetResult]()
    for pairing in plan_event(spec, entrants, {}, event=EVENT).now:
        results[pairing.key] = by_number(pairing)
    needs = needs_of(plan_event(spec, entrants, results, event=EVENT))
    assert [needs[entrant] for entrant in (1, 2)] == ["is sure of first place with 0.75 points from 1 set"] * 2
    entrants, results = seeded(8), {}
    while (now := plan_event(RoundRobin(), entrants, results, event=EVENT)).round < 6:
        results |= {p.key: two_lead(p) for p in now.now}
    assert [needs_of(now)[leader] for leader in LEADERS] == ["is sure of first place with 1.51 points from 2 sets"] * 2


LEADERS = 1, 7  # they meet in the last round


def two_lead(pairing: Pairing) -> SetResult:
    """They win, and all others tie."""
    leads = set(LEADERS) & set(pairing.entrants)
    places = tuple(1 + bool(leads and entrant not in leads) for entrant in pairing.entrants)
    return SetResult(pairing.entrants, (places, places))


def test_of_rivals_who_meet_each_other_one_alone_can_pass() -> None:
    """Two of the group go on. The first has 1.75 points, and two rivals with one each meet in the last round."""
    last = [p.entrants for p in play_out(ONE_GROUP, seeded(4))[0].pairings if (p.stage, p.round) == ("group-1", 3)]
    (first, weak), (rival, other) = last
    won = {
        frozenset((first, rival)): SetResult((first, rival), GAMES[0]),
        frozenset((first, other)): SetResult((first, other), GAMES[1]),
        frozenset((rival, weak)): SetResult((rival, weak), GAMES[0]),
        frozenset((other, weak)): SetResult((other, weak), GAMES[1]),
    }
    results: dict[str, SetResult] = {}
    while (now := plan_event(ONE_GROUP, seeded(4), results, event=EVENT)).round < 3:
        results |= {pairing.key: won[frozenset(pairing.entrants)] for pairing in now.now}
    needs = needs_of(now, "group-1")
    assert needs[first] == "is sure of the next stage"
    assert needs[rival] == needs[other] == "is sure of the next stage with 0.75 points from 1 set"
