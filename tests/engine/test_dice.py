"""Draws are fixed for ever: the same on every machine and Python version."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice import Dice, QuickDice, commitment

KINDS = st.sampled_from([Dice, QuickDice])


def test_the_draws_of_a_seed_never_change() -> None:
    dice = Dice.of("boardroom")
    assert dice.key.hex() == "b5d1f1e5a37c5fd79d3601733b7a0feb5276bd99524e75479747afc9034f3e94"
    assert [dice.below(100) for _ in range(10)] == [2, 10, 26, 7, 79, 42, 37, 11, 19, 59]
    cards = list("abcdefgh")
    dice.shuffle(cards)
    assert ("".join(cards), dice.pick("xyz"), dice.drawn) == ("agebchdf", "z", 18)
    assert dice.fork().key.hex() == "757c00ba00a47266e27e74e1449286c2cb3af10fb6e3b3f992c16e852a0416ac"


def test_the_quick_draws_of_a_seed_are_the_same_everywhere() -> None:
    dice = QuickDice.of("boardroom")
    assert [dice.below(100) for _ in range(10)] == [84, 60, 23, 91, 60, 29, 39, 84, 34, 40]
    cards = list("abcdefgh")
    dice.shuffle(cards)
    assert ("".join(cards), dice.pick("xyz"), dice.fork().below(1000)) == ("hafdcbeg", "y", 772)


def test_the_commitment_is_the_sha256_of_the_seed() -> None:
    assert commitment("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@given(KINDS, st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.integers(1, 2**53))
def test_a_draw_lies_below_its_limit(kind: type[Dice], seed: str, n: int) -> None:
    assert 0 <= kind.of(seed).below(n) < n


@given(KINDS, st.integers(0, 50))
def test_a_copy_draws_the_same_and_leaves_the_original(kind: type[Dice], drawn: int) -> None:
    dice = kind.of("copied")
    for _ in range(drawn):
        dice.below(2)
    copy = dice.copy()
    assert type(copy) is kind
    assert [copy.below(1000) for _ in range(5)] == [dice.below(1000) for _ in range(5)]


@pytest.mark.parametrize("kind", [Dice, QuickDice])
def test_forks_differ_from_their_source_and_each_other(kind: type[Dice]) -> None:
    dice = kind.of("seed")
    forks = [dice.fork(), dice.fork()]
    assert [type(fork) for fork in forks] == [kind, kind]
    assert len({dice.key, *(fork.key for fork in forks)}) == 3
    assert len({tuple(die.below(1000) for _ in range(3)) for die in (dice, *forks)}) == 3


@pytest.mark.parametrize("kind", [Dice, QuickDice])
def test_draws_are_even(kind: type[Dice]) -> None:
    """Numbers come up evenly, and so do pairs of one draw and the next."""
    dice = kind.of("even")
    draws = [dice.below(6) for _ in range(6000)]
    counts, pairs = Counter(draws), Counter(pairwise(draws))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert all(900 < count < 1100 for count in counts.values())
    assert len(pairs) == 36
    assert all(110 < count < 230 for count in pairs.values())


@given(KINDS, st.lists(st.integers()), st.text("ab"))
def test_a_shuffle_keeps_every_item(kind: type[Dice], items: list[int], seed: str) -> None:
    shuffled = items.copy()
    kind.of(seed).shuffle(shuffled)
    assert sorted(shuffled) == sorted(items)
