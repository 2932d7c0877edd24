"""What holds for every format, every size of field and of table."""

from collections import Counter, defaultdict
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bots.formats.model import Entrant, Plan, SetResult
from bots.formats.schedule_length import most_sets
from bots.formats.settings import (
    Gauntlet,
    Groups,
    KingOfTheHill,
    Knockout,
    League,
    RoundRobin,
    Spec,
    Swiss,
    read_spec,
    write_spec,
)
from engine.dice import Dice
from tests import thorough
from tests.bots.formats.drawing import Event, events, sizes_of
from tests.bots.formats.playing import EVENT, Player, all_crash, by_dice, field, final_plan, play_out, void
from tournaments.ledger.formats.planning import plan_event

SLOW = settings(max_examples=thorough.budget(10, full=250), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check_rounds(spec: Spec, entrants: list[Entrant], done: Plan) -> None:
    """Check that nobody sits at two tables in a round, or has a bye beside a table, and the size of every table."""
    heats = {(p.stage, p.round, p.table): p.entrants for p in done.pairings}
    busy: defaultdict[int, list[int]] = defaultdict(list)
    smallest, seats = sizes_of(spec)
    panel = spec.panel if isinstance(spec, Gauntlet) else ()  # whose bots sit at many tables
    for (_, number, _), seated in heats.items():
        assert smallest <= len(seated) <= seats
        busy[number].extend(entrant for entrant in seated if entrant not in panel)
    for bye in done.byes:
        busy[bye.round].append(bye.entrant)
    assert sorted(busy) == [*range(1, done.round + 1)]
    assert all(max(Counter(sitting).values()) == 1 for sitting in busy.values())
    assert len({p.key for p in done.pairings}) == len(done.pairings)
    assert set().union(*busy.values()) == {entrant.id for entrant in entrants} - set(panel)


@SLOW
@given(events())
def test_an_event_ends_with_a_winner_and_everybody_in_the_table_once(event: Event) -> None:
    spec, entrants = event
    done = final_plan(spec, entrants)
    assert done.done
    assert len(done.winners) == 1
    assert done.winners[0] == done.table[0].entrant
    assert sorted(row.entrant for row in done.table) == [entrant.id for entrant in entrants]
    assert [row.rank for row in done.table] == [*range(1, len(entrants) + 1)]
    assert len(done.pairings) <= most_sets(spec, len(entrants))
    check_rounds(spec, entrants, done)


def largest(seats: int) -> list[Spec]:
    robin = RoundRobin(seats, max(2, seats - 1), rounds=0 if seats == 2 else 10)
    knockouts = [Knockout(seats, 2), Knockout(seats, 2, lives=2)]
    made: list[Spec] = [
        Gauntlet((100, 101, 102, 103, 104, 105, 106), seats),
        Groups(8, 3, robin, knockouts[0]),
        League(robin, 20, 3),
    ]
    return [robin, Swiss(seats, 2, 10), *knockouts, KingOfTheHill(seats, 2), *made]


@pytest.mark.parametrize("spec", largest(8), ids=lambda spec: f"{spec.tag}")
def test_two_hundred_enter(spec: Spec) -> None:
    entrants = field(200)
    done = final_plan(spec, entrants)
    assert (done.done, len(done.winners), len(done.table)) == (True, 1, 200)
    check_rounds(spec, entrants, done)


@SLOW
@given(events(most=80))
def test_byes_differ_by_one_at_most_among_all_who_are_in_to_the_end_of_a_stage(event: Event) -> None:
    """Double elimination is left out: a bracket too small for a table waits, and two of one owner sit out."""
    spec, entrants = event[0], [replace(entrant, owner=entrant.id) for entrant in event[1]]
    done = final_plan(spec, entrants)
    byes = Counter((bye.stage, bye.entrant) for bye in done.byes)
    for stage in {pairing.stage for pairing in done.pairings} - {"king_of_the_hill"}:
        remaining = {e for pairing in done.pairings if pairing.stage == stage for e in pairing.entrants}
        remaining |= {bye.entrant for bye in done.byes if bye.stage == stage}
        kind = spec.then if isinstance(spec, Groups) and stage == "final" else spec
        if isinstance(kind, Knockout):
            remaining = set(done.pairings[-1].entrants) if kind.lives == 1 else set()
        counts = [byes[stage, entrant] for entrant in remaining]
        assert max(counts, default=0) - min(counts, default=0) <= 1


@SLOW
@given(events(most=24), st.data())
def test_a_plan_does_not_depend_on_the_order_of_entrants_or_results(event: Event, data: st.DataObject) -> None:
    spec, entrants = event
    _, results = play_out(spec, entrants)
    part = data.draw(st.lists(st.sampled_from(sorted(results)), unique=True))
    forwards = {key: results[key] for key in part}
    backwards = {key: results[key] for key in sorted(part, reverse=True)}
    assert plan_event(spec, entrants[::-1], backwards, event=EVENT) == plan_event(spec, entrants, forwards, event=EVENT)


@SLOW
@given(events(most=24), st.data())
def test_what_was_issued_stays_issued_whatever_comes_in(event: Event, data: st.DataObject) -> None:
    spec, entrants = event
    done, results = play_out(spec, entrants)
    keys = data.draw(st.lists(st.sampled_from(sorted(results)), unique=True))
    cut = data.draw(st.integers(0, len(keys)))
    less = plan_event(spec, entrants, {key: results[key] for key in keys[:cut]}, event=EVENT)
    more = plan_event(spec, entrants, {key: results[key] for key in keys}, event=EVENT)
    assert set(less.pairings) <= set(more.pairings) <= set(done.pairings)
    assert set(less.byes) <= set(more.byes) <= set(done.byes)


@SLOW
@given(events(most=24), st.integers(0, 10_000))
def test_after_a_restart_at_any_point_the_event_goes_on_the_same(event: Event, point: int) -> None:
    """Results come in one at a time, in any order, and the plan is made afresh after each of some of them."""
    spec, entrants = event
    done, _ = play_out(spec, entrants)
    results: dict[str, SetResult] = {}
    dice = Dice.of(f"order {point}")
    while (now := plan_event(spec, entrants, results, event=EVENT)).now:
        waiting = list(now.now)
        dice.shuffle(waiting)
        results |= {pairing.key: by_dice(pairing) for pairing in waiting[: 1 + dice.below(len(waiting))]}
    assert now == done


@SLOW
@given(events(most=40), st.data())
def test_who_leaves_plays_the_round_that_is_issued_and_none_after_it(event: Event, data: st.DataObject) -> None:
    spec, entrants = event
    results: dict[str, SetResult] = {}
    rounds = data.draw(st.integers(0, 3))
    while (now := plan_event(spec, entrants, results, event=EVENT)).now and now.round <= rounds:
        results |= {pairing.key: by_dice(pairing) for pairing in now.now}
    leaving = data.draw(st.lists(st.sampled_from(entrants), unique=True, max_size=len(entrants)))
    left = [replace(e, last_round=now.round, disqualified=e.id % 2 == 0) if e in leaving else e for e in entrants]
    after = plan_event(spec, left, results, event=EVENT)
    assert after.pairings[: len(now.pairings)] == now.pairings
    done, _ = play_out(spec, left, results=results)
    gone = {entrant.id for entrant in leaving}
    assert not any(gone & set(pairing.entrants) for pairing in done.pairings if pairing.round > now.round)
    assert not any(bye.entrant in gone and bye.round > now.round for bye in done.byes)
    assert sorted(row.entrant for row in done.table) == [entrant.id for entrant in entrants]


@pytest.mark.parametrize("player", [all_crash, void])
@SLOW
@given(event=events(most=30))
def test_an_event_ends_though_all_crash_or_every_set_is_cancelled(player: Player, event: Event) -> None:
    spec, entrants = event
    done = final_plan(spec, entrants, player)
    assert done.done
    assert len(done.winners) == 1


@given(events(most=40))
def test_settings_survive_json(event: Event) -> None:
    spec, _ = event
    assert read_spec(write_spec(spec)) == spec


EVERY: list[Spec] = [
    RoundRobin(),
    RoundRobin(seats=8),
    Swiss(),
    Swiss(seats=8),
    Knockout(),
    Knockout(lives=2),
    Knockout(seats=4, fewest=2),
    KingOfTheHill(),
    Groups(2, 2, RoundRobin(), Knockout()),
    League(RoundRobin(), size=5),
]


@pytest.mark.parametrize("spec", EVERY)
def test_a_disqualification_after_the_final_lets_the_next_one_win(spec: Spec) -> None:
    entrants = field(9)
    done, results = play_out(spec, entrants)
    winner, second = done.table[0].entrant, done.table[1].entrant
    out = [replace(e, last_round=done.round, disqualified=True) if e.id == winner else e for e in entrants]
    after = plan_event(spec, out, results, event=EVENT)
    assert after.done
    assert after.winners == (second,)
    assert after.table[-1].entrant == winner
    assert after.pairings == done.pairings
