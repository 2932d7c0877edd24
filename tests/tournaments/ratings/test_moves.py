"""Why a rating moved: the parts add up to the move, and each is what its name says."""

from random import Random

import pytest

from tests import thorough
from tests.tournaments.ratings.ledgers import duel
from tests.tournaments.ratings.world import played
from tournaments.ratings.fit import fit_ratings
from tournaments.ratings.ledger import PRIOR_SD, RatedSet
from tournaments.ratings.moves import Move, State, moves, state_of_fit
from tournaments.ratings.pairs import Pairs

LEDGERS = thorough.budget(25, full=500)
Older = dict[int, int | None]


def a_ledger(seed: int) -> tuple[list[RatedSet], list[RatedSet], Older]:
    """Sets of before and since, and whose forerunner is whom; some bots come only later, some are far apart."""
    draw = Random(f"moves {seed}")
    bots, seats = draw.randint(4, 12), draw.randint(2, 4)
    spread = draw.choice((50, 300, 3000))
    elos = {bot: draw.gauss(1500, spread) for bot in range(bots)}
    sets = played(elos, draw.randint(4, 60), seats, draw, deal=0.5)
    cut = draw.randint(0, len(sets))
    older: Older = {bot: bot - 1 if bot and draw.random() < 0.3 else None for bot in range(bots)}
    return sets[:cut], sets[cut:], older


def state(sets: list[RatedSet], older: Older, anchors: dict[int, float] | None = None) -> tuple[State, Pairs]:
    pairs = Pairs(sets)
    forerunners = {bot: before for bot, before in older.items() if bot in pairs.taken}
    while missing := {before for before in forerunners.values() if before is not None} - forerunners.keys():
        forerunners |= {bot: older[bot] for bot in missing}
    counts = {bot: sum(bot in rated.games[0].versions for rated in sets) for bot in older}
    return state_of_fit(fit_ratings(pairs, forerunners, anchors), pairs, counts, PRIOR_SD), pairs


def why(first: list[RatedSet], then: list[RatedSet], older: Older, anchored: float = 0.0) -> dict[int, Move]:
    before, _ = state(first, older)
    now, pairs = state([*first, *then], older, {0: anchored} if anchored else None)
    return moves(before, now, pairs, older)


def parts(move: Move) -> list[int]:
    return [move.own, move.prior, move.opponents, move.versions, move.scale, move.floor]


@pytest.mark.parametrize("seed", range(LEDGERS))
def test_the_parts_add_up_to_the_move_and_the_move_to_the_fits(seed: int) -> None:
    first, then, older = a_ledger(seed)
    before, _ = state(first, older)
    now, _ = state([*first, *then], older, {0: 1700.0})
    for bot, move in why(first, then, older, 1700.0).items():
        assert move.after - move.before == sum(parts(move))
        assert move.after == round((now.zero + now.stood[bot].at * 400 / 2.302585092994046) * 10)
        if bot in before.stood:
            assert move.before == round((before.zero + before.stood[bot].at * 400 / 2.302585092994046) * 10)


@pytest.mark.parametrize("seed", range(LEDGERS))
def test_who_did_not_play_moved_by_others_alone(seed: int) -> None:
    first, then, older = a_ledger(seed)
    idle = {bot for bot in older if not any(bot in rated.games[0].versions for rated in then)}
    for bot, move in why(first, then, older).items():
        if bot in idle:
            assert (move.own, move.prior, move.sets) == (0, 0, 0)
        elif not any(older.values()):
            assert move.versions == 0


@pytest.mark.parametrize("seed", range(LEDGERS))
def test_the_prior_takes_back_of_what_own_sets_gave(seed: int) -> None:
    first, then, older = a_ledger(seed)
    for move in why(first, then, older).values():
        assert move.own * move.prior <= 0 or abs(move.prior) <= 2
        assert abs(move.prior) <= abs(move.own) + 3


def test_a_set_won_gives_and_a_set_lost_takes() -> None:
    moved = why([duel(1, 0, 1), duel(2, 1, 2)], [duel(3, 0, 1)], dict.fromkeys(range(3)))
    assert moved[0].own > 0 > moved[1].own
    assert moved[0].sets == moved[1].sets == 1
    assert moved[2].own == 0
    assert moved[2].opponents < 0  # who had lost to the one that lost now


def test_one_that_never_lost_has_finite_parts() -> None:
    [move] = [why([], [duel(number, 0, 1) for number in range(1, 50)], dict.fromkeys(range(2)))[0]]
    assert move.before == 15_000
    assert 0 < move.after - move.before == sum(parts(move)) < 10_000


def test_a_floor_is_a_part_and_so_is_its_end() -> None:
    pairs, sets = Pairs([duel(1, 0, 1), duel(2, 1, 2)]), {0: 1}
    fit = fit_ratings(pairs)
    held, free = (state_of_fit(fit, pairs, sets, PRIOR_SD, floors) for floors in ({0: fit.elo[0] + 3, 1: 0.0}, {}))
    up, down = (moves(*both, pairs, dict.fromkeys(range(3))) for both in ((free, held), (held, free)))
    assert [(parts(moved[0]), moved[0].after - moved[0].before) for moved in (up, down)] == [
        ([0, 0, 0, 0, 0, 30], 30),
        ([0, 0, 0, 0, 0, -30], -30),
    ]
    assert parts(up[1]) == [0] * 6


def test_nothing_new_moves_nothing() -> None:
    first, _, older = a_ledger(3)
    assert all(set(parts(move)) == {0} for move in why(first, [], older).values())


def test_what_an_act_took_back_is_its_own() -> None:
    """A set that no longer counts: the line of those who played it changes, that of nobody else."""
    sets = [duel(1, 0, 1), duel(2, 0, 2), duel(3, 1, 2)]
    before, _ = state(sets, dict.fromkeys(range(3)))
    now, pairs = state(sets[1:], dict.fromkeys(range(3)))
    moved = moves(before, now, pairs, dict.fromkeys(range(3)))
    assert moved[0].own < 0 < moved[1].own
    assert moved[2].own == 0
    assert moved[0].sets == -1
