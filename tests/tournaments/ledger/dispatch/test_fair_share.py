"""Who is next of all that waits."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.ledger.dispatch.fair_share import (
    AGAIN,
    ASKED,
    CHECK,
    HOUSE,
    Floor,
    Waiting,
    choose_sets,
    part_of_workers,
)
from tournaments.ledger.dispatch.sets_under_way import Place, UnderWay


def floor(workers: int, room: int | None = None, under_way: list[Waiting] | None = None) -> Floor:
    made = Floor({"all": workers}, Counter({"all": 2 * workers if room is None else room}))
    for waiting in under_way or []:
        made.take(waiting)
    return made


def sets(line: str, count: int, first: int = 1, *, of: tuple[int, ...] = (), slow: bool = False) -> list[Waiting]:
    """Sets that wait in a line, with the bots `of`, or with somebody new at each table."""
    tables = {number: frozenset(of or (1000 + number,)) for number in range(first, first + count)}
    return [Waiting(n, line, "all", bots, bots, bots if slow else frozenset()) for n, bots in tables.items()]


def test_checks_come_first_then_requests_within_their_quota_then_the_others() -> None:
    waiting = [*sets("ladder 1", 9), *sets(ASKED, 9, 100), *sets(CHECK, 2, 200)]
    assert [choice.line for choice in choose_sets(waiting, floor(8, 10))] == [
        CHECK,
        CHECK,
        ASKED,
        ASKED,
        "ladder 1",
        "ladder 1",
    ]


def test_of_one_owners_checks_no_more_are_under_way_than_there_are_workers() -> None:
    quiet = floor(4)
    quiet.only_checks = True
    assert len(choose_sets(sets(CHECK, 20, of=(1,)), quiet)) == 4


def test_a_check_comes_first_though_its_owners_bots_are_in_every_set_of_a_busy_ladder() -> None:
    """This holds with one worker too, where nearly always one of them is under way."""
    playing, waiting = sets("ladder 1", 1, of=(1,)), sets("ladder 1", 5, 10, of=(1,))
    check = sets(CHECK, 1, 200, of=(1,))
    assert choose_sets([*waiting, *check], floor(1, 1, playing)) == check


def in_turns(count: int, first: int = 1, used: int = 9000) -> list[Waiting]:
    """Checks of owners who have used up the day's time for checks that come first."""
    return [replace(check, used=used) for check in sets(CHECK, count, first)]


def test_checks_that_take_turns_come_after_other_checks_and_have_half_of_the_workers() -> None:
    waiting = [*sets(CHECK, 1, 100), *in_turns(9), *sets("ladder 1", 9, 200)]
    chosen = choose_sets(waiting, floor(4, 12))
    assert [(sent.line, sent.used > 0) for sent in chosen[:2]] == [(CHECK, False), (CHECK, True)]
    assert {sent.line for sent in chosen[2:]} == {"ladder 1"}
    quiet = floor(4, 12)
    quiet.only_checks = True
    assert [sent.used > 0 for sent in choose_sets(waiting[:-9], quiet)] == [False, True, True]


def test_checks_of_the_sites_own_bots_are_many_at_once_but_let_those_that_come_first_pass() -> None:
    house = [replace(check, used=HOUSE, owners=frozenset({7})) for check in sets(CHECK, 3)]
    first, ladder = sets(CHECK, 1, 100), sets("ladder 1", 3, 200)
    assert choose_sets([*first, *house, *ladder], floor(1, 3)) == [*first, *house[:2]]
    waits = floor(1, 3)
    waits.first_waits = True
    assert choose_sets([*house, *ladder], waits) == ladder


def test_of_checks_that_take_turns_that_of_the_owner_who_used_least_is_next() -> None:
    checks = sorted([*in_turns(3), *in_turns(1, 50, used=6000)], key=lambda check: (check.used, check.set))
    assert [sent.set for sent in choose_sets(checks, floor(1))] == [50]


def test_with_one_worker_ladders_have_as_long_as_checks_took() -> None:
    resting = floor(1)
    resting.checks_rest = True
    assert choose_sets([*in_turns(3), *sets(CHECK, 1, 100)], resting) == sets(CHECK, 1, 100)
    assert choose_sets(in_turns(1), floor(1)) == in_turns(1)


def test_requests_that_take_long_do_not_come_first() -> None:
    waiting = [*sets(ASKED, 3, 1, slow=True), *sets("ladder 1", 3, 100)]
    (sent,) = choose_sets(waiting, Floor({"all": 1}, Counter({"all": 1}), served={ASKED: 1}))
    assert sent.line == "ladder 1"


@given(st.integers(1, 20), st.lists(st.integers(1, 40), min_size=2, max_size=6))
def test_every_line_gets_its_share_however_long_another_is(workers: int, lengths: list[int]) -> None:
    waiting = [queued for n, length in enumerate(lengths) for queued in sets(f"ladder {n}", length, 1000 * n + 1)]
    held = Counter(choice.line for choice in choose_sets(waiting, floor(workers)))
    fair = 2 * workers // len(lengths)
    assert all(held[f"ladder {n}"] >= min(length, fair) for n, length in enumerate(lengths))


def test_with_one_worker_lines_take_turns_though_one_has_older_sets_than_all_others() -> None:
    waiting = [*sets("old", 50), *sets("new", 3, 900), *sets("newest", 3, 990)]
    served: dict[str, int] = {}
    order = []
    for _ in range(6):
        (sent,) = choose_sets(waiting, Floor({"all": 1}, Counter({"all": 1}), served=served))
        waiting.remove(sent)
        order.append(sent.line)
    assert Counter(order) == {"old": 2, "new": 2, "newest": 2}


def test_nobody_is_in_more_than_half_of_the_workers_sets_while_somebody_else_waits() -> None:
    hog, crowd = sets("ladder 1", 20, of=(1, 2)), sets("ladder 1", 20, 100)
    assert Counter(choice in hog for choice in choose_sets([*hog, *crowd], floor(8, 12))) == {True: 4, False: 8}
    assert len(choose_sets(hog, floor(8, 12))) == 12  # nobody else waits


def test_long_sets_never_have_more_than_half_of_the_workers() -> None:
    slow = sets("ladder 1", 20, of=(1,), slow=True)
    assert [len(choose_sets(slow, floor(workers))) for workers in (1, 2, 8)] == [1, 1, 4]
    assert choose_sets(slow[4:], floor(8, under_way=slow[:4])) == []
    assert len(choose_sets([*slow, *sets("ladder 2", 20, 100)], floor(8))) == 16


def test_spot_checks_have_a_small_share_of_their_own() -> None:
    assert [len(choose_sets(sets(AGAIN, 50), floor(workers))) for workers in (1, 20, 100)] == [1, 2, 10]


@pytest.mark.parametrize(("workers", "half"), [(0, 1), (1, 1), (3, 1), (4, 2), (9, 4)])
def test_half_of_the_workers_is_one_at_least(workers: int, half: int) -> None:
    assert part_of_workers(workers, 2) == half


def test_what_is_under_way_is_counted_by_its_difference_as_if_it_were_counted_anew() -> None:
    draw, under_way, asked = Random(9), UnderWay(), []
    everything = {
        waiting.set: waiting
        for line in range(3)
        for waiting in sets(f"ladder {line}", 30, 100 * line + 1, of=(line, 7))
    }

    def seat(places: Mapping[int, Place]) -> list[Waiting]:
        asked.append(len(places))
        return [everything[number] for number in places]

    for look in range(20):
        now = [everything[number] for number in draw.sample(sorted(everything), draw.randrange(60))]
        under_way.chosen = {waiting.set: waiting for waiting in now[:10]}
        held = under_way.at({waiting.set: (waiting.line, waiting.queue) for waiting in now}, float(look // 10), seat)
        counted = floor(1, under_way=now)
        assert (+held.lines, +held.held) == (counted.lines, counted.held)
    assert sum(asked) < 20 * 30  # sets that were known were not asked for again


def test_who_sits_in_the_sets_just_chosen_is_not_asked_unless_they_went_elsewhere() -> None:
    here, elsewhere = sets("ladder 1", 2)
    under_way, asked = UnderWay(chosen={each.set: each for each in (here, elsewhere)}), list[int]()

    def seat(places: Mapping[int, Place]) -> list[Waiting]:
        asked.extend(places)
        return [replace(elsewhere, queue="another")]

    under_way.at({here.set: (here.line, here.queue), elsewhere.set: (elsewhere.line, "another")}, 0.0, seat)
    assert (asked, under_way.held.lines) == ([elsewhere.set], Counter({"ladder 1": 2}))


def test_all_lines_of_a_space_have_one_share_together() -> None:
    """Whether it has one ladder or five, with one worker or with twelve."""
    spaces = {f"ladder {number}": "space 1" for number in range(2, 7)}
    for workers in (1, 12):
        sent, served = Counter[str](), dict[str, int]()
        for _ in range(60):
            waiting = [Waiting(number, f"ladder {number % 7}", "all") for number in range(140)]
            floor = Floor({"all": workers}, Counter({"all": workers}), served=served, spaces=spaces)
            sent.update(choice.line for choice in choose_sets(waiting, floor))
        sites = [sent[f"ladder {number}"] for number in range(2)]
        together = [sent[line] for line in spaces]
        assert sites == [sum(together)] * 2
        assert max(together) - min(together) <= 1


def test_what_lines_of_a_space_hold_already_counts_against_its_share() -> None:
    held, spaces = Counter({"ladder 2": 3}), {"ladder 2": "space 1", "ladder 3": "space 1"}
    made = Floor({"all": 9}, Counter({"all": 4}), lines=held, spaces=spaces)
    sent = choose_sets([*sets("ladder 3", 9), *sets("ladder 0", 9, 100)], made)
    assert [choice.line for choice in sent] == ["ladder 0"] * 3 + ["ladder 3"]


def test_of_lines_alike_that_with_the_oldest_set_is_next() -> None:
    (sent,) = choose_sets([*sets("ladder 1", 2, 2), *sets("ladder 2", 20, 1)], floor(1, 1))
    assert sent.set == 1


def test_requests_come_first_only_within_their_quota() -> None:
    waiting = [*sets("ladder 1", 20), *sets(ASKED, 20, 100)]
    assert [choice.line for choice in choose_sets(waiting, floor(12, 5))] == [ASKED] * 3 + ["ladder 1"] * 2


def test_a_check_waits_for_its_owners_own_checks_and_not_for_those_of_others() -> None:
    busy = sets(CHECK, 2, of=(1,))
    crew = Floor({"all": 2, "another": 6}, Counter({"all": 9}))
    for waiting in busy:
        crew.take(waiting)
    assert choose_sets(sets(CHECK, 1, 50, of=(1,)), crew) == []
    assert len(choose_sets(sets(CHECK, 1, 50, of=(2,)), crew)) == 1


@pytest.mark.parametrize("workers", [2, 3, 10])
def test_checks_of_many_owners_leave_half_of_the_workers_to_others(workers: int) -> None:
    waiting = [*sets(CHECK, 40), *sets("ladder 1", 40, 100)]
    chosen = choose_sets(waiting, floor(workers))
    assert Counter(choice.line for choice in chosen)[CHECK] == workers // 2
    assert {choice.line for choice in choose_sets(sets("ladder 1", 40, 100), floor(workers, under_way=chosen))} == {
        "ladder 1"
    }


def test_checks_have_all_workers_where_nothing_else_is_open() -> None:
    quiet = floor(3, 6)
    quiet.only_checks = True
    assert len(choose_sets(sets(CHECK, 40), quiet)) == 6


def test_no_sets_are_sent_ahead_for_workers_that_have_a_check() -> None:
    busy = floor(3, 6, sets(CHECK, 2, 50))
    assert len(choose_sets(sets("ladder 1", 40), busy)) == 2


def test_few_sets_are_sent_ahead_of_a_check_that_waits() -> None:
    waits = floor(4, 8)
    waits.first_waits = True
    assert len(choose_sets(sets("ladder 1", 40), waits)) == 4


def test_a_queue_without_room_sends_nothing() -> None:
    assert choose_sets(sets("ladder 1", 3), floor(4, 0)) == []
    assert choose_sets([Waiting(1, "ladder 1", "another")], floor(4)) == []


def test_crowded_are_holders_of_half_the_workers_and_the_slow_while_long_sets_have_half() -> None:
    slow = sets("ladder 1", 1, of=(1,), slow=True)
    two, three = sets("ladder 2", 1, 10, of=(2,)), sets("ladder 3", 1, 20, of=(3,))
    waiting = [*slow, *two, *three]
    half = floor(4, under_way=[*sets("ladder 2", 2, 30, of=(2,)), *sets("ladder 3", 1, 40, of=(3,))])
    assert half.crowded("all", waiting) == {("version", 2), ("owner", 2)}
    assert half.crowded("another", waiting) == set()
    for long_set in sets("ladder 9", 2, 50, slow=True):
        half.take(long_set)
    assert half.crowded("all", waiting) == {("version", 2), ("owner", 2), ("version", 1)}
