"""Marks by thresholds on chances: the interval beside SciPy's, its coverage, and the scheme as it is written."""

from random import Random

import pytest
from scipy.stats import binomtest

from tournaments.core.errors import Refused
from tournaments.features.courses.marking_text import SchemeLine, read_scheme, write_scheme
from tournaments.features.courses.marks import LEAST, MOST, Record, Rule, mark_of, more_sets


@pytest.mark.parametrize(("won", "sets"), [(0, 1), (0, 20), (7, 20), (20, 20), (511, 1000)])
def test_the_interval_is_wilsons(won: int, sets: int) -> None:
    interval = binomtest(won, sets).proportion_ci(0.95, "wilson")
    assert Record(won, sets).interval == pytest.approx((interval.low, interval.high), abs=1e-12)


def test_a_rule_is_reached_by_the_estimate_and_sure_by_the_whole_interval() -> None:
    rules = [Rule(1, 60, 10), Rule(1, 75, 20), Rule(2, 50, 5), Rule(3, 50, 7)]
    thirds = sum(1 / 3 + 1 / 3 + 1 / 3 - 1 / 3 for _ in range(90))  # 60 of 90, not quite
    mark = mark_of(rules, {1: Record(180, 240), 2: Record(thirds, 90)})
    assert (mark.points, mark.sure, mark.of) == (35, 15, 42)
    assert [(line.reached, line.sure) for line in mark.lines] == [
        (True, True),
        (True, False),
        (True, True),
        (False, False),
    ]
    assert mark_of([Rule(1, 60, 1)], {1: Record(sum([0.6] * 50), 50)}).points == 1


def test_what_others_do_changes_no_mark() -> None:
    mine = {1: Record(30, 50)}
    assert mark_of([Rule(1, 60, 10)], mine) == mark_of([Rule(1, 60, 10)], {**mine, 9: Record(1, 50)})


@pytest.mark.parametrize("chance", [0.05, 0.3, 0.5, 0.9])
def test_sets_are_dealt_until_the_chance_is_known_and_the_interval_holds_it(chance: float) -> None:
    """The stop looks at the results: 95 % are promised, and no less than 93 % are kept."""
    draw, kept, runs = Random(f"{chance}"), 0, 1500
    for _ in range(runs):
        record = Record()
        while more := more_sets(record, 0, 10):
            wins = sum(draw.random() < chance for _ in range(min(more, 4)))
            record = Record(record.won + wins, record.sets + min(more, 4))
        low, high = record.interval
        kept += low <= chance <= high
        assert LEAST <= record.sets <= 100
        assert high - low < 0.23
    assert kept / runs > 0.93


def test_how_many_more_counts_what_is_under_way_and_has_an_end() -> None:
    assert more_sets(Record(), 0, 10) == 93
    assert more_sets(Record(), 90, 10) == 3
    assert more_sets(Record(50, 100), 0, 10) == 0
    assert more_sets(Record(), 0, 1) == MOST


def test_a_scheme_is_read_as_it_is_written() -> None:
    text = " 10 = 60\u202f%\u00a0Greedy Gus \r\n\n5=50 %  Ünal 100% \n"
    lines = [SchemeLine(10, 60, "Greedy Gus"), SchemeLine(5, 50, "Ünal 100%")]
    assert read_scheme(text) == lines
    assert read_scheme(write_scheme(lines)) == lines


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "has a line for each rule"),
        ("10 = 60% A\nA: 60", "line 2 is 'A: 60'"),
        ("0 = 60% A", "line 1 gives 0 points"),
        ("1 = 100% A", "line 1 asks for 100 %"),
        ("1 = 0% A", "asks for 0 %"),
        ("1 = 60% A\n2 = 60% a", "60 % against a is listed twice"),
        ("٣ = 60% A", "write points = percent% bot"),
        ("\n".join(f"1 = {percent}% A" for percent in range(1, 50)), "40 lines at most"),
    ],
)
def test_a_wrong_scheme_is_refused_with_its_line(text: str, says: str) -> None:
    with pytest.raises(Refused, match=says) as refused:
        read_scheme(text)
    assert refused.value.code == "bad_scheme"
