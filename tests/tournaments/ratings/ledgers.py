"""Ledgers drawn freely by hypothesis, or written down."""

from collections.abc import Mapping, Sequence

from hypothesis import settings
from hypothesis import strategies as st

from engine.seats import places_by_score
from tests import thorough
from tournaments.ratings.ledger import Game, Ledger, RatedSet, Version

SOME = settings(max_examples=thorough.budget(20, full=1000))


@st.composite
def ledgers(draw: st.DrawFn, *, margin: int = 0, most_sets: int = 12) -> Ledger:
    """Up to nine bots, some of them with a second version that follows the first."""
    bots = draw(st.integers(2, 9))
    seconds = draw(st.lists(st.integers(1, bots), unique=True, max_size=3))
    versions = {bot: Version(f"bot {bot}") for bot in range(1, bots + 1)}
    versions |= {10 + bot: Version(f"bot {bot}", 2, bot) for bot in seconds}
    numbers = draw(st.lists(st.integers(1, 1000), unique=True, max_size=most_sets))
    return Ledger(
        "test", "zaibatsu", [draw(rated_sets(number, list(versions))) for number in numbers], versions, margin
    )


@st.composite
def rated_sets(draw: st.DrawFn, number: int, versions: Sequence[int]) -> RatedSet:
    table = draw(st.lists(st.sampled_from(versions), min_size=2, max_size=min(8, len(versions)), unique=True))
    games = [draw(games_of(table)) for _ in range(draw(st.integers(1, 3)))]
    return RatedSet(number, games)


@st.composite
def games_of(draw: st.DrawFn, table: Sequence[int]) -> Game:
    scores = draw(st.lists(st.integers(-3, 9), min_size=len(table), max_size=len(table)))
    forfeits = draw(st.lists(st.sampled_from([False] * 9 + [True]), min_size=len(table), max_size=len(table)))
    return Game(tuple(draw(st.permutations(table))), places_by_score(scores, forfeits), forfeits, scores)


def duel(number: int, winner: int, loser: int, *, tied: bool = False) -> RatedSet:
    return RatedSet(number, [Game((winner, loser), (1, 1 if tied else 2), (False, False))])


def duels(results: Mapping[tuple[int, int], int]) -> Ledger:
    """A ledger of so many single games won by the first of each pair."""
    pairs = [pair for pair, times in results.items() for _ in range(times)]
    versions = {version: Version(f"bot {version}") for pair in results for version in pair}
    return Ledger("test", "duel", [duel(number, *pair) for number, pair in enumerate(pairs, 1)], versions)
