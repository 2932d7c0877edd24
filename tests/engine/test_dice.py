"""Draws are fixed for ever: the same on every machine and Python version."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from engine.dice import Dice, commitment


def test_the_draws_of_a_seed_never_change() -> None:
    dice = Dice.of("boardroom")
    assert dice.key.hex() == "b5d1f1e5a37c5fd79d3601733b7a0feb5276bd99524e75479747afc9034f3e94"
    assert [dice.below(100) for _ in range(10)] == [2, 10, 26, 7, 79, 42, 37, 11, 19, 59]
    cards = list("abcdefgh")
    dice.shuffle(cards)
    assert ("".join(cards), dice.pick("xyz"), dice.drawn) == ("agebchdf", "z", 18)
    assert dice.fork().key.hex() == "757c00ba00a47266e27e74e1449286c2cb3af10fb6e3b3f992c16e852a0416ac"


def test_the_commitment_is_the_sha256_of_the_seed() -> None:
    assert commitment("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.integers(1, 2**53))
def test_a_draw_lies_below_its_limit(seed: str, n: int) -> None:
    assert 0 <= Dice.of(seed).below(n) < n


@given(st.integers(0, 50))
def test_a_copy_draws_the_same_and_leaves_the_original(drawn: int) -> None:
    dice = Dice(b"k" * 32, drawn)
    copy = dice.copy()
    assert [copy.below(1000) for _ in range(5)] == [dice.below(1000) for _ in range(5)]


def test_forks_differ_from_their_source_and_each_other() -> None:
    dice = Dice.of("seed")
    assert len({dice.key, dice.fork().key, dice.fork().key}) == 3


def test_draws_are_even() -> None:
    dice = Dice.of("even")
    counts = Counter(dice.below(6) for _ in range(6000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert all(900 < count < 1100 for count in counts.values())


@given(st.lists(st.integers()), st.text("ab"))
def test_a_shuffle_keeps_every_item(items: list[int], seed: str) -> None:
    shuffled = items.copy()
    Dice.of(seed).shuffle(shuffled)
    assert sorted(shuffled) == sorted(items)
