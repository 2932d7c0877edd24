from http import HTTPStatus
from typing import Any

import pytest
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.test import Client

from tests.factories import a_completed_set, a_ladder, a_user, a_version, rate
from tournaments.entering import enter
from tournaments.models import Ladder, MatchSet
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
    enter(ladder=ladder, bot=versions[0].bot, by=versions[0].bot.owner)
    played = a_completed_set(ladder, versions)
    rate()
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
