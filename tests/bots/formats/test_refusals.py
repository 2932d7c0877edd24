"""Bad settings, bad fields, bad results: each refused with a code and a sentence."""

from math import nan
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.formats.model import Entrant, SetResult, ledger
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
)
from bots.formats.validation import check_field, check_places, check_spec, smallest_field
from tests import thorough
from tests.bots.formats.playing import EVENT, all_crash, by_dice, field
from tournaments.core.errors import Refused
from tournaments.ledger.formats.planning import plan_event


def refusal(spec: Spec, count: int) -> str:
    with pytest.raises(Refused) as caught:
        plan_event(spec, field(count), {}, event=EVENT)
    assert caught.value.detail.endswith(".")
    return caught.value.code


@pytest.mark.parametrize(
    ("spec", "count", "code"),
    [
        (RoundRobin(), 1, "too_few_entrants"),
        (RoundRobin(seats=4), 3, "too_few_entrants"),
        (Knockout(), 0, "too_few_entrants"),
        (KingOfTheHill(), 1, "too_few_entrants"),
        (League(RoundRobin(seats=4)), 3, "too_few_entrants"),
        (Groups(4, 2, RoundRobin(), Knockout()), 7, "too_few_entrants"),
        (Groups(4, 2, RoundRobin(seats=3), Knockout()), 11, "too_few_entrants"),
        (Groups(1, 2, RoundRobin(), Knockout(seats=4)), 8, "too_few_entrants"),
        (Gauntlet((100, 101)), 2, "too_few_entrants"),
        (Gauntlet((100, 7)), 4, "unknown_panel"),
        (Gauntlet((100, 100)), 4, "bad_panel"),
        (Gauntlet((100,), seats=3), 4, "bad_panel"),
        (RoundRobin(seats=9), 20, "bad_table_size"),
        (RoundRobin(seats=1), 20, "bad_table_size"),
        (RoundRobin(seats=3, fewest=4), 20, "bad_table_size"),
        (RoundRobin(rounds=-1), 20, "bad_rounds"),
        (Swiss(sets=0), 20, "bad_sets"),
        (Swiss(rank_by=()), 20, "bad_rank_by"),
        (Swiss(rounds=5), 8, "too_many_rounds"),
        (Swiss(rounds=501), 1000, "too_many_rounds"),
        (Groups(1, 4, Swiss(), Swiss(rounds=3)), 100, "too_many_rounds"),
        (Groups(10, 4, Swiss(rounds=51), RoundRobin()), 1000, "too_many_rounds"),
        (League(Swiss(rounds=13), size=16), 1000, "too_many_rounds"),
        (Knockout(sets=()), 8, "bad_sets"),
        (Knockout(sets=(1, 101)), 8, "bad_sets"),
        (Knockout(advance=2), 8, "bad_advance"),
        (Knockout(extra=10), 8, "bad_extra"),
        (Knockout(lives=2, third_place=True), 8, "bad_third_place"),
        (Knockout(seats=3, third_place=True), 8, "bad_third_place"),
        (Knockout(lives=2, bracket="fixed"), 8, "bad_bracket"),
        (Knockout(seats=5, bracket="fixed"), 8, "bad_bracket"),
        (Knockout(seats=4, advance=3, bracket="fixed"), 8, "bad_bracket"),
        (Knockout(seats=4, bracket="fixed"), 5, "uneven_bracket"),
        (Knockout(seats=4, fewest=3, advance=1, bracket="fixed"), 7, "uneven_bracket"),
        (Groups(2, 3, RoundRobin(), Knockout(seats=4, bracket="fixed")), 8, "uneven_bracket"),
        (Groups(2, 2, RoundRobin(), Knockout(lives=2, third_place=True)), 8, "bad_third_place"),
        (Groups(0, 1, RoundRobin(), Knockout()), 8, "bad_groups"),
        (Groups(2, 0, RoundRobin(), Knockout()), 8, "bad_qualify"),
        (League(RoundRobin(), size=3), 8, "bad_size"),
        (League(RoundRobin(), seasons=0), 8, "bad_seasons"),
        (League(RoundRobin(), moves=9), 8, "bad_moves"),
        (Swiss(), 1001, "too_many_entrants"),
        (RoundRobin(sets=3), 200, "too_many_sets"),
    ],
)
def test_what_cannot_be_played_is_refused(spec: Spec, count: int, code: str) -> None:
    assert refusal(spec, count) == code


@pytest.mark.parametrize(
    "spec",
    [
        Swiss(rounds=501),
        Groups(1, 4, Swiss(), Swiss(rounds=3)),
        Groups(10, 4, Swiss(rounds=51), RoundRobin()),
        Groups(600, 1, RoundRobin(), Knockout()),
        Groups(1, 2, RoundRobin(), Knockout(seats=4)),
        League(Swiss(rounds=12), size=16),
        League(Swiss(rounds=13), size=16),
        Groups(2, 600, RoundRobin(), Knockout()),
        Gauntlet(()),
        Gauntlet((1, 1)),
        Gauntlet((1,), seats=3),
        Gauntlet(tuple(range(1, 1001))),
        Gauntlet((1, 2), rounds=1000, sets=100),
        RoundRobin(rounds=1000, sets=100),
        Swiss(seats=3, rounds=1000, sets=100),
        Groups(1, 2, RoundRobin(rounds=1000, sets=100), Knockout()),
        Groups(2, 2, RoundRobin(), RoundRobin(rounds=1000, sets=50)),
        League(RoundRobin(rounds=1000), seasons=100),
    ],
)
def test_what_no_field_could_play_is_refused_when_it_is_set(spec: Spec) -> None:
    with pytest.raises(Refused):
        check_spec(spec)


SEATS, FEW, MANY = st.integers(2, 4), st.integers(0, 4), st.sampled_from([0, 1, 2, 3, 8, 12, 16, 100, 500, 600, 1000])
SETS = st.sampled_from([1, 2, 100])
ROBINS, SWISSES = (st.builds(kind, SEATS, FEW, MANY, SETS) for kind in (RoundRobin, Swiss))
KNOCKOUTS = st.builds(Knockout, SEATS, FEW, advance=FEW, bracket=st.sampled_from(["fixed", "reseeded"]))
PANELS = st.lists(st.integers(1, 9), max_size=4).map(tuple)
ANY_SPEC = st.one_of(
    *(ROBINS, SWISSES, KNOCKOUTS, st.builds(Gauntlet, PANELS, SEATS, FEW, MANY, SETS)),
    st.builds(KingOfTheHill, SEATS, FEW, SETS),
    st.builds(Groups, MANY, MANY, ROBINS | SWISSES, ROBINS | SWISSES | KNOCKOUTS),
    st.builds(League, ROBINS | SWISSES, MANY, st.integers(1, 100), FEW),
)


@settings(max_examples=thorough.budget(100, full=5000), deadline=None)
@given(ANY_SPEC)
def test_what_is_not_refused_when_it_is_set_some_field_can_play(spec: Spec) -> None:
    try:
        check_spec(spec)
    except Refused:
        return
    panel = spec.panel if isinstance(spec, Gauntlet) else ()
    check_field(spec, [*panel, *range(10, 1010)][: smallest_field(spec)])


@pytest.mark.parametrize(
    ("spec", "places", "reason"),
    [
        (Swiss(rounds=5), 9, "with all 9 places taken it could not begin: 5 rounds of Swiss among 9"),
        (Swiss(rounds=5), 10, ""),
        (RoundRobin(seats=4), 3, "with all 3 places taken it could not begin: A table needs 4 bots; taking part: 3."),
        (Groups(4, 2, RoundRobin(), Knockout()), 7, "4 groups make a group of 1"),
        (Groups(4, 2, Swiss(rounds=2), Knockout()), 15, "2 rounds of Swiss among 3"),
        (Groups(4, 2, Swiss(rounds=2), Knockout()), 16, ""),
        (League(Swiss(rounds=4), size=8), 8, ""),
        (Gauntlet((100, 101)), 2, "a gauntlet needs a challenger"),
        (Gauntlet((100, 101)), 3, ""),
        (RoundRobin(sets=3), 200, "sets among 200"),
    ],
)
def test_places_that_cannot_be_filled_and_played_are_refused(spec: Spec, places: int, reason: str) -> None:
    if not reason:
        return check_places(spec, places)
    with pytest.raises(Refused) as refused:
        check_places(spec, places)
    assert refused.value.code == "bad_places"
    assert reason in refused.value.detail
    return None


def test_nobody_enters_twice() -> None:
    with pytest.raises(Refused, match="7 entered twice"):
        plan_event(RoundRobin(), [Entrant(7), Entrant(8), Entrant(7)], {}, event=EVENT)


def test_a_rating_must_be_a_number_to_seed_by() -> None:
    with pytest.raises(Refused, match="The rating of 8 is no number"):
        plan_event(RoundRobin(), [Entrant(7), Entrant(8, rating=nan)], {}, event=EVENT)


def test_a_table_must_be_of_a_size_that_the_game_allows() -> None:
    check_spec(Swiss(seats=4, fewest=3), players=[2, 3, 4])
    with pytest.raises(Refused, match=r"Tables of 3 to 5 cannot be played: the game is for 2, 3, 4 players"):
        check_spec(Swiss(seats=5, fewest=3), players=[2, 3, 4])


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"t": "lottery"},
        {"t": "swiss", "round": 5},
        {"t": "swiss", "rounds": "five"},
        {"t": "swiss", "rank_by": ["luck"]},
        {"t": "knockout", "lives": 3},
        {"t": "knockout", "bracket": "open"},
        {"t": "knockout", "third_place": "yes"},
        {"t": "swiss", "edition": 3},
        {"t": "groups", "groups": 2, "qualify": 1, "first": {"t": "knockout"}, "then": {"t": "knockout"}},
        [],
        None,
    ],
)
def test_settings_that_are_not_what_they_should_be_are_refused(plain: Any) -> None:
    with pytest.raises(Refused) as caught:
        read_spec(plain)
    assert caught.value.code == "bad_format"
    assert caught.value.detail.startswith("format")


def test_settings_are_read_from_json() -> None:
    plain = {"t": "groups", "groups": 2, "qualify": 1, "first": {"t": "swiss", "seats": 4}, "then": {"t": "knockout"}}
    assert read_spec(plain) == Groups(2, 1, Swiss(seats=4), Knockout())


def test_a_second_result_of_a_pairing_that_differs_is_refused() -> None:
    result, other = SetResult((1, 2), ((1, 2), (1, 2))), SetResult((1, 2), ((2, 1), (2, 1)))
    assert ledger([("swiss/1/1/1", result), ("swiss/1/1/1", result)]) == {"swiss/1/1/1": result}
    with pytest.raises(Refused, match="has a result already") as caught:
        ledger([("swiss/1/1/1", result), ("swiss/1/1/1", other)])
    assert caught.value.code == "two_results"


def test_a_result_of_other_entrants_is_refused() -> None:
    first = plan_event(RoundRobin(), field(4), {}, event=EVENT).now[0]
    wrong = SetResult((100, 999), ((1, 2), (1, 2)))
    with pytest.raises(Refused) as caught:
        plan_event(RoundRobin(), field(4), {first.key: wrong}, event=EVENT)
    assert caught.value.code == "wrong_table"


@pytest.mark.parametrize("games", [((1,), (2,)), ((1, 2, 3),)])
def test_a_game_without_a_place_for_every_entrant_is_refused(games: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(Refused) as caught:
        SetResult((1, 2), games)
    assert caught.value.code == "bad_result"


def test_results_of_pairings_that_were_never_issued_are_ignored() -> None:
    strange = {"swiss/9/9/9": SetResult((1, 2), ((1, 2),)), "nonsense": SetResult((1, 2))}
    assert plan_event(Swiss(), field(8), strange, event=EVENT) == plan_event(Swiss(), field(8), {}, event=EVENT)


def test_where_all_have_left_the_event_ends_without_a_winner_if_all_are_disqualified() -> None:
    gone = [Entrant(number, last_round=0, disqualified=True) for number in range(8)]
    done = plan_event(Knockout(), gone, {}, event=EVENT)
    assert (done.done, done.winners, done.pairings) == (True, (), ())


def test_the_panel_does_not_win_though_all_challengers_are_disqualified() -> None:
    entrants = [Entrant(number, disqualified=number > 2) for number in range(1, 6)]
    results = {p.key: all_crash(p) for p in plan_event(Gauntlet((1, 2)), entrants, {}, event=EVENT).now}
    second = plan_event(Gauntlet((1, 2)), entrants, results, event=EVENT)
    done = plan_event(Gauntlet((1, 2)), entrants, results | {p.key: by_dice(p) for p in second.now}, event=EVENT)
    assert (done.done, done.winners) == (True, ())
