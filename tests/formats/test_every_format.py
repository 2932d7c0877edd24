"""What holds for every format, every size of field and of table."""

from collections import Counter, defaultdict
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.dice import Dice
from tests.formats.playing import EVENT, Player, all_crash, by_dice, field, play_out, void, whole
from tournaments.formats import Entrant, Knockout, Plan, RoundRobin, SetResult, Spec, Swiss, plan, read_spec, write_spec

SLOW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def specs(draw: st.DrawFn) -> Spec:
    """Settings of any format; a small number of rounds where there may be many."""
    seats = draw(st.integers(2, 8))
    fewest = draw(st.integers(2, seats))
    sets = draw(st.integers(1, 2))
    return draw(
        st.one_of(
            st.builds(RoundRobin, st.just(seats), st.just(fewest), st.integers(0, 6), st.just(sets)),
            st.builds(Swiss, st.just(seats), st.just(fewest), st.integers(0, 1), st.just(sets)),
            st.builds(
                Knockout,
                st.just(seats),
                st.just(fewest),
                lives=st.sampled_from([1, 2]),
                advance=st.integers(0, seats - 1),
                sets=st.sampled_from([(1,), (1, 2)]),
                owners_apart=st.booleans(),
            ),
        )
    )


@st.composite
def events(draw: st.DrawFn, most: int = 200) -> tuple[Spec, list[Entrant]]:
    spec = draw(specs())
    return spec, field(draw(st.integers(spec.fewest, most)))


def check_rounds(spec: Spec, entrants: list[Entrant], done: Plan) -> None:
    """Nobody sits at two tables in a round or has a bye beside a table; every table is of a size that is allowed."""
    heats = {(p.stage, p.round, p.table): p.entrants for p in done.pairings}
    busy: defaultdict[int, list[int]] = defaultdict(list)
    for (_, number, _), seated in heats.items():
        assert spec.fewest <= len(seated) <= spec.seats
        busy[number].extend(seated)
    for bye in done.byes:
        busy[bye.round].append(bye.entrant)
    assert sorted(busy) == [*range(1, done.round + 1)]
    assert all(max(Counter(who).values()) == 1 for who in busy.values())
    assert len({p.key for p in done.pairings}) == len(done.pairings)
    assert set().union(*busy.values()) == {entrant.id for entrant in entrants}


@SLOW
@given(events())
def test_an_event_ends_with_a_winner_and_everybody_in_the_table_once(event: tuple[Spec, list[Entrant]]) -> None:
    spec, entrants = event
    done = whole(spec, entrants)
    assert done.done
    assert len(done.winners) == 1
    assert done.winners[0] == done.table[0].entrant
    assert sorted(row.entrant for row in done.table) == [entrant.id for entrant in entrants]
    assert [row.rank for row in done.table] == [*range(1, len(entrants) + 1)]
    check_rounds(spec, entrants, done)


@SLOW
@given(events(most=80))
def test_byes_of_those_who_stay_differ_by_one_at_most(event: tuple[Spec, list[Entrant]]) -> None:
    spec, entrants = event
    if isinstance(spec, Knockout):
        spec = replace(spec, lives=1)
    done = whole(spec, entrants)
    byes = Counter(bye.entrant for bye in done.byes)
    last = {p.round: set[int]() for p in done.pairings}
    for pairing in done.pairings:
        last[pairing.round] |= set(pairing.entrants)
    there = {entrant.id for entrant in entrants} if not isinstance(spec, Knockout) else last[done.round]
    counts = {byes[entrant] for entrant in there}
    assert max(counts) - min(counts) <= 1


@SLOW
@given(events(most=24), st.data())
def test_a_plan_does_not_depend_on_the_order_of_entrants_or_results(
    event: tuple[Spec, list[Entrant]], data: st.DataObject
) -> None:
    spec, entrants = event
    _, results = play_out(spec, entrants)
    part = data.draw(st.lists(st.sampled_from(sorted(results)), unique=True))
    some = {key: results[key] for key in part}
    backwards = {key: results[key] for key in sorted(part, reverse=True)}
    assert plan(spec, entrants[::-1], backwards, event=EVENT) == plan(spec, entrants, some, event=EVENT)


@SLOW
@given(events(most=24), st.data())
def test_what_was_issued_stays_issued_whatever_comes_in(event: tuple[Spec, list[Entrant]], data: st.DataObject) -> None:
    spec, entrants = event
    done, results = play_out(spec, entrants)
    keys = data.draw(st.lists(st.sampled_from(sorted(results)), unique=True))
    cut = data.draw(st.integers(0, len(keys)))
    less = plan(spec, entrants, {key: results[key] for key in keys[:cut]}, event=EVENT)
    more = plan(spec, entrants, {key: results[key] for key in keys}, event=EVENT)
    assert set(less.pairings) <= set(more.pairings) <= set(done.pairings)
    assert set(less.byes) <= set(more.byes) <= set(done.byes)


@SLOW
@given(events(most=24), st.integers(0, 10_000))
def test_after_a_restart_at_any_point_the_event_goes_on_the_same(event: tuple[Spec, list[Entrant]], point: int) -> None:
    """Results come in one at a time, in any order, and the plan is made afresh after each of some of them."""
    spec, entrants = event
    done, _ = play_out(spec, entrants)
    results: dict[str, SetResult] = {}
    dice = Dice.of(f"order {point}")
    while (now := plan(spec, entrants, results, event=EVENT)).now:
        waiting = list(now.now)
        dice.shuffle(waiting)
        results |= {pairing.key: by_dice(pairing) for pairing in waiting[: 1 + dice.below(len(waiting))]}
    assert now == done


@SLOW
@given(events(most=40), st.data())
def test_who_leaves_plays_what_is_issued_and_nothing_after_it(
    event: tuple[Spec, list[Entrant]], data: st.DataObject
) -> None:
    spec, entrants = event
    results: dict[str, SetResult] = {}
    rounds = data.draw(st.integers(0, 3))
    while (now := plan(spec, entrants, results, event=EVENT)).now and now.round <= rounds:
        results |= {pairing.key: by_dice(pairing) for pairing in now.now}
    leaving = data.draw(st.lists(st.sampled_from(entrants), unique=True, max_size=len(entrants)))
    left = [replace(e, last_round=now.round, disqualified=e.id % 2 == 0) if e in leaving else e for e in entrants]
    after = plan(spec, left, results, event=EVENT)
    assert after.pairings[: len(now.pairings)] == now.pairings
    done, _ = play_out(spec, left, results=results)
    gone = {entrant.id for entrant in leaving}
    assert not any(gone & set(pairing.entrants) for pairing in done.pairings[len(now.pairings) :])
    assert not any(bye.entrant in gone and bye.round > now.round for bye in done.byes)
    assert sorted(row.entrant for row in done.table) == [entrant.id for entrant in entrants]


@pytest.mark.parametrize("player", [all_crash, void])
@SLOW
@given(event=events(most=30))
def test_an_event_ends_though_all_crash_or_every_set_is_cancelled(
    player: Player, event: tuple[Spec, list[Entrant]]
) -> None:
    spec, entrants = event
    done = whole(spec, entrants, player)
    assert done.done
    assert len(done.winners) == 1


@given(specs())
def test_settings_survive_json(spec: Spec) -> None:
    assert read_spec(write_spec(spec)) == spec


@pytest.mark.parametrize(
    "spec", [RoundRobin(), RoundRobin(seats=8), Swiss(), Swiss(seats=8), Knockout(), Knockout(lives=2)]
)
def test_a_disqualification_after_the_final_lets_the_next_one_win(spec: Spec) -> None:
    entrants = field(9)
    done, results = play_out(spec, entrants)
    winner, second = done.table[0].entrant, done.table[1].entrant
    out = [replace(e, last_round=done.round, disqualified=True) if e.id == winner else e for e in entrants]
    after = plan(spec, out, results, event=EVENT)
    assert after.done
    assert after.winners == (second,)
    assert after.table[-1].entrant == winner
    assert after.pairings == done.pairings
