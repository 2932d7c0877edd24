"""The solver: every vector, and against two independent methods."""

from collections import Counter
from itertools import chain, combinations, product

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games.zaibatsu import CARDS, COMPANIES, best
from engine.games.zaibatsu.pieces import EITHER
from tests import thorough

IDS = [company.id for company in COMPANIES]
MIRROR = str.maketrans("RGOKWBab", "GRKOBWba")
conglomerates = st.lists(st.sampled_from(IDS), unique=True)
VECTORS = {
    "Z-T1": {" ".join(IDS): 435},
    "Z-T2": {"M01": 3, "M01 P01": 9, "M01 P01 P02": 9},
    "Z-T3": {"M01 M02 P01": 12},
    "Z-T4": {"M13 P03": 9},
    "Z-T5": {"M13 P01": 9},
    "Z-T6": {"M13 P01 P11": 9},
    "Z-T7": {"M07 M12 P03 A01": 27},
    "Z-T8": {"M03 M04 M05 P11 P12 A01 A09": 51},
    "Z-T9": {"M09 P08 P11": 9},
    "Z-T10": {"M07 P01 P03 A04": 9, "M07 M10 P01 P03 A04": 27},
    "Z-T11": {"F01 F02 A01": 0},
    "Z-T12": {"M13 M16 M19 P03 P08 A05": 36},
    "Z-T13": {"M07 M10 M11 M12 P03 P08 A05 A10 F05": 84},
    "Z-T14": {"M02 M07 M11 M12 M17 P03 P08 A05 A07 F05": 87},
    "Z-T15": {"M19 M20 P01 P06 A03": 27},
    "Z-T16": {"M01 M02 M03 M04 M05 M06 P01 P06 P11 P12 A01 A08 F05": 102},
}


def by_enumeration(cards: list[str]) -> int:
    """The highest score of all sets of companies that can run, each set tried."""
    subsets = chain.from_iterable(combinations(cards, size) for size in range(len(cards) + 1))
    return max(sum(CARDS[card].score for card in subset) for subset in subsets if can_run(subset))


def can_run(cards: tuple[str, ...]) -> bool:
    """Whether one way to settle the split symbols covers all inputs."""
    needs = Counter("".join(CARDS[card].inputs for card in cards))
    outputs = Counter(EITHER.get(out, out) for card in cards for out in CARDS[card].outputs)
    splits = [pair for pair in outputs if len(pair) == 2]
    for firsts in product(*(range(outputs[pair] + 1) for pair in splits)):
        made = Counter({kind: n for kind, n in outputs.items() if len(kind) == 1})
        for pair, first in zip(splits, firsts, strict=True):
            made[pair[0]] += first
            made[pair[1]] += outputs[pair] - first
        if needs <= made:
            return True
    return False


def by_linear_programming(cards: list[str]) -> int:
    """The same by scipy's mixed-integer solver: a 0/1 for each company, a whole number for each use of a split."""
    splits = sorted(EITHER)
    uses = [(split, kind) for split in splits for kind in EITHER[split]]
    rows = []
    for kind in "RYGOKWB":  # inputs - fixed outputs - what splits give <= 0
        companies = [CARDS[card].inputs.count(kind) - CARDS[card].outputs.count(kind) for card in cards]
        rows.append([*companies, *(-(use[1] == kind) for use in uses)])
    for split in splits:  # what a split gives <= its symbols
        companies = [-CARDS[card].outputs.count(split) for card in cards]
        rows.append([*companies, *(int(use[0] == split) for use in uses)])
    tops = [1] * len(cards) + [99] * len(uses)
    worth = [-CARDS[card].score for card in cards] + [0] * len(uses)
    limits = scipy.optimize.LinearConstraint(np.array(rows), ub=np.zeros(len(rows)))
    bounds, integrality = scipy.optimize.Bounds(0, np.array(tops)), np.ones(len(tops), dtype=int)
    solution = scipy.optimize.milp(worth, constraints=limits, bounds=bounds, integrality=integrality)
    assert solution.fun is not None
    return -round(solution.fun)


@pytest.mark.parametrize(("name", "cards", "score"), [(n, c, s) for n, v in VECTORS.items() for c, s in v.items()])
def test_each_vector_has_its_score(name: str, cards: str, score: int) -> None:
    """Z-T1, Z-T2, Z-T3, Z-T4, Z-T5, Z-T6, Z-T7, Z-T8, Z-T9, Z-T10, Z-T11, Z-T12, Z-T13, Z-T14, Z-T15, Z-T16"""
    assert best(cards.split()).score == score, name
    assert by_linear_programming(cards.split()) == score


@pytest.mark.parametrize(
    ("cards", "operating", "splits"),
    [
        ("M13 P03", "M13 P03", {"M13": "RY"}),
        ("M13 P01", "M13 P01", {"M13": "RR"}),
        ("M19 M20 P01 P06 A03", "A03 M19 M20 P01", {"M19": "RR", "M20": "GG"}),
    ],
)
def test_the_witness_of_a_vector(cards: str, operating: str, splits: dict[str, str]) -> None:
    """Z-T4, Z-T5, Z-T15"""
    assert best(cards.split()).operating == tuple(operating.split())
    assert best(cards.split()).splits == splits


def test_one_refinery_makes_each_resource() -> None:
    """Z-T8"""
    run = best(["M03", "M04", "M05", "P11", "P12", "A01", "A09"])
    assert sorted(run.splits.values()) == ["K", "O"]


def test_one_owner_of_all_leaves_no_basic_over() -> None:
    """Z-T1, Z-O1"""
    run = best(IDS)
    assert len(run.operating) == 48
    needs = Counter("".join(company.inputs for company in COMPANIES))
    assert sum(needs[kind] for kind in "RYG") == sum(len(CARDS[card].outputs) for card in IDS if card[0] == "M")


@settings(max_examples=thorough.budget(20, full=300), deadline=None)
@given(st.lists(st.sampled_from(IDS), unique=True, max_size=12))
def test_no_set_of_companies_scores_more(cards: list[str]) -> None:
    """Z-A1, Z-A2"""
    assert best(cards).score == by_enumeration(cards)


@settings(max_examples=thorough.budget(33, full=500), deadline=None)
@given(conglomerates)
def test_a_mixed_integer_program_finds_the_same_score(cards: list[str]) -> None:
    """Z-A1, Z-A2"""
    assert best(cards).score == by_linear_programming(cards)


@settings(deadline=None)
@given(conglomerates)
def test_the_witness_runs_and_scores_what_is_said(cards: list[str]) -> None:
    """Z-A1, Z-F24"""
    run = best(cards)
    assert set(run.operating) <= set(cards)
    assert run.score == sum(CARDS[card].score for card in run.operating)
    made = Counter("".join(run.splits.get(card, CARDS[card].outputs) for card in run.operating))
    assert Counter("".join(CARDS[card].inputs for card in run.operating)) <= made
    for card, outputs in run.splits.items():
        assert len(outputs) == len(CARDS[card].outputs)
        assert set(outputs) <= set(EITHER[CARDS[card].outputs[0]])


def mirrored(card: str) -> str:
    """The company with red and green, orange and black, white and blue exchanged; c stays itself."""
    company = CARDS[card]
    twins = [c.id for c in COMPANIES if recipe(c.inputs, c.outputs) == recipe(*turned(company.inputs, company.outputs))]
    recipes_alike = [c.id for c in COMPANIES if recipe(c.inputs, c.outputs) == recipe(company.inputs, company.outputs)]
    return twins[recipes_alike.index(card)]


def turned(inputs: str, outputs: str) -> tuple[str, str]:
    return inputs.translate(MIRROR), outputs.translate(MIRROR)


def recipe(inputs: str, outputs: str) -> tuple[list[str], list[str]]:
    return sorted(inputs), sorted(outputs)


@settings(deadline=None)
@given(conglomerates)
def test_a_mirrored_conglomerate_scores_the_same(cards: list[str]) -> None:
    """Z-T17, Z-O1"""
    assert best(map(mirrored, cards)).score == best(cards).score


@settings(deadline=None)
@given(st.permutations(IDS), st.integers(0, 47))
def test_one_more_card_never_lowers_the_score(cards: list[str], size: int) -> None:
    """Z-A2"""
    assert best(cards[:size]).score <= best(cards[: size + 1]).score


def test_the_order_of_the_cards_does_not_matter() -> None:
    """Z-A3: so that the cache on the sorted cards is right."""
    assert best(["P01", "M01"]) is best(["M01", "P01"])
