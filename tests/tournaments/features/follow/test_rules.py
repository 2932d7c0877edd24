"""Who may follow what, and how much."""

from dataclasses import replace

import pytest
from django.db import IntegrityError, transaction

from tests.factories import a_bot, a_ladder, a_user
from tests.holding import a_draft, an_event
from tests.spaces import a_space
from tournaments.core.errors import Refused
from tournaments.features.follow import rules
from tournaments.features.follow.rules import Target, follows_seen_by, start_following, target_named
from tournaments.features.moderation.actions import Suspend
from tournaments.models import Bot, Follow, Ladder, SpaceMember, User

pytestmark = pytest.mark.django_db


def refusal(user: User, kind: str, name: object) -> str:
    with pytest.raises(Refused) as refused:
        target_named(user, kind, str(name))
    return refused.value.code


def names(user: User) -> list[str]:
    return [str(follow.target) for follow in follows_seen_by(user).order_by("pk")]


def test_a_bot_a_person_a_ladder_and_an_event_are_followed_once_each() -> None:
    ada, bot, ladder, event = a_user("ada"), a_bot(a_user("olga"), "Orchid"), a_ladder("arena"), an_event([])
    for kind, name in (("bot", bot.pk), ("person", "olga"), ("ladder", "arena"), ("event", event.slug)):
        target = target_named(ada, kind, str(name))
        first = start_following(user=ada, target=target)
        assert start_following(user=ada, target=target) == first
    assert names(ada) == ["Orchid", "olga", str(ladder), str(event)]


def test_to_follow_oneself_and_ones_own_bot_is_harmless() -> None:
    ada = a_user("ada")
    targets: list[Target] = [ada, a_bot(ada, "Own")]
    for target in targets:
        start_following(user=ada, target=target)
    assert names(ada) == ["ada", "Own"]


def test_what_one_may_not_see_is_not_found_and_what_one_sees_no_longer_has_no_name() -> None:
    ada, stranger = a_user("ada"), a_user()
    space = a_space(members=[ada])
    bot, ladder = a_bot(a_user(), "Hidden"), a_ladder("secret")
    for model, row in ((Bot, bot), (Ladder, ladder)):
        model.objects.filter(pk=row.pk).update(space=space)
    assert [refusal(stranger, "bot", bot.pk), refusal(stranger, "ladder", "secret")] == [
        "unknown_bot",
        "unknown_ladder",
    ]
    start_following(user=ada, target=target_named(ada, "bot", str(bot.pk)))
    assert names(ada) == ["Hidden"]
    SpaceMember.objects.filter(user=ada).delete()
    assert names(ada) == []
    assert refusal(ada, "event", a_draft().slug) == "unknown_event"
    assert [refusal(ada, "bot", name) for name in ("x", "", "0", "9" * 40)] == ["unknown_bot"] * 4


def test_shut_and_suspended_accounts_and_their_bots_disappear() -> None:
    ada, olga, theo = a_user("ada"), a_user("olga"), a_user("theo")
    bots = [a_bot(olga, "Orchid"), a_bot(theo, "Thistle")]
    targets: list[Target] = [olga, theo, *bots]
    for target in targets:
        start_following(user=ada, target=target)
    User.objects.filter(pk=olga.pk).update(is_active=False)
    Suspend(theo, "Insults").do(by=a_user(staff=True), reason="Insults.")
    assert names(ada) == []
    assert [refusal(ada, "person", name) for name in ("olga", "theo", "nobody")] == ["unknown_user"] * 3
    assert [refusal(ada, "bot", bot.pk) for bot in bots] == ["unknown_bot"] * 2


def test_one_person_follows_so_many_and_another_after_leaving_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "FOLLOWED", replace(rules.FOLLOWED, most=1))
    ada, bots = a_user("ada"), [a_bot(), a_bot()]
    start_following(user=ada, target=bots[0])
    start_following(user=ada, target=bots[0])
    with pytest.raises(Refused, match="at most 1 bots") as refused:
        start_following(user=ada, target=bots[1])
    assert refused.value.code == "too_many_follows"
    start_following(user=a_user(), target=bots[1])
    ada.follows.all().delete()
    assert start_following(user=ada, target=bots[1]).bot == bots[1]


def test_the_database_keeps_a_follow_to_one_thing() -> None:
    ada, bot, ladder = a_user("ada"), a_bot(), a_ladder()
    for about in ({}, {"bot": bot, "ladder": ladder}):
        with pytest.raises(IntegrityError, match="one_thing_is_followed"), transaction.atomic():
            Follow.objects.create(user=ada, **about)
