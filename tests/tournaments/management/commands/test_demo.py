from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Count
from django.utils import timezone

from bots.characters import characters_of
from bots.field import rungs_of
from engine.games import GAMES
from tests.factories import a_bot, a_user, play_set
from tests.holding import play_out
from tournaments.features.events.lifecycle import advance_events
from tournaments.ledger.ladders.table_options import check_ladder
from tournaments.management.commands import up
from tournaments.management.commands.demo import demo_options, samples_in_python
from tournaments.models import BadgeReading, Bot, Bundle, Entry, Event, Ladder, User, Version

pytestmark = pytest.mark.django_db


def world() -> list[list[Any]]:
    return [list(model.objects.order_by("pk").values()) for model in (User, Ladder, Bot, Version, Entry)]


def test_the_demo_is_a_ladder_for_each_game_with_its_sample_bots_in_check() -> None:
    call_command("demo")
    assert list(Ladder.objects.order_by("pk").values_list("slug", flat=True)) == list(GAMES)
    assert set(Version.objects.values_list("status", "number")) == {("checking", 1)}
    assert not any(user.has_usable_password() for user in User.objects.all())


@pytest.mark.parametrize("game", GAMES)
def test_the_samples_of_a_game_fill_the_tables_of_its_ladder(game: str) -> None:
    call_command("demo", game, rungs=0)
    ladder = Ladder.objects.get()
    assert (ladder.slug, ladder.title, ladder.game) == (game, GAMES[game].title, game)
    assert list(ladder.entries.order_by("pk").values_list("bot__name", flat=True)) == samples_in_python(game)
    assert ladder.entries.count() >= ladder.seats


def test_the_rungs_of_the_field_play_in_the_ladder_of_their_game_as_they_do_at_home() -> None:
    call_command("demo", "kaiju", rungs=0)
    call_command("demo", "kaiju")
    samples, rungs = samples_in_python("kaiju"), rungs_of("kaiju")
    entered = list(Entry.objects.order_by("pk").values_list("bot__name", flat=True))
    assert entered == [*samples, *(character.name for character in characters_of("kaiju").values())]
    bundles = dict(
        Version.objects.filter(bot__owner__username="field-kaiju").values_list("bot__house", "bundle__sha256")
    )
    assert bundles == {name: rung.bundle for name, rung in rungs.items()}
    assert Ladder.objects.get().anchor == Version.objects.get(bot__name="random")


def test_the_rungs_come_a_few_at_a_time_and_a_taken_name_stops_only_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    a_user("field-kaiju")
    call_command("demo", "kaiju", "zaibatsu", rungs=2)
    assert "somebody has signed up by that name" in capsys.readouterr().err
    assert Bot.objects.filter(owner__username="field-kaiju").count() == 0
    assert set(Bot.objects.filter(owner__username="field-zaibatsu").values_list("house", flat=True)) == {
        "rung1",
        "rung2",
    }
    assert {len(rungs_of(game)) for game in GAMES} == {up.RUNGS}


def test_rungs_of_an_older_release_become_characters_and_who_beat_them_meanwhile_is_looked_for() -> None:
    call_command("demo", "kaiju", rungs=2)
    first, second = Bot.objects.filter(owner__username="field-kaiju").order_by("pk")
    Bot.objects.filter(pk=first.pk).update(house="", name="rung1")
    Bot.objects.filter(pk=second.pk).update(house="", name="rung2")
    Bot.objects.create(owner=a_user(), game="kaiju", name="puddle")
    reading = BadgeReading.objects.create(ladder=Ladder.objects.get(), step=9, fit_at=timezone.now())
    call_command("demo", "kaiju", rungs=2)
    reading.refresh_from_db()
    assert (reading.step, reading.fit_at) == (0, None)
    bots = Bot.objects.filter(owner__username="field-kaiju").order_by("pk").values_list("pk", "house", "name")
    assert list(bots) == [(first.pk, "rung1", "Wobble"), (second.pk, "rung2", "rung2")]


def test_a_rung_that_another_release_measured_is_uploaded_anew_and_one_that_was_another_rung_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("demo", "kaiju")
    for version in Version.objects.filter(bot__house__in=["rung3", "rung4"]):
        play_set(version.check_set)
    rungs = dict(rungs_of("kaiju"))
    newer = replace(rungs["rung3"], numbers={"noise": 0.9})
    changed = {**rungs, "rung3": newer, "rung4": rungs["rung3"]}
    monkeypatch.setattr("tournaments.management.commands.demo.rungs_of", lambda _game: changed)
    call_command("demo", "kaiju")
    assert dict(Bot.objects.filter(house__in=["rung3", "rung4"]).values_list("house").annotate(Count("versions"))) == {
        "rung3": 2,
        "rung4": 1,
    }
    assert "ladder kaiju: rung4 stays as it was: " in capsys.readouterr().err


def test_options_are_the_games_own_but_for_the_few_that_are_named() -> None:
    call_command("demo")
    for ladder in Ladder.objects.all():
        chosen = {**demo_options(ladder.game), "players": 3}
        assert ladder.options.items() >= chosen.items()
        check_ladder(ladder)


def test_a_game_that_there_is_not_is_refused_in_a_sentence() -> None:
    with pytest.raises(CommandError, match="There is no game 'chess'; there are: zaibatsu"):
        call_command("demo", "zaibatsu", "chess")
    assert not Ladder.objects.exists()


def test_fewer_rungs_than_none_are_refused_in_a_sentence() -> None:
    with pytest.raises(CommandError, match="'-1' is not a whole number from 0"):
        call_command("demo", "--rungs=-1")


def test_the_second_time_it_changes_nothing_whether_checked_or_not() -> None:
    call_command("demo", "zaibatsu")
    for checked in (False, True):
        if checked:
            for version in Version.objects.all():
                play_set(version.check_set)
        before = world()
        call_command("demo", "zaibatsu")
        assert world() == before


def test_a_sample_bot_that_has_changed_is_uploaded_anew() -> None:
    call_command("demo", rungs=0)
    version = Version.objects.get(bot__name="random", bot__game="zaibatsu")
    play_set(version.check_set)
    older = Bundle.objects.create(sha256="0" * 64, content=b"# older", size=7)
    Version.objects.filter(pk=version.pk).update(bundle=older, contents="0" * 64)
    call_command("demo", rungs=0)
    assert list(version.bot.versions.order_by("number").values_list("number", "status")) == [
        (1, "active"),
        (2, "checking"),
    ]


def test_there_is_a_small_event_that_begins_by_itself() -> None:
    call_command("demo", "zaibatsu", rungs=0)
    for version in Version.objects.all():
        play_set(version.check_set)
    Event.objects.update(starts_at=timezone.now())
    advance_events()
    cup = play_out(Event.objects.get())
    assert cup.status == Event.Status.FINISHED
    assert sum(match_set.matches.count() for match_set in cup.sets.all()) == 6
    assert list(cup.entrants.order_by("place").values_list("place", flat=True)) == [1, 2, 3]


def test_it_leaves_alone_what_belongs_to_others() -> None:
    foreign = a_bot(name="Random")
    call_command("demo", "zaibatsu", rungs=0)
    assert not foreign.versions.exists()
    assert Entry.objects.count() == 2


def test_it_does_not_give_the_sample_bots_to_somebody_who_signed_up_by_their_owners_name() -> None:
    a_user("boardroom")
    with pytest.raises(CommandError, match="somebody has signed up"):
        call_command("demo")
