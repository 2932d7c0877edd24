import html
import json
import re
from http import HTTPStatus
from typing import Any

import pytest
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.test import Client

import tournaments.ops.admin.tables  # noqa: F401  it registers them
from tests.factories import a_completed_set, a_ladder, a_user, a_version, rate
from tests.holding import ROBIN, a_draft, a_running, fresh, play_out, play_round
from tournaments.features.events.registration import register
from tournaments.ledger.acts.arguments import parts
from tournaments.ledger.acts.base import actions
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.table_options import check_ladder
from tournaments.models import Act, Entrant, Ladder, MatchSet, Worker
from tournaments.models.ladders import RANGES

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
    enter_in_ladder(ladder=ladder, bot=versions[0].bot, by=versions[0].bot.owner)
    played = a_completed_set(ladder, versions)
    rate()
    play_out(a_running(2, ROBIN))
    Worker.objects.create(name="a worker")
    for model in admin.site._registry:
        if model._meta.app_label == "tournaments":
            name = model._meta.model_name
            assert organiser.get(f"/admin/tournaments/{name}/").status_code == HTTPStatus.OK
            row = model._default_manager.order_by("-pk").first()
            page = organiser.get(f"/admin/tournaments/{name}/{row.pk}/change/") if row else None
            assert page
            assert page.status_code == HTTPStatus.OK
            assert played.seed not in page.content.decode()


@pytest.mark.parametrize("query", ["seed__startswith=a", "seed=a", "seed__gt=a"])
def test_a_sealed_seed_cannot_be_guessed_by_the_query_of_a_list(organiser: Client, query: str) -> None:
    a_completed_set(a_ladder(players=2), [a_version(), a_version()])
    assert organiser.get(f"/admin/tournaments/matchset/?{query}").status_code == HTTPStatus.BAD_REQUEST


@pytest.mark.parametrize("query", ["lot=1", "lot__gt=1"])
def test_an_event_s_lot_cannot_be_guessed_either(organiser: Client, query: str) -> None:
    assert organiser.get(f"/admin/tournaments/event/?{query}").status_code == HTTPStatus.BAD_REQUEST


def test_rows_are_still_filtered_by_what_is_shown(organiser: Client) -> None:
    assert organiser.get("/admin/tournaments/matchset/?status__exact=open").status_code == HTTPStatus.OK


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
            check_ladder(Ladder(slug="new", title="New", game="zaibatsu", rules=1, options=options))
    check_ladder(ladder)


def test_the_form_of_a_ladder_says_which_limit_is_out_of_range(organiser: Client) -> None:
    ladder = a_ladder()
    page = "/desk/acts/change_settings/"
    settings = ("title", "strikes", "sets_wanted", "pace_seconds", "margin", "live_delay", "prior_sd", "by_lot")
    numbers = (*RANGES, *settings, "few_owners", "version_pause", "upload_mb", "data_licence")
    form = {"ladder": ladder.slug, **{name: getattr(ladder, name) for name in numbers}, "reason": "More is better."}
    page_text = organiser.post(page, form | {"threads": 0, "line_kb": 257}).content.decode()
    assert "threads is 0; it must be a whole number from 1 to 1024." in page_text
    assert "line_kb is 257; it must be a whole number from 1 to 256." in page_text
    done = carry_out(organiser, page, form | {"threads": 2})
    assert "<td>16</td> <td>2</td>" in " ".join(done.split())
    ladder.refresh_from_db()
    assert ladder.threads == 2
    raw = organiser.post(f"/admin/tournaments/ladder/{ladder.pk}/change/", form | {"threads": 3, "status": "closed"})
    assert raw.status_code == HTTPStatus.FORBIDDEN


def carry_out(organiser: Client, page: str, form: dict[str, Any]) -> str:
    """Look at what the act would do, then say why, and do it, as a person does. Returns the preview."""
    text = organiser.post(page, form).content.decode()
    [seen] = re.findall('name="seen" value="(.*?)"', text)
    assert organiser.post(page, {**form, "do": "yes", "seen": html.unescape(seen)}).status_code == HTTPStatus.FOUND
    return text


def act(organiser: Client, model: str, action: str, row: int, *, reason: str = "It is time.") -> str:
    """Go by the action of a list to the page of the act, which shows the preview at once, and do it."""
    form = {"action": action, "_selected_action": [row]}
    chosen = organiser.post(f"/admin/tournaments/{model}/", form, follow=True)
    text = chosen.content.decode()
    if seen := re.findall('name="seen" value="(.*?)"', text):
        [about] = [part.name for part in parts(actions()[action]) if part.kind is not str]
        given = {about: row, "reason": reason, "do": "yes", "seen": html.unescape(seen[0])}
        text += organiser.post(chosen.request["PATH_INFO"], given, follow=True).content.decode()
    return text


def test_organisers_run_an_event_by_the_actions_of_its_list(organiser: Client) -> None:
    event = a_draft(ROBIN, released=0)
    assert 'class="success">Done: ' in act(organiser, "event", "announce_event", event.pk)
    assert "A table needs 2 bots; taking part: 0" in act(organiser, "event", "start_event", event.pk)
    for version in (a_version(), a_version()):
        register(event=event, bot=version.bot, by=version.bot.owner)
    assert "begins with 2 bots" in act(organiser, "event", "start_event", event.pk)
    assert "has not been played to its end" in act(organiser, "event", "release_round", event.pk)
    play_round(event)
    assert "The results of round 1 are public" in act(organiser, "event", "release_round", event.pk)
    assert "ends without a result" in act(organiser, "event", "call_off_event", event.pk, reason="The hall burns.")
    assert fresh(event).reason == "The hall burns."


def test_an_act_without_a_reason_or_other_than_its_preview_is_not_done(organiser: Client) -> None:
    ladder = a_ladder()
    acts_before = Act.objects.count()
    page = "/desk/acts/pause_ladder/"
    seen = {"seen": json.dumps({"ladder": ladder.slug}), "do": "yes", "ladder": ladder.slug}
    assert "say why" in organiser.post(page, {**seen, "reason": ""}).content.decode().lower()
    other = organiser.post(page, {**seen, "ladder": a_ladder().slug, "reason": "Rain."})
    assert "What it would do" in other.content.decode()
    assert Act.objects.count() == acts_before
    assert organiser.post(page, {**seen, "reason": "Rain."}).status_code == HTTPStatus.FOUND
    assert Act.objects.get(kind="pause_ladder").reason == "Rain."


@pytest.mark.parametrize("model", ["user", "ladder", "bot", "version", "entry", "match", "matchset", "worker", "act"])
def test_nothing_that_has_a_history_is_deleted(organiser: Client, model: str) -> None:
    played = a_completed_set(a_ladder(players=2), [a_version(), a_version()])
    [registered] = [kind for kind in admin.site._registry if kind._meta.model_name == model]
    row = registered._default_manager.order_by("-pk").first()
    if row:
        answer = organiser.post(f"/admin/tournaments/{model}/{row.pk}/delete/", {"post": "yes"})
        assert answer.status_code == HTTPStatus.FORBIDDEN
    form = {"action": "delete_selected", "_selected_action": [row.pk if row else 1], "post": "yes"}
    organiser.post(f"/admin/tournaments/{model}/", form)
    assert MatchSet.objects.filter(pk=played.pk).exists()
    assert not row or registered._default_manager.filter(pk=row.pk).exists()


def test_organisers_disqualify_an_entrant_for_a_reason_they_write(organiser: Client) -> None:
    event = play_out(a_running(2, ROBIN))
    entrant = event.entrants.get(place=1)
    act(organiser, "entrant", "disqualify_entrant", entrant.pk, reason="it was two bots")
    entrant.refresh_from_db()
    assert (entrant.status, entrant.reason, entrant.place) == ("disqualified", "it was two bots", None)
    assert Entrant.objects.get(place=1) != entrant
