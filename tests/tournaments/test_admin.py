import json
from http import HTTPStatus
from typing import Any

import pytest
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.test import Client

from tests.factories import a_completed_set, a_ladder, a_user, a_version, rate
from tests.holding import ROBIN, SWISS, a_draft, a_running, an_event, fresh, play_out, play_round
from tournaments.entering import enter
from tournaments.models import Entrant, Event, Ladder, MatchSet
from tournaments.models.ladders import RANGES
from tournaments.registering import register

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser(settings: Any) -> Client:
    settings.STORAGES = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
    user = a_user(staff=True)
    user.is_superuser = True
    user.save()
    client = Client()
    client.force_login(user)
    return client


def test_an_organiser_sees_every_list_and_every_row(organiser: Client) -> None:
    ladder, versions = a_ladder(players=2), [a_version(), a_version()]
    enter(ladder=ladder, bot=versions[0].bot, by=versions[0].bot.owner)
    played = a_completed_set(ladder, versions)
    rate()
    play_out(a_running(2, ROBIN))
    for model in admin.site._registry:
        if model._meta.app_label == "tournaments":
            name = model._meta.model_name
            assert organiser.get(f"/admin/tournaments/{name}/").status_code == HTTPStatus.OK
            row = model._default_manager.order_by("-pk").first()
            page = organiser.get(f"/admin/tournaments/{name}/{row.pk}/change/") if row else None
            assert page
            assert page.status_code == HTTPStatus.OK
            assert played.seed not in page.content.decode()


def test_nobody_edits_the_ledger_by_hand(organiser: Client) -> None:
    played = a_completed_set(a_ladder(players=2), [a_version(), a_version()])
    changes = organiser.post(f"/admin/tournaments/matchset/{played.pk}/change/", {"status": "cancelled"})
    removal = organiser.post(f"/admin/tournaments/matchset/{played.pk}/delete/", {"post": "yes"})
    assert (changes.status_code, removal.status_code) == (HTTPStatus.FORBIDDEN, HTTPStatus.FORBIDDEN)
    assert MatchSet.objects.get(pk=played.pk).status == "complete"


def test_a_ladder_cannot_have_options_that_cannot_be_played() -> None:
    ladder = a_ladder()
    wrong: list[object] = [{"players": 9}, {"seats": 2}, [], "3"]
    for options in wrong:
        with pytest.raises(ValidationError, match="options"):
            Ladder(slug="new", title="New", game="zaibatsu", rules=1, options=options).full_clean()
    ladder.full_clean()


def test_the_form_of_a_ladder_says_which_limit_is_out_of_range(organiser: Client) -> None:
    ladder = a_ladder()
    form = {
        name: getattr(ladder, name) for name in (*RANGES, "title", "status", "sets_wanted", "pace_seconds", "margin")
    }
    change = f"/admin/tournaments/ladder/{ladder.pk}/change/"
    page = organiser.post(change, form | {"threads": 0, "line_kb": 257}).content.decode()
    assert "threads is 0; it must be a whole number from 1 to 1024." in page
    assert "line_kb is 257; it must be a whole number from 1 to 256." in page
    assert organiser.post(change, form | {"threads": 2}).status_code == HTTPStatus.FOUND
    ladder.refresh_from_db()
    assert ladder.threads == 2


def test_a_draft_is_made_and_changed_in_a_form_that_says_what_is_wrong_with_the_format(organiser: Client) -> None:
    form = {"slug": "cup", "title": "Cup", "ladder": a_ladder(players=2).pk, "spec": '{"t": "swiss", "seats": 9}'}
    page = organiser.post("/admin/tournaments/event/add/", form).content.decode()
    assert "Tables of 9 to 9 cannot be played: the game is for 2, 3, 4 players" in page
    assert not Event.objects.exists()
    done = organiser.post("/admin/tournaments/event/add/", form | {"spec": json.dumps(SWISS), "released": "0"})
    event = Event.objects.get()
    assert (done.status_code, event.status, event.released) == (HTTPStatus.FOUND, "draft", 0)
    assert event.organiser
    assert event.spec["rounds"] == 2
    assert len(event.lot) == 32
    change = f"/admin/tournaments/event/{event.pk}/change/"
    organiser.post(change, form | {"spec": json.dumps(ROBIN), "title": "Cup of cups"})
    assert (fresh(event).title, fresh(event).spec["t"]) == ("Cup of cups", "round_robin")


def test_what_competitors_rely_on_cannot_be_changed_once_announced(organiser: Client) -> None:
    event = an_event([])
    form = {"title": "Another name", "description": "", "slug": "x", "spec": json.dumps(ROBIN)}
    organiser.post(f"/admin/tournaments/event/{event.pk}/change/", form)
    assert (fresh(event).title, fresh(event).spec["t"], fresh(event).slug) == ("Another name", "swiss", event.slug)
    assert organiser.post(f"/admin/tournaments/event/{event.pk}/delete/", {"post": "yes"}).status_code == 403


def act(organiser: Client, model: str, action: str, *rows: int) -> str:
    form = {"action": action, "_selected_action": rows}
    return organiser.post(f"/admin/tournaments/{model}/", form, follow=True).content.decode()


def test_organisers_run_an_event_by_the_actions_of_its_list(organiser: Client) -> None:
    event = a_draft(ROBIN, released=0)
    assert "announced" in act(organiser, "event", "announce_them", event.pk)
    assert "0 entered; 2 are needed" in act(organiser, "event", "start_them", event.pk)
    for version in (a_version(), a_version()):
        register(event=event, bot=version.bot, by=version.bot.owner)
    assert "started" in act(organiser, "event", "start_them", event.pk)
    assert "has not been played to its end" in act(organiser, "event", "release_next_round", event.pk)
    play_round(event)
    assert "released" in act(organiser, "event", "release_next_round", event.pk)
    assert "called off" in act(organiser, "event", "call_them_off", event.pk)
    assert fresh(event).reason.startswith("Called off by user")


def test_organisers_disqualify_an_entrant_for_a_reason_they_write(organiser: Client) -> None:
    event = play_out(a_running(2, ROBIN))
    entrant = event.entrants.get(place=1)
    organiser.post(f"/admin/tournaments/entrant/{entrant.pk}/change/", {"reason": "it was two bots"})
    act(organiser, "entrant", "disqualify_them", entrant.pk)
    entrant.refresh_from_db()
    assert (entrant.status, entrant.reason, entrant.place) == ("disqualified", "it was two bots", None)
    assert Entrant.objects.get(place=1) != entrant
