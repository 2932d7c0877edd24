"""Who left without playing stands behind everybody who played, in every format."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bots.formats.model import Entrant, Pairing, Plan, SetResult
from bots.formats.settings import Groups, KingOfTheHill, Knockout, RoundRobin, Spec, Swiss
from tests import thorough
from tests.bots.formats.drawing import Event, events
from tests.bots.formats.playing import EVENT, Player, by_dice, by_number, play_out
from tournaments.ledger.formats.planning import plan_event

SLOW = settings(max_examples=thorough.budget(20, full=250), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def seeded(count: int, left: dict[int, int]) -> list[Entrant]:
    """Return entrants of whom 1 is the best seed; `left` are the last rounds of those who leave."""
    return [Entrant(n, rating=3000.0 - n, last_round=left.get(n)) for n in range(1, count + 1)]


def order(plan: Plan) -> list[int]:
    return [row.entrant for row in plan.table]


@pytest.mark.parametrize("bracket", ["", "fixed"])
def test_who_had_a_bye_and_left_does_not_beat_the_winner_of_a_match(bracket: str) -> None:
    """1 has a bye, 2 beats 3, and both leave before the final."""
    spec = Knockout(bracket="fixed") if bracket else Knockout()
    done, _ = play_out(spec, seeded(3, {1: 1, 2: 1}), by_number)
    assert (done.winners, order(done)) == ((2,), [2, 3, 1])
    assert [row.entrant for row in done.stages[0].rows] == [2, 3, 1]


def test_who_waited_while_too_few_were_left_does_not_beat_the_winner_of_a_match() -> None:
    """1 and 2 have byes, 3 wins the table of three, 2 leaves: two are too few for another table."""
    done, _ = play_out(Knockout(seats=3, fewest=3, advance=1), seeded(5, {2: 1}), by_number)
    assert (done.round, done.winners, order(done)[-1]) == (1, (3,), 2)


def cancelled_for(*idle: int) -> Player:
    def player(pairing: Pairing) -> SetResult:
        void = set(idle) & set(pairing.entrants)
        return SetResult(pairing.entrants) if void else by_number(pairing)

    return player


@pytest.mark.parametrize(
    "spec",
    [
        RoundRobin(),
        Swiss(rounds=2),
        Knockout(),
        Knockout(lives=2),
        Knockout(bracket="fixed"),
        Groups(1, 2, RoundRobin(), Knockout()),
    ],
    ids=repr,
)
def test_cancelled_sets_are_not_played(spec: Spec) -> None:
    """The sets of 1 are cancelled, which counts as a bye and lets the better seed go on; then it leaves."""
    rounds = play_out(spec, seeded(5, {}), cancelled_for(1))[0].round
    for last in range(1, rounds + 1):
        done, _ = play_out(spec, seeded(5, {1: last}), cancelled_for(1))
        assert order(done)[-1] == 1


def test_who_left_before_it_sat_on_the_hill_stands_last() -> None:
    done, _ = play_out(KingOfTheHill(), seeded(5, {1: 1, 2: 2}), by_number)
    assert order(done) == [3, 4, 5, 1, 2]


@pytest.mark.parametrize("spec", [Knockout(), Knockout(bracket="fixed"), RoundRobin()])
def test_nobody_wins_where_nobody_has_played(spec: Spec) -> None:
    done, _ = play_out(spec, seeded(2, {1: 1, 2: 1}), lambda pairing: SetResult(pairing.entrants))
    assert done.done
    assert (done.winners, done.places) == ((), {})


@SLOW
@given(events(most=24), st.data())
def test_no_format_places_who_left_without_playing_before_anybody_who_played(event: Event, data: st.DataObject) -> None:
    spec, entrants = event
    leaving = data.draw(st.dictionaries(st.sampled_from([e.id for e in entrants]), st.integers(1, 4)))
    idle = data.draw(st.sets(st.sampled_from([e.id for e in entrants]), max_size=3))

    def player(pairing: Pairing) -> SetResult:
        return SetResult(pairing.entrants) if idle & set(pairing.entrants) else by_dice(pairing)

    field = [replace(entrant, last_round=leaving.get(entrant.id)) for entrant in entrants]
    done, results = play_out(spec, field, player)
    assert plan_event(spec, field, results, event=EVENT) == done
    played = {entrant for result in results.values() if not result.void for entrant in result.entrants}
    gone = {entrant for entrant, last in leaving.items() if last <= done.round} - played
    ranks = order(done)
    assert all(entrant in gone for entrant in ranks[len(ranks) - len(gone) :])
    assert not gone & set(done.winners)
