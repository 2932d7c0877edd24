"""The arithmetic of ratings, for all tables and sets."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from engine.seats import places_by_score
from tournaments.ratings.elo import START, Tally, fold, tallies_after
from tournaments.ratings.ledger import Game

TALLIES = st.builds(Tally, milli_elo=st.integers(-500_000, 4_000_000), games=st.integers(0, 300))


@st.composite
def sets(draw: st.DrawFn) -> tuple[list[Game], dict[int, Tally]]:
    size = draw(st.integers(2, 8))
    before = {version: draw(TALLIES) for version in range(1, size + 1)}
    games = []
    for _ in range(draw(st.integers(1, size))):
        forfeits = draw(st.lists(st.booleans(), min_size=size, max_size=size))
        scores = draw(st.lists(st.integers(0, 5), min_size=size, max_size=size))
        games.append(Game(draw(st.permutations(list(before))), places_by_score(scores, forfeits), forfeits))
    return games, before


@given(sets())
def test_what_one_wins_the_others_lose_to_the_last_milli_elo(case: tuple[list[Game], dict[int, Tally]]) -> None:
    games, before = case
    after = tallies_after(games, before)
    assert sum(tally.delta for tally in after.values()) == 0
    assert all(after[version].milli_elo - before[version].milli_elo == after[version].delta for version in before)


@given(sets(), st.randoms(use_true_random=False))
def test_neither_names_nor_seats_nor_the_order_of_games_matter(
    case: tuple[list[Game], dict[int, Tally]], chance: object
) -> None:
    games, before = case
    size = len(before)
    renamed = {version: size * 10 - version for version in before}
    other = []
    for game in reversed(games):
        seats = list(range(size))
        chance.shuffle(seats)  # type: ignore[attr-defined]
        other.append(
            Game(
                [renamed[game.versions[seat]] for seat in seats],
                [game.places[seat] for seat in seats],
                [game.forfeits[seat] for seat in seats],
            )
        )
    renamed_after = tallies_after(other, {renamed[version]: tally for version, tally in reversed(before.items())})
    after = tallies_after(games, before)
    assert {version: renamed_after[renamed[version]].milli_elo for version in before} == {
        v: t.milli_elo for v, t in after.items()
    }


@given(TALLIES, TALLIES)
def test_the_winner_never_loses_points_and_never_more_than_k(winner: Tally, loser: Tally) -> None:
    after = tallies_after([Game([1, 2], [1, 2], [False, False])], {1: winner, 2: loser})
    assert 0 <= after[1].delta <= 64_000


def test_two_new_bots_play_for_half_of_k_and_a_tie_between_equals_moves_nothing() -> None:
    won = tallies_after([Game([1, 2], [1, 2], [False, False])], {1: Tally(), 2: Tally()})
    assert (won[1].milli_elo, won[2].milli_elo) == (START + 32_000, START - 32_000)
    tied = tallies_after([Game([1, 2], [1, 1], [False, False])], {1: Tally(), 2: Tally()})
    assert (tied[1].delta, tied[1].wins) == (0, 0.5)


def test_400_points_are_ten_to_one() -> None:
    strong, weak = Tally(1_900_000, games=10**6), Tally(1_500_000, games=10**6)
    lost = tallies_after([Game([1, 2], [2, 1], [False, False])], {1: strong, 2: weak})
    won = tallies_after([Game([1, 2], [1, 2], [False, False])], {1: strong, 2: weak})
    assert (-lost[1].delta, won[1].delta) == (7273, 727)  # K = 8: ten elevenths, one eleventh


def test_the_more_games_the_smaller_the_steps() -> None:
    steps = [
        tallies_after([Game([1, 2], [1, 2], [False, False])], {n: Tally(games=games) for n in (1, 2)})[1].delta
        for games in (0, 10, 30, 70, 1000)
    ]
    assert steps == [32_000, 16_000, 8_000, 4_000, 4_000]
    assert all(earlier >= later for earlier, later in pairwise(steps))


def test_forfeits_tie_for_last_win_nothing_and_make_a_streak() -> None:
    everybody = Game([1, 2, 3], [1, 1, 1], [True, True, True])
    two = Game([1, 2, 3], [1, 2, 2], [False, True, True])
    after = tallies_after([everybody, two], {n: Tally() for n in (1, 2, 3)})
    assert after[2].delta == after[3].delta < 0
    assert [(after[n].wins, after[n].forfeits, after[n].streak) for n in (1, 2, 3)] == [(1, 1, 1), (0, 2, 1), (0, 2, 1)]
    assert tallies_after([Game([1, 2, 3], [1, 2, 3], [False] * 3)], after)[1].streak == 0


def test_a_new_version_begins_where_its_forerunner_stands() -> None:
    tallies = {1: Tally(1_700_000, games=90, sets=30)}
    (after,) = fold([[Game([2, 3], [1, 1], [False, False])]], tallies, {2: [5, 1]})
    assert after[2].milli_elo - after[2].delta == 1_700_000
    assert (after[2].games, after[2].sets) == (1, 1)
    assert after[3].milli_elo - after[3].delta == START
