"""What is news, who reads it, and that nothing is told of what is held back, private, renamed or erased."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.referee import Verdict
from tests.factories import a_bot, a_checked, a_completed_set, a_ladder, a_user, a_version, an_upload, play_set, rate
from tests.holding import KNOCKOUT, a_draft, a_running, an_event, an_organiser, play_out
from tests.spaces import a_space
from tests.tournaments.features.own_data.test_erasure import erased
from tournaments.features.events.entrant_actions import TellEntrants
from tournaments.features.events.lifecycle import announce, call_off, release_round, start_event
from tournaments.features.follow.news import sentence_of_news, timeline
from tournaments.features.follow.rules import Target, start_following
from tournaments.features.moderation.actions import Suspend
from tournaments.features.moderation.take_down import Rename
from tournaments.ledger.acts import Announce, ChangeAnnouncement, Close, Reopen, Withdraw
from tournaments.ledger.ladders.rank_notices import Ranks
from tournaments.ledger.matchmaking.activation import activate
from tournaments.models import Bot, Event, Ladder, NewsItem, Rating, SpaceMember, User

pytestmark = pytest.mark.django_db


def a_follower(*targets: Target) -> User:
    user = a_user()
    for target in targets:
        start_following(user=user, target=target)
    return user


def news_of(user: User) -> list[str]:
    """Return what the person reads, the oldest first."""
    return [sentence_of_news(item) for item in timeline(user).order_by("pk")]


def test_a_persons_new_bot_and_a_bots_new_versions_are_news_once() -> None:
    olga = a_user("olga")
    bot = a_bot(olga, "Orchid")
    of_person, of_bot = a_follower(olga), a_follower(bot)
    first = a_checked(bot)
    a_checked(bot)
    activate(version=first, by=olga)
    assert news_of(of_person) == ["olga has a new bot: Orchid."]
    assert news_of(of_bot) == ["olga has a new bot: Orchid.", "Orchid plays with version 2 now."]


def test_a_version_that_fails_its_check_is_no_news() -> None:
    bot = a_bot()
    follower, version = a_follower(bot), an_upload(bot)
    assert news_of(follower) == []
    play_set(version.check_set, faults={version.pk: Verdict.CRASHED})
    assert news_of(follower) == []


def test_a_new_rank_is_news_for_those_who_follow_the_bot_and_the_first_one_is_the_lead() -> None:
    ladder, versions = a_ladder(players=2, title="Arena"), [a_version(), a_version()]
    for version in versions:
        ladder.entries.create(bot=version.bot)
    a_completed_set(ladder, versions)
    rate()
    for version, elo in zip(versions, (1900, 1500), strict=True):
        Rating.objects.filter(version=version).update(elo=elo, sd=20, chance_sd=20)
    follower = a_follower(versions[0].bot)
    ladder.entries.update(told_rank=5, told_on="2020-01-01")
    Ranks().notify_next()
    assert news_of(follower)[-1:] == [f"{versions[0].bot} leads Arena now."]
    assert NewsItem.objects.filter(kind="rank").count() == 1, "nobody follows the other"


def test_a_ladder_tells_its_announcements_as_they_are_now_and_that_it_is_closed_and_open_again() -> None:
    ladder, by = a_ladder(title="Arena"), a_user(staff=True)
    follower = a_follower(ladder)
    announced, gone = (Announce(text=text, ladder=ladder).do(by=by, reason="x") for text in ("Wlecome.", "Wrong."))
    Announce(text="Of another ladder.", ladder=a_ladder()).do(by=by, reason="x")
    assert news_of(follower) == ["News of Arena: Wlecome.", "News of Arena: Wrong."]
    ChangeAnnouncement(act=announced, text="Welcome.").do(by=by, reason="x")
    Withdraw(act=gone).do(by=by, reason="x")
    Close(ladder).do(by=by, reason="x")
    Reopen(ladder).do(by=by, reason="x")
    assert news_of(follower) == [
        "News of Arena: Welcome.",
        "Arena is closed; its standings are final.",
        "Arena is open again.",
    ]


def test_an_event_tells_its_start_messages_and_winner() -> None:
    event = an_event([a_version().bot for _ in range(2)], KNOCKOUT, title="Cup")
    follower = a_follower(event)
    start_event(event=event, by=an_organiser())
    TellEntrants(event=event, text="Lunch at one.").do(by=an_organiser(), reason="x")
    event = play_out(event)
    winner = event.entrants.get(place=1).bot
    sentences = [
        "Cup is announced; bots may register.",
        "Cup has begun.",
        "The organisers of Cup: Lunch at one.",
        f"Cup is over. The winner is {winner}.",
    ]
    assert news_of(follower) == sentences
    Event.objects.filter(pk=event.pk).update(status="running")
    assert news_of(follower) == sentences[:3], "it is played on, and nobody has won"


def test_a_draft_that_is_announced_and_called_off_tells_its_organisers() -> None:
    event, by = a_draft(title="Cup"), an_organiser()
    start_following(user=by, target=event)
    announce(event=event, by=by)
    call_off(event=event, by=by, reason="The hall burnt down")
    assert news_of(by) == ["Cup is announced; bots may register.", "Cup was called off: The hall burnt down."]


def test_results_that_are_held_back_are_told_round_by_round_as_they_are_released() -> None:
    event = a_running(4, KNOCKOUT, released=0, title="Cup")
    organiser = an_organiser()
    follower = a_follower(event, *(entrant.bot for entrant in event.entrants.all()))
    event = play_out(event)
    news = [news_of(follower)]
    while event.released is not None:
        release_round(event=event, by=organiser)
        event.refresh_from_db()
        news.append(news_of(follower))
    assert not [line for line in news[0] if "winner" in line or "results" in line]
    assert news[1][-1] == "The results of Cup up to round 1 are out."
    assert "The winner is" in news[-1][-1]
    assert not [line for lines in news[:-1] for line in lines if "winner" in line]
    Event.objects.filter(pk=event.pk).update(released=0)
    assert news_of(follower) == news[0], "what is held back again is hidden again"


def test_who_no_longer_sees_a_space_reads_nothing_of_it_not_even_what_was_before() -> None:
    olga, member = a_user("olga"), a_user("member")
    space = a_space(members=[olga, member])
    bot, ladder = a_bot(olga, "Orchid"), a_ladder("secret", title="Secret")
    for model, row in ((Bot, bot), (Ladder, ladder)):
        model.objects.filter(pk=row.pk).update(space=space)
        row.refresh_from_db()
    outside = a_follower(olga)
    for target in (bot, ladder, olga):
        start_following(user=member, target=target)
    a_checked(bot)
    Announce(text="Exam.", ladder=ladder).do(by=a_user(staff=True), reason="x")
    assert news_of(member) == ["olga has a new bot: Orchid.", "News of Secret: Exam."]
    assert news_of(outside) == [], "the person is known, and the bot is not"
    SpaceMember.objects.filter(user=member).delete()
    assert news_of(member) == []


def test_names_are_those_of_now_and_erased_or_suspended_people_disappear() -> None:
    olga, stella = a_user("olga"), a_user("stella", staff=True)
    bot = a_bot(olga, "Insult")
    follower = a_follower(bot)
    for _ in range(2):
        a_checked(bot)
    Rename(name="Orchid", bot=bot).do(by=stella, reason="x")
    assert news_of(follower) == ["olga has a new bot: Orchid.", "Orchid plays with version 2 now."]
    assert "Insult" not in str(list(NewsItem.objects.values()))
    act = Suspend(olga, "Insults").do(by=stella, reason="x")
    assert news_of(follower) == []
    olga.suspensions.filter(act=act).delete()
    assert len(news_of(follower)) == 2
    start_following(user=olga, target=bot)
    erased(olga)
    assert news_of(follower) == []
    assert (NewsItem.objects.filter(bot=bot).count(), bot.follows.count(), olga.follows.count()) == (0, 0, 0)


def test_a_page_of_news_takes_as_few_queries_as_one_line() -> None:
    bots = [a_bot() for _ in range(6)]
    follower, asked = a_follower(*bots), list[int]()
    for several in (bots[:1], bots[1:]):
        for bot in several:
            a_checked(bot)
        with CaptureQueriesContext(connection) as queries:
            news_of(follower)
        asked.append(len(queries))
    assert asked[1] == asked[0] <= 6
