"""Whether a line is enough: nothing is said of ladders in which it is, and circles are found where they are."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from random import Random
from statistics import fmean

import pytest

from tests import thorough
from tests.tournaments.ratings.ledgers import duel, duels
from tests.tournaments.ratings.world import one_set, played
from tournaments.ratings.cycles import triads
from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.ledger import RatedSet
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.strays import Stray, Strays
from tournaments.ratings.transitivity import Transitivity, transitivity

WORLDS, BOTS = thorough.budget(30, full=300), range(12)


def fitted(sets: Sequence[RatedSet]) -> Fit:
    return fit_ratings(Pairs(sets))


def look(sets: Sequence[RatedSet], listed: Sequence[int] = BOTS) -> Transitivity:
    return transitivity(fitted(sets).strays, listed)


def circle(draw: Random, sets: int, clash: float) -> list[RatedSet]:
    """Duels of twelve, of three styles each of which beats the next by so many Elo."""
    tables = [draw.sample(BOTS, 2) for _ in range(sets)]
    return [one_set(_elos(table, clash), number, table, draw, 0.0) for number, table in enumerate(tables, 1)]


def _elos(table: Sequence[int], clash: float) -> Mapping[int, float]:
    first, second = table
    return {first: clash * ((second - first + 1) % 3 - 1), second: 0.0}


LADDERS = [(2, 0, 0.0, 1200), (2, 300, 0.5, 1200), (4, 150, 0.5, 600)]


@pytest.mark.parametrize(("seats", "sd", "deal", "sets"), LADDERS)
def test_where_a_line_is_enough_pairs_stray_and_cycles_stand_out_as_seldom_as_said(
    seats: int, sd: float, deal: float, sets: int
) -> None:
    findings = []
    for seed in range(WORLDS):
        draw = Random(f"line {seed} {seats} {sd}")
        findings.append(look(played({bot: draw.gauss(1500, sd) for bot in BOTS}, sets, seats, draw, deal=deal)))
    most = 0.05 + 3 * (0.05 * 0.95 / WORLDS) ** 0.5
    assert fmean(finding.pairs for finding in findings) > 15
    assert fmean(finding.straying > 0 for finding in findings) <= most
    assert fmean(finding.as_many <= 0.05 for finding in findings) <= most
    assert fmean(any(cycle.chance < 0.05 for cycle in finding.strongest) for finding in findings) <= most
    assert abs(fmean(finding.cycles for finding in findings) - fmean(finding.by_chance for finding in findings)) < 0.3


def test_styles_that_beat_each_other_in_a_circle_are_named() -> None:
    finding = look(circle(Random("circle"), 1500, 200))
    assert finding.as_many == 1 / 200
    assert finding.cycles > 20 > finding.by_chance
    assert finding.straying > 10
    assert all(
        (surprise.other - surprise.one) % 3 == 1 and surprise.taken > surprise.expected
        for surprise in finding.surprises
    )
    (a, b, c), shares = finding.strongest[0].versions, finding.strongest[0].shares
    assert ((b - a) % 3, (c - b) % 3) == (1, 1)
    assert min(shares) > 0.5
    assert finding.strongest[0].chance < 0.05
    assert [cycle.chance for cycle in finding.strongest] == sorted(cycle.chance for cycle in finding.strongest)


def test_a_circle_that_never_fails_is_found_though_nothing_varies() -> None:
    finding = transitivity(fit_ratings(Pairs(duels({(1, 2): 60, (2, 3): 60, (3, 1): 60}).sets)).strays, [1, 2, 3])
    assert (finding.pairs, finding.triples, finding.cycles) == (3, 1, 1)
    assert finding.strongest[0].versions == (1, 2, 3)
    assert finding.strongest[0].shares == (1, 1, 1)
    assert {(surprise.one, surprise.other, surprise.taken, surprise.expected) for surprise in finding.surprises} == {
        *((1, 2, 1.0, 0.5), (2, 3, 1.0, 0.5), (3, 1, 1.0, 0.5))
    }


def test_a_pair_that_met_only_each_other_tells_nothing_of_lines() -> None:
    finding = look([duel(number, *((1, 2) if number % 3 else (2, 1))) for number in range(200)])
    assert (finding.pairs, finding.straying, finding.triples) == (1, 0, 0)


def test_only_versions_that_play_now_are_looked_at() -> None:
    sets = circle(Random("listed"), 1500, 150)
    surest = look(sets).strongest[0]
    assert look(sets, surest.versions).strongest[0].versions == surest.versions
    assert look(sets, surest.versions[:2]).triples == 0
    assert look(sets, []) == look([])


def test_the_same_ledger_gives_the_same_bytes_in_any_order() -> None:
    sets = circle(Random("order"), 600, 60)
    assert repr(asdict(look(sets))) == repr(asdict(look(sets[::-1])))


@pytest.mark.parametrize("seed", range(5))
def test_cycles_are_counted_as_one_would_by_hand(seed: int) -> None:
    draw = Random(seed)
    beats = {pair if draw.random() < 0.5 else pair[::-1] for pair in combinations(range(15), 2) if draw.random() < 0.7}
    by_hand = sum(
        {(a, b), (b, c), (c, a)} <= beats or {(b, a), (c, b), (a, c)} <= beats for a, b, c in combinations(range(15), 3)
    )
    assert triads(sorted(beats)) == by_hand > 0


def test_of_very_many_pairs_those_that_tell_most_are_looked_at_for_cycles() -> None:
    """The 150 bots all met: 11,175 pairs, of which cycles are looked for among 5,000."""
    draw = Random("many")
    pairs = {
        pair: Stray(5, draw.randrange(403_200), 403_200, 0.0, 9 + sum(pair)) for pair in combinations(range(150), 2)
    }
    finding = transitivity(Strays(0.1, pairs), range(150))
    assert finding.pairs == 11_175
    assert 0 < finding.triples < 150 * 149 * 148 // 6
    assert {min(cycle.versions) > 20 for cycle in finding.strongest} == {True}
    assert len(finding.strongest) == len(finding.surprises) == 10
