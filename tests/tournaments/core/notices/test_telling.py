"""What people are told, by the verbs that make it happen."""

import re

import pytest

from engine.referee import Verdict
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, an_upload, play_set, rate
from tests.holding import KNOCKOUT, ROBIN, a_running, an_organiser, play_out, play_round
from tests.tournaments.web.pages.conftest import signed_in
from tournaments.core.notices import headlines, triggers
from tournaments.core.notices.headlines import headline_at_once
from tournaments.features.friendlies.rules import ask_friendly_set
from tournaments.features.stories.steps import keep_headlines
from tournaments.ledger.acts.disqualification import Disqualify, Reinstate
from tournaments.ledger.ladders.rank_notices import Ranks
from tournaments.models import Act, Bot, Entry, Membership, Notice, Rating, Team, User

pytestmark = pytest.mark.django_db


def notices_of(user: User, kind: str = "") -> list[str]:
    notices = user.notices.filter(kind=kind) if kind else user.notices.all()
    return [notice.text for notice in notices.order_by("pk")]


def test_an_owner_learns_how_a_check_went() -> None:
    bot = a_bot()
    good = an_upload(bot)
    play_set(good.check_set)
    bad = an_upload(bot)
    play_set(bad.check_set, faults={bad.pk: Verdict.CRASHED})
    assert notices_of(bot.owner) == [f"{bot} v1 passed its check.", f"{bot} v2 failed its check; the report says why."]


def test_a_fault_is_told_once_of_its_kind_and_to_its_owner_alone() -> None:
    ladder, versions = a_ladder(), [a_version() for _ in range(3)]
    for _ in range(2):
        a_completed_set(ladder, versions, faults={versions[0].pk: Verdict.ILLEGAL_ANSWER})
    a_completed_set(ladder, versions, faults={versions[0].pk: Verdict.CRASHED})
    mine, opponents = (notices_of(version.bot.owner, "fault") for version in versions[:2])
    assert [text.rpartition(": ")[2] for text in mine] == ["illegal answer.", "crashed."]
    assert opponents == []


def test_members_of_a_team_are_told_and_those_only_invited_are_not() -> None:
    bot, member, invited = a_bot(), a_user(), a_user()
    team = Team.objects.create(name="Reds")
    Bot.objects.filter(pk=bot.pk).update(team=team)
    Membership.objects.create(team=team, user=member, role=Membership.Role.MEMBER)
    Membership.objects.create(team=team, user=invited)
    a_version(bot)
    assert len(notices_of(bot.owner)) == len(notices_of(member)) == 1
    assert notices_of(invited) == []


def test_who_is_suspended_learns_it_once() -> None:
    ladder, versions = a_ladder(), [a_version() for _ in range(3)]
    for version in versions:
        ladder.entries.create(bot=version.bot)
    for _ in range(3):
        a_completed_set(ladder, versions, faults={versions[0].pk: Verdict.CRASHED})
        rate()
    assert ladder.entries.get(bot=versions[0].bot).status == Entry.Status.SUSPENDED
    assert [text for text in notices_of(versions[0].bot.owner) if "suspended" in text] == [
        f"{versions[0].bot} is suspended in {ladder}: it forfeited in three sets in a row. Upload a new version."
    ]


def test_an_event_tells_its_entrants_that_it_began_and_ended() -> None:
    event = play_out(a_running(3, KNOCKOUT))
    for entrant in event.entrants.all():
        assert notices_of(entrant.bot.owner, "event") == [
            f"{event} has begun.",
            f"{event} is over; the final table stands.",
        ]


def test_a_round_held_back_gives_nothing_away() -> None:
    event = a_running(2, ROBIN, released=0)
    loser = event.entrants.order_by("pk").last()
    assert loser is not None
    play_round(event, loser)
    assert notices_of(loser.bot.owner, "fault") == []


def test_an_act_tells_whom_it_concerns() -> None:
    ladder, version = a_ladder(), a_version()
    ladder.entries.create(bot=version.bot)
    organiser = an_organiser()
    Disqualify(bot=version.bot).do(by=organiser, reason="It is somebody else's.")
    Reinstate(act=Act.objects.latest("number")).do(by=organiser, reason="It is not.")
    assert notices_of(version.bot.owner, "act") == [
        f"{version.bot} was disqualified in all ladders: It is somebody else's.",
        f"{version.bot} is reinstated: It is not.",
    ]


def test_who_asked_for_a_set_learns_that_it_is_over() -> None:
    ladder, versions = a_ladder(), [a_version() for _ in range(3)]
    for version in versions:
        ladder.entries.create(bot=version.bot)
    bots = [version.bot for version in versions]
    friendly = ask_friendly_set(ladder=ladder, bot=bots[0], against=bots[1:], by=bots[0].owner)
    play_set(friendly)
    (text,) = notices_of(bots[0].owner, "set")
    headline = headline_at_once(friendly.matches.latest("turn"))
    assert text == f"A set that you asked for in {ladder} is over. Its last match: {headline}"
    assert re.match(r"bot \d+.* (wins|share the win)", headline)
    assert bots[0].owner.notices.get(kind="set").detail["story"] == headline
    while keep_headlines():
        pass
    client = signed_in(bots[0].owner)
    page, german = (
        " ".join(client.get("/notices/", headers={"accept-language": language}).content.decode().split())
        for language in ("en", "de")
    )
    assert headline.removesuffix(".") in page
    assert "ist vorbei. Seine letzte Partie: bot " in german
    assert headline.removesuffix(".") not in german


def test_a_set_whose_replay_tells_nothing_has_a_notice_without_a_headline(monkeypatch: pytest.MonkeyPatch) -> None:
    ladder, versions = a_ladder(), [a_version() for _ in range(3)]
    for version in versions:
        ladder.entries.create(bot=version.bot)
    bots = [version.bot for version in versions]
    friendly = ask_friendly_set(ladder=ladder, bot=bots[0], against=bots[1:], by=bots[0].owner)
    monkeypatch.setattr(headlines, "kept_headline", lambda _: 1 / 0)  # a game from outside, whose commentary fails
    play_set(friendly)
    assert notices_of(bots[0].owner, "set") == [
        f"A set that you asked for in {ladder} is over. All its matches are recorded."
    ]


def test_a_rank_that_changed_is_told_at_most_once_a_day() -> None:
    ladder, versions = a_ladder(), [a_version() for _ in range(3)]
    for version in versions:
        ladder.entries.create(bot=version.bot)
    for _ in range(30):
        a_completed_set(ladder, versions)
    rate()
    Ranks().notify_next()
    assert Notice.objects.filter(kind="rank").count() == 0  # nobody had a rank before
    entry = ladder.entries.filter(told_rank__isnull=False)[0]
    now = entry.told_rank
    assert now is not None
    Rating.objects.update(sd=1)  # who is ahead is sure
    for before, day in ((now + 2, "2020-01-01"), (now + 1, None)):
        ladder.entries.filter(pk=entry.pk).update(told_rank=before, **({"told_on": day} if day else {}))
        Ranks().notify_next()
        told_so_far = notices_of(entry.bot.owner, "rank")
        assert told_so_far == [f"{entry.bot} went up from rank {now + 2} to rank {now} in {ladder}."]


def test_an_invitation_is_told() -> None:
    place = Membership.objects.create(team=Team.objects.create(name="Reds"), user=a_user())
    triggers.notify_of_team_invitation(place, a_user("carla"), "/teams/1/")
    assert notices_of(place.user) == ["carla asks you to join the team Reds."]
