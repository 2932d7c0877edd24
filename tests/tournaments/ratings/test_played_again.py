"""A version that plays again counts by the sets since; what its bot played before is another player's."""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot
from random import Random
from statistics import fmean

import pytest

from tests.ratings.claims import choice
from tests.tournaments.ratings.world import one_set
from tournaments.ratings.export import read, write
from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.ledger import BadLedger, Game, Ledger, RatedSet, Version
from tournaments.ratings.named_since import Choice, ratings_since
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.played_again import FRESH, Parted, former_of, part
from tournaments.ratings.scale import LINK_SD
from tournaments.ratings.table import fit_of, table_of

RIVALS = (1, 2, 3, 4)
FIRST, SECOND, THIRD = 10, 11, 12  # versions of one bot
ELOS = dict.fromkeys((*RIVALS, FIRST, SECOND, THIRD), 1500.0)
OLDER = {**dict.fromkeys(RIVALS), FIRST: None, SECOND: FIRST, THIRD: SECOND}


def history(*played: tuple[int, int], seats: int = 3) -> list[RatedSet]:
    """Sets of the bot, one version after the other, each so many; and as many of its rivals alone."""
    draw, sets = Random("again"), list[RatedSet]()
    for version, times in played:
        for _ in range(times):
            for table in ([version, *draw.sample(RIVALS, seats - 1)], draw.sample(RIVALS, seats)):
                sets.append(one_set(ELOS, len(sets) + 1, table, draw, 0.5))
    return sets


def parted(sets: Sequence[RatedSet], plays: int) -> Parted:
    return part(Pairs(sets), OLDER, {*RIVALS, plays})


def fitted(sets: Sequence[RatedSet], plays: int) -> Fit:
    return parted(sets, plays).fit()


def renamed(rated: RatedSet, keys: dict[int, int]) -> RatedSet:
    games = [replace(game, versions=tuple(keys.get(v, v) for v in game.versions)) for game in rated.games]
    return RatedSet(rated.number, games)


def test_all_that_the_bot_played_before_is_one_former_player() -> None:
    sets = history((FIRST, 8), (SECOND, 5), (FIRST, 20))
    last = max(rated.number for rated in sets if SECOND in rated.games[0].versions)
    former = former_of(FIRST, last)
    by_hand = [
        renamed(rated, dict.fromkeys((FIRST, SECOND), former)) if rated.number <= last else rated for rated in sets
    ]
    older = {**OLDER, former: None, FIRST: former, SECOND: former, THIRD: former}
    exact, ratings = fit_ratings(Pairs(by_hand), older), fitted(sets, FIRST)
    assert (ratings.elo[FIRST], ratings.sd[FIRST]) == (exact.elo[FIRST], exact.sd[FIRST])
    assert {ratings.elo[version] for version in (SECOND, THIRD)} == {exact.elo[former]}
    assert ratings.phi == exact.phi


def test_it_begins_where_a_new_version_would_and_counts_from_its_first_set_on() -> None:
    begun, played = (fitted(history((FIRST, 8), (SECOND, 5), (FIRST, since)), FIRST) for since in (0, 1))
    former = min(begun.elo)
    assert begun.elo[FIRST] == pytest.approx(begun.elo[former])
    assert begun.sd[FIRST] == pytest.approx(hypot(begun.sd[former], LINK_SD), rel=0.1)
    assert abs(played.elo[FIRST] - played.elo[former]) > 1
    assert played.sd[FIRST] < begun.sd[FIRST]


@pytest.mark.parametrize(("since", "counts"), [(0, False), (14, False), (15, True)])
def test_an_export_may_say_how_many_sets_it_has_to_wait(since: int, counts: bool) -> None:
    ratings = part(Pairs(history((FIRST, 8), (SECOND, 5), (FIRST, since))), OLDER, {*RIVALS, FIRST}, fresh=15).fit()
    assert (ratings.elo[FIRST] != ratings.elo[min(ratings.elo)]) == counts


@pytest.mark.parametrize(
    ("played", "plays"),
    [
        ([(FIRST, 8)], FIRST),
        ([(FIRST, 8), (SECOND, 5)], SECOND),  # who uploads, and stays
        ([(FIRST, 8), (SECOND, 5)], THIRD),  # a new one that has not played
        ([(SECOND, 5)], FIRST),  # one that never played before
        ([(FIRST, 8), (SECOND, 5), (FIRST, 20), (THIRD, 3)], THIRD),
    ],
)
def test_nothing_changes_for_who_does_not_go_back(played: list[tuple[int, int]], plays: int) -> None:
    sets = history(*played)
    assert fitted(sets, plays) == fit_ratings(Pairs(sets), OLDER)
    assert not part(Pairs(history((FIRST, 8), (SECOND, 5))), OLDER, {FIRST}, fresh=None).shown_by


def test_going_back_at_the_very_end_takes_nothing_along() -> None:
    """The lucky number is gone at once, without a set since, and going there and back only begins again."""
    sets = history((FIRST, 8), (SECOND, 5))
    lucky = [all_won_by(rated, FIRST) for rated in sets]
    assert fit_ratings(Pairs(lucky), OLDER).elo[FIRST] > fitted(lucky, FIRST).elo[FIRST] + 50
    twice = history((FIRST, 8), (SECOND, 5), (FIRST, 20), (SECOND, 1))
    ratings = fitted(twice, FIRST)
    assert ratings.elo[FIRST] == pytest.approx(ratings.elo[min(ratings.elo)])


def all_won_by(rated: RatedSet, version: int) -> RatedSet:
    games = [replace(g, places=tuple(1 if v == version else 2 for v in g.versions)) for g in rated.games]
    return RatedSet(rated.number, games) if version in rated.games[0].versions else rated


def test_two_versions_of_a_bot_at_one_table_stay_two() -> None:
    """No site deals this, but an export may hold it."""
    odd = [Game((FIRST, SECOND, 1), (1, 2, 3), (False,) * 3)]
    sets = [RatedSet(500, odd), *history((FIRST, 8), (SECOND, 5)), RatedSet(501, odd)]
    ratings = fitted(sets, FIRST)
    assert ratings.elo[SECOND] == ratings.elo[min(ratings.elo)]
    assert ratings.elo[FIRST] != ratings.elo[SECOND]


def test_the_sums_of_the_ladder_are_as_they_were() -> None:
    pairs = Pairs(history((FIRST, 8), (SECOND, 5), (FIRST, 20)))
    before = pairs.copy()
    assert part(pairs, OLDER, {FIRST}).pairs.cells != pairs.cells
    assert (pairs.taken, pairs.cells) == (before.taken, before.cells)


def test_a_named_bot_begins_there_and_once_more_where_a_version_plays_again() -> None:
    sets = history((FIRST, 8), (SECOND, 8), (THIRD, 8), (SECOND, 20))
    chosen = {1: Choice(20, [FIRST, SECOND, THIRD], SECOND)}
    plain, again = (ratings_since(Pairs(sets), OLDER, {}, chosen, playing=playing) for playing in ((), {SECOND}))
    assert plain[1].elo != again[1].elo
    assert again[1].sets >= 15


def ledger(plays: int, fresh: int | None = FRESH) -> Ledger:
    versions = {bot: Version(f"bot {bot}") for bot in RIVALS}
    versions |= {
        key: Version("mine", number, old, listed=key == plays)
        for number, (key, old) in enumerate(((FIRST, None), (SECOND, FIRST), (THIRD, SECOND)), 1)
    }
    sets = history((FIRST, 8), (SECOND, 5), (FIRST, 20))
    return Ledger("main", "zaibatsu", sets, versions, fresh=fresh)


def test_an_export_says_whether_it_holds_and_an_older_one_computes_as_before() -> None:
    new, old = ledger(FIRST), ledger(FIRST, fresh=None)
    assert (read(write(new)).fresh, read(write(old)).fresh) == (FRESH, None)
    assert [*write(read(write(new)))] == [*write(new)]
    assert "fresh" not in next(iter(write(old)))
    assert fit_of(old) == fit_ratings(Pairs(old.sets), OLDER)
    (mine,) = (row for row in table_of(new).rows if row.bot == "mine")
    assert mine.elo == round(fitted(new.sets, FIRST).elo[FIRST], 1)
    with pytest.raises(BadLedger, match="0 is for every set"):
        ledger(FIRST, fresh=-1)


def test_one_that_is_held_at_an_elo_goes_on_as_it_is() -> None:
    new = ledger(FIRST)
    held = replace(new, versions={**new.versions, FIRST: replace(new.versions[FIRST], anchor=1000.0)})
    assert fit_of(held).elo[FIRST] == 1000.0


def test_claims_in_small() -> None:
    """The luckiest of five alike gains without the rule, and no more with it."""
    history_of_five = choice.History([1500.0] * 5, 24)
    gains = [choice.gains(history_of_five, f"small {seed}", (0, 5)) for seed in range(12)]
    assert fmean(gain.without for gain in gains) > 15
    for values in zip(*(gain.by_sets for gain in gains), strict=True):
        assert abs(fmean(values)) < 20
    assert choice.stays("small") == 0
