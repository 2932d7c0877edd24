"""Which of their bots counts over all games for somebody, and what it costs to name another."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from engine.referee import Verdict
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, rate
from tests.tournaments.ledger.ladders.entering import a_team, code, enters
from tournaments.features.overall import counting_bots
from tournaments.features.overall.counting_bots import counting_for
from tournaments.features.overall.rules import NAMED_FOR, WAITED_FOR, name_bot
from tournaments.features.overall.standings import overall_standings
from tournaments.features.teams import rules as teams
from tournaments.ledger.ladders.entries import withdraw_bot
from tournaments.ledger.ladders.official_fit import recompute, refit
from tournaments.ledger.ladders.standings import standings
from tournaments.models import Bot, Entry, Fit, Ladder, User, Version

pytestmark = pytest.mark.django_db


def counted(owner: User) -> float | None:
    """The rating with which somebody stands in the table over all games."""
    return next((line.games["zaibatsu"] for line in overall_standings()[1].lines if line.name == owner.username), None)


def by_the_official_fit(ladder: Ladder) -> dict[int, float]:
    return {line.bot_id: line.elo for line in standings(ladder)}


def test_a_named_bot_counts_by_the_sets_since_and_the_former_one_until_they_are_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counting_bots, "LEAST", 2)
    ladder, owner, other = a_ladder(players=2), a_user(), a_user()
    first, second, rival = versions = [a_version(a_bot(person)) for person in (owner, owner, other)]
    for version in versions:
        enters(ladder, version.bot)
    for _ in range(3):  # it always wins
        a_completed_set(ladder, [second, rival], faults={rival.pk: Verdict.CRASHED})
        a_completed_set(ladder, [first, rival])
    rate()
    assert counted(owner) == by_the_official_fit(ladder)[first.bot_id]
    assert code(lambda: name_bot(bot=first.bot, by=owner)) == "named_already"
    assert code(lambda: name_bot(bot=second.bot, by=other)) == "not_yours"
    name_bot(bot=second.bot, by=owner)
    assert Fit.objects.get().stale
    refit(ladder=ladder)
    assert counted(owner) == by_the_official_fit(ladder)[first.bot_id]
    a_completed_set(ladder, [second, rival])
    rate()
    assert counted(owner) == by_the_official_fit(ladder)[first.bot_id]
    a_completed_set(ladder, [second, rival])
    rate()
    assert counted(owner) == Fit.objects.get().named[str(second.bot_id)]["elo"]
    assert (counted(owner) or 0) < by_the_official_fit(ladder)[second.bot_id] - 20
    elos = by_the_official_fit(ladder)
    recompute(ladder=ladder)
    assert by_the_official_fit(ladder) == elos  # the ladder's own table knows nothing of it


def test_naming_again_begins_again_and_has_its_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting_bots, "LEAST", 1)
    ladder, owner = a_ladder(players=2), a_user()
    first, second, rival = versions = [a_version(a_bot(person)) for person in (owner, owner, None)]
    for version in versions:
        enters(ladder, version.bot)

    def play(version: Version) -> None:
        a_completed_set(ladder, [version, rival])
        rate()

    def named_since(days: timedelta) -> None:
        Bot.objects.filter(named_at__isnull=False).update(named_at=timezone.now() - days)

    play(first)
    name_bot(bot=second.bot, by=owner)
    assert code(lambda: name_bot(bot=second.bot, by=owner)) == "named_already"
    named_since(NAMED_FOR)
    assert code(lambda: name_bot(bot=first.bot, by=owner)) == "named_lately"  # the named one has played nothing
    named_since(WAITED_FOR)
    name_bot(bot=first.bot, by=owner)
    assert Entry.objects.get(bot=first.bot).named_after is None  # it has counted all the time
    named_since(NAMED_FOR)
    name_bot(bot=second.bot, by=owner)
    play(second)
    assert counting_for(owner.pk) == {second.bot_id}
    assert code(lambda: name_bot(bot=first.bot, by=owner)) == "named_lately"
    named_since(NAMED_FOR)
    name_bot(bot=first.bot, by=owner)  # from zero again
    rate()
    assert counting_for(owner.pk) == {second.bot_id}
    play(first)
    assert counting_for(owner.pk) == {first.bot_id}
    assert Fit.objects.get().named[str(first.bot_id)]["sets"] == 1


def test_leaving_or_a_team_makes_no_other_bot_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting_bots, "LEAST", 1)
    ladder, owner, captain = a_ladder(players=2), a_user(), a_user()
    first, second, rival = versions = [a_version(a_bot(person)) for person in (owner, owner, None)]
    entries = [enters(ladder, version.bot) for version in versions]
    for version in (first, second):
        a_completed_set(ladder, [version, rival])
    rate()
    withdraw_bot(entry=entries[0], by=owner)
    rate()
    assert counted(owner) is None
    enters(ladder, first.bot)
    teams.give_bot(bot=first.bot, team=a_team(owner, captain), by=owner)
    assert counting_for(owner.pk) == {first.bot_id}
    assert counting_for(captain.pk) == set()


def test_the_pages_say_which_bot_counts_and_what_naming_another_costs(client: Any) -> None:
    ladder, owner = a_ladder(players=2), a_user()
    versions = [a_version(a_bot(person)) for person in (owner, owner, None)]
    client.force_login(owner)
    assert "count over all games" not in client.get("/account/").content.decode()
    for version in versions:
        enters(ladder, version.bot)
    for version in (versions[0], versions[1], versions[1]):
        a_completed_set(ladder, [version, versions[2]])
    rate()
    first, second = (version.bot for version in versions[:2])
    page = client.get("/account/").content.decode()
    assert f"{first}</a> counts." in page
    assert f"Let {second} count" in page
    for address in ("/account/", f"/bots/{second.pk}/"):
        assert "Its 2 sets so far no longer count over all games." in client.get(address).content.decode()
    assert client.post(f"/bots/{second.pk}/overall/").status_code == 302
    for address in ("/account/", f"/bots/{second.pk}/"):
        page = client.get(address).content.decode()
        assert f"{first}</a> counts" in page
        assert f"{second}</a>: it counts once it has played 60 sets since; it has played 0." in page
        assert "Another may be named from" in page
        assert f"Let {second} count" not in page


def test_the_pause_of_a_named_bot_holds_whoever_runs_it_meanwhile() -> None:
    """A bot may be given to a team and taken back; its owner, and with it the pause, stays."""
    owner, captain = a_user(), a_user()
    named, other = a_bot(owner), a_bot(owner)
    team = a_team(owner, captain)
    name_bot(bot=named, by=owner)
    teams.give_bot(bot=named, team=team, by=owner)
    assert code(lambda: name_bot(bot=other, by=owner)) == "named_lately"
    assert code(lambda: name_bot(bot=named, by=captain)) == "not_yours"
    named.refresh_from_db()
    assert (named.owner_id, named.team) == (owner.pk, team)
    teams.give_bot(bot=named, team=None, by=owner)
    assert code(lambda: name_bot(bot=other, by=owner)) == "named_lately"
