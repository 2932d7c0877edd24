"""Real workers, one of them a space's own: each plays what is its own to play, in both ways that a space may choose."""

import pytest

from tests.factories import SAMPLE, a_ladder, a_user, a_version
from tests.faults.crew import Crew
from tests.spaces import a_space
from tournaments.features.spaces.actions import ChangeWorkers
from tournaments.features.spaces.own_workers import bind_worker
from tournaments.ledger.competitors.uploads import create_bot
from tournaments.ledger.ladders.official_fit import recompute
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Attempt, Ladder, MatchSet, Result, Space, User, Version

pytestmark = pytest.mark.django_db(transaction=True)


def sets(ladder: Ladder, count: int, space: Space | None = None, owner: User | None = None) -> list[MatchSet]:
    """Of two bots that are new there, whose checks are played as everything is."""
    bots = [create_bot(owner=owner or a_user(), game="zaibatsu", name=f"{ladder} {n}", space=space) for n in range(2)]
    versions = [a_version(bot, SAMPLE + f"# {bot.pk}\n".encode()) for bot in bots]
    return [create_set(ladder=ladder, versions=[version.pk for version in versions]) for _ in range(count)]


def players_of(ladder: Ladder) -> set[str]:
    played = Result.objects.filter(match__set__ladder=ladder).values_list("worker", flat=True)
    return {worker.partition("/")[0] for worker in played}


def over(ladder: Ladder) -> bool:
    return not ladder.sets.filter(status="open").exists()


def test_a_worker_bound_to_a_space_plays_for_it_alone_and_the_sites_play_for_both(crew: Crew) -> None:
    crew.settings = "tournaments.settings"
    teacher = a_user()
    space = a_space("bio1", organiser=teacher)
    bind_worker("worker-lab", space)
    own, sites = (
        a_ladder(slug, players=2, space=of, status=Ladder.Status.PAUSED)
        for slug, of in (("bio1-main", space), ("open", None))
    )
    sets(own, 2, space, teacher)
    sets(sites, 2)
    ChangeWorkers(space, "own").do(by=teacher, reason="ours are quick")
    crew.start("recorder", "dispatcher", "worker-lab@bio1")
    crew.until("the space's sets", lambda: over(own))
    assert players_of(own) == {"worker-lab@bio1"}
    assert not Attempt.objects.filter(match__set__ladder=sites).exclude(worker="").exists()
    crew.start("worker-site")
    crew.until("the site's sets", lambda: over(sites))
    assert players_of(sites) == {"worker-site"}

    assert crew.stop("worker-lab@bio1") == 0
    version = Version.objects.filter(bot__space=space).values_list("pk", flat=True)
    more = create_set(ladder=own, versions=list(version))
    ChangeWorkers(space, "all").do(by=teacher, reason="ours are away")
    crew.until("the site's to help out", lambda: over(own))
    assert {result.worker.partition("/")[0] for result in Result.objects.filter(match__set=more)} == {"worker-site"}
    assert (recompute(ladder=own), recompute(ladder=sites)) == ({}, {})
