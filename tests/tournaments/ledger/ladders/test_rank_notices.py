"""A new rank is told once it is sure, however often one looks."""

from collections.abc import Sequence

import pytest

from tests.factories import a_completed_set, a_ladder, a_version, rate
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.rank_notices import Ranks
from tournaments.models import Entry, Ladder, Likeness, Notice, Rating, Version
from tournaments.ratings.ranks import EACH
from tournaments.ratings.surely_ahead import lead_needed

pytestmark = pytest.mark.django_db
SD = 20.0
ERROR = SD * 2**0.5
BY_ONE_LOOK, SURE = 1.1 * EACH * ERROR, 1.1 * lead_needed(ERROR)


def begun(leads: Sequence[float]) -> tuple[Ladder, list[Version]]:
    """Bots with these leads over 1500, all known alike; each was told that it is last, long ago."""
    ladder, versions = a_ladder(players=len(leads)), [a_version() for _ in leads]
    for version in versions:
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    a_completed_set(ladder, versions)
    rate()
    for version, lead in zip(versions, leads, strict=True):
        Rating.objects.filter(version=version).update(elo=1500 + lead, sd=SD, chance_sd=SD)
    return ladder, versions


def moves_heard(version: Version, before: int) -> list[str]:
    """The moves that an owner hears of who was told this rank before."""
    Entry.objects.filter(bot=version.bot).update(told_rank=before, told_on="2020-01-01")
    Ranks().notify_next()
    texts = Notice.objects.filter(user=version.bot.owner, kind="rank").values_list("text", flat=True)
    return [text.partition(" went ")[2].partition(" in ")[0] for text in texts]


@pytest.mark.parametrize(("lead", "heard"), [(BY_ONE_LOOK, []), (SURE, ["up from rank 2 to rank 1"])])
def test_it_went_up_once_it_is_surely_ahead_of_who_has_its_rank(lead: float, heard: list[str]) -> None:
    _, (first, _, _) = begun([lead, 0.0, -1.0])
    assert moves_heard(first, 2) == heard


@pytest.mark.parametrize(("lead", "heard"), [(BY_ONE_LOOK, []), (SURE, ["down from rank 1 to rank 2"])])
def test_it_went_down_once_it_is_surely_behind(lead: float, heard: list[str]) -> None:
    _, (_, second, _) = begun([lead, 0.0, -1.0])
    assert moves_heard(second, 1) == heard


def test_where_nobody_has_its_rank_now_the_last_one_counts_and_it_may_be_the_last_itself() -> None:
    """Others have left."""
    _, (first, _, last) = begun([SURE, 0.0, -1.0])
    assert moves_heard(first, 9) == ["up from rank 9 to rank 1"]
    assert moves_heard(last, 9) == ["up from rank 9 to rank 3"]


def test_who_has_no_rank_is_compared_with_nobody() -> None:
    ladder, (first, second, third) = begun([SURE, SURE - 1, 0.0])
    second.bot.owner = first.bot.owner
    second.bot.save()
    Likeness.objects.create(ladder=ladder, original=first, version=second, status="alike")
    assert moves_heard(third, 1) == ["down from rank 1 to rank 2"]
    assert moves_heard(first, 2) == ["up from rank 2 to rank 1"]
