from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.factories import a_bot, a_user, play_set
from tournaments.models import Bot, Bundle, Entry, Ladder, User, Version

pytestmark = pytest.mark.django_db


def world() -> list[list[Any]]:
    return [list(model.objects.order_by("pk").values()) for model in (User, Ladder, Bot, Version, Entry)]


def test_the_demo_is_a_ladder_for_three_with_the_sample_bots_in_check() -> None:
    call_command("demo")
    ladder = Ladder.objects.get()
    assert (ladder.slug, ladder.title, ladder.seats) == ("zaibatsu", "Zaibatsu", 3)
    assert list(ladder.entries.values_list("bot__name", flat=True)) == ["random", "marginal", "blend"]
    assert set(Version.objects.values_list("status", "number")) == {("checking", 1)}
    assert not User.objects.get().has_usable_password()


def test_the_second_time_it_changes_nothing_whether_checked_or_not() -> None:
    call_command("demo")
    for checked in (False, True):
        if checked:
            for version in Version.objects.all():
                play_set(version.check_set)
        before = world()
        call_command("demo")
        assert world() == before


def test_a_sample_bot_that_has_changed_is_uploaded_anew() -> None:
    call_command("demo")
    version = Version.objects.get(bot__name="random")
    play_set(version.check_set)
    older = Bundle.objects.create(sha256="0" * 64, content=b"# older", size=7)
    Version.objects.filter(pk=version.pk).update(bundle=older)
    call_command("demo")
    assert list(version.bot.versions.order_by("number").values_list("number", "status")) == [
        (1, "active"),
        (2, "checking"),
    ]


def test_it_leaves_alone_what_belongs_to_others() -> None:
    theirs = a_bot(name="Random")
    call_command("demo")
    assert not theirs.versions.exists()
    assert Entry.objects.count() == 2


def test_it_does_not_give_the_sample_bots_to_somebody_who_signed_up_by_their_owners_name() -> None:
    a_user("boardroom")
    with pytest.raises(CommandError, match="somebody has signed up"):
        call_command("demo")
