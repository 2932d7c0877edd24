"""Notices to followers: once each, some in a turn, and one that fails stops no other."""

from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.factories import a_bot, a_checked, a_ladder, a_user, a_version
from tests.holding import KNOCKOUT, an_event, an_organiser
from tests.spaces import a_space
from tests.tournaments.features.follow.test_news import a_follower
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.core.notices import create
from tournaments.features.events.lifecycle import start_event
from tournaments.features.follow import FOLLOW, steps
from tournaments.features.follow.rules import start_following
from tournaments.features.follow.steps import KEPT, forget_old_news, tell_followers
from tournaments.ledger.acts import Announce
from tournaments.models import Bot, FailingItem, Follow, Ladder, NewsItem, Notice, SpaceMember, User

pytestmark = pytest.mark.django_db


def notices(kind: str = "follow") -> list[str]:
    return sorted(
        f"{user}: {text}" for user, text in Notice.objects.filter(kind=kind).values_list("user__username", "text")
    )


def tell_everybody() -> None:
    while pending():
        tell_followers()


def pending() -> bool:
    """Return whether the dispatcher would take a turn."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT EXISTS ({FOLLOW.steps[0].pending})")
        return bool(cursor.fetchone()[0])


def an_announcement(ladder: Ladder) -> None:
    Announce(text="News.", ladder=ladder).do(by=a_user(staff=True), reason="x")


def many_followers(ladder: Ladder, count: int) -> list[User]:
    people = User.objects.bulk_create(User(username=f"f{number:04}") for number in range(count))
    Follow.objects.bulk_create(Follow(user=user, ladder=ladder) for user in people)
    return people


def test_followers_of_a_bot_are_told_of_new_versions_once_a_day_and_of_no_rank() -> None:
    bot = a_bot(a_user("olga"), "Orchid")
    follower, by_person = a_follower(bot), a_follower(bot.owner)
    for _ in range(3):
        a_checked(bot)
    tell_everybody()
    assert notices() == [f"{follower}: Orchid plays with version 2 now."]
    assert by_person.notices.count() == 0
    [notice] = follower.notices.all()
    assert (notice.kind, notice.path) == ("follow", f"/bots/{bot.pk}/")


def test_whoever_plays_in_an_event_that_they_follow_gets_one_notice_of_each_thing() -> None:
    bots = [a_version().bot for _ in range(2)]
    event = an_event(bots, KNOCKOUT, title="Cup")
    start_following(user=bots[0].owner, target=event)
    follower = a_follower(event)
    start_event(event=event, by=an_organiser())
    tell_everybody()
    assert notices() == [f"{follower}: Cup has begun."]
    assert notices("event") == sorted(f"{bot.owner}: Cup has begun." for bot in bots)


def test_many_followers_are_told_in_turns_of_few_queries_each(monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = a_ladder()
    many_followers(ladder, 2 * steps.A_TURN + 10)
    an_announcement(ladder)
    turns = []
    while pending():
        with CaptureQueriesContext(connection) as queries:
            turns.append(tell_followers())
        assert len(queries) <= 20
    assert turns == [steps.A_TURN, steps.A_TURN, 10]
    assert (
        Notice.objects.filter(kind="follow").values("user").distinct().count() == sum(turns) == Notice.objects.count()
    )


@pytest.mark.parametrize("after", ["spend_budget", "tell_accounts", "notify_many"])
def test_a_crash_anywhere_tells_nobody_twice_and_leaves_nobody_out(after: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = a_ladder()
    many_followers(ladder, 5)
    monkeypatch.setattr(steps, "A_TURN", 2)
    an_announcement(ladder)
    tell_followers()
    real = getattr(steps, after)

    def ends(*args: Any, **options: Any) -> Any:
        real(*args, **options)
        raise KeyboardInterrupt

    with monkeypatch.context() as crash:
        crash.setattr(steps, after, ends)
        with pytest.raises(KeyboardInterrupt):
            tell_followers()
    assert len(notices()) == 2
    tell_everybody()
    assert [line.partition(":")[0] for line in notices()] == [f"f{number:04}" for number in range(5)]


def test_one_follower_whose_notice_fails_stops_no_other_and_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = a_ladder()
    people = many_followers(ladder, 5)
    real = create.notify_many

    def fails(several: Any, *args: Any, **options: Any) -> None:
        if several.filter(pk=people[2].pk).exists():
            raise ValueError("this one fails")
        real(several, *args, **options)

    monkeypatch.setattr(steps, "notify_many", fails)
    an_announcement(ladder)
    tell_followers()
    assert len(notices()) == 4
    item = NewsItem.objects.get()
    assert (item.told, item.missed) == (None, [people[2].pk])
    an_announcement(ladder)
    tell_followers()
    assert len(notices()) == 8, "other news go on meanwhile"
    monkeypatch.setattr(steps, "notify_many", real)
    FailingItem.objects.all().delete()
    monkeypatch.setattr(FAILING_ITEMS, "_read_at", -1e9)
    tell_everybody()
    assert len(notices()) == 10


def test_only_those_who_still_see_it_and_followed_before_are_told() -> None:
    member, gone = a_user("member"), a_user("gone")
    space = a_space(members=[member, gone])
    ladder = a_ladder()
    Ladder.objects.filter(pk=ladder.pk).update(space=space)
    ladder.refresh_from_db()
    for user in (member, gone):
        start_following(user=user, target=ladder)
    an_announcement(ladder)
    late = a_user("late")
    SpaceMember.objects.create(space=space, user=late)
    start_following(user=late, target=ladder)
    SpaceMember.objects.filter(user=gone).delete()
    tell_everybody()
    assert [line.partition(":")[0] for line in notices()] == ["member"]


def test_no_more_notices_a_day_go_out_than_the_budget_and_nothing_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "TOLD", replace(steps.TOLD, most=3))
    monkeypatch.setattr(steps, "A_TURN", 2)
    ladder, other = a_ladder(), a_ladder()
    many_followers(ladder, 5)
    follower = a_follower(other)
    an_announcement(ladder)
    an_announcement(other)
    tell_everybody()
    assert len(notices()) == 3
    assert follower.notices.count() == 1, "another ladder has a budget of its own"


def test_a_person_gets_them_by_mail_and_webhook_as_chosen(settings: Any) -> None:
    settings.CAN_MAIL = True
    ladder = a_ladder()
    follower = a_follower(ladder)
    User.objects.filter(pk=follower.pk).update(
        email="a@example.org", confirmed_email="a@example.org", mailed=["follow"]
    )
    follower.webhooks.create(url="https://example.org/", secret="x", kinds=["follow"])
    follower.webhooks.create(url="https://example.org/other", secret="x", kinds=["fault"])
    an_announcement(ladder)
    tell_everybody()
    assert [row.webhook and row.webhook.url for row in follower.notices.get().deliveries.order_by("pk")] == [
        None,
        "https://example.org/",
    ]


def test_news_are_kept_for_a_while() -> None:
    bot = a_bot()
    for _ in range(2):
        a_checked(bot)
    assert forget_old_news() == 0
    NewsItem.objects.filter(kind="bot").update(at=timezone.now() - KEPT)
    assert forget_old_news() == 1
    assert [item.kind for item in NewsItem.objects.all()] == ["version"]
    assert Bot.objects.filter(pk=bot.pk).exists()
