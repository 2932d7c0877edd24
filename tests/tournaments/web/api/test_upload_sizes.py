"""How large an upload may be: as the ladders say in which a bot plays, or may."""

import io
import os
import zipfile

import pytest
from django.conf import settings
from django.test import Client

from bots.bundle import MAX_UPLOAD, USUAL_UPLOAD
from tests.factories import SAMPLE, a_bot, a_ladder, a_user, a_version
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.api.test_uploads import OCTETS, send
from tests.tournaments.web.pages.html import Html
from tournaments.ledger import acts
from tournaments.ledger.acts.ladder_settings import BadSetting
from tournaments.models import Bundle, Ladder
from tournaments.models.ladders import UPLOAD, UPLOADS

pytestmark = pytest.mark.django_db
MB = 1 << 20


def with_weights(size: int, zeros: int = 0) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("bot.py", SAMPLE)
        archive.writestr("weights", os.urandom(size))
        archive.writestr("zeros", bytes(zeros), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def test_ladders_and_bundles_go_by_the_same_limits() -> None:
    assert (UPLOAD * MB, UPLOADS[1] * MB) == (USUAL_UPLOAD, MAX_UPLOAD)
    assert (settings.USUAL_UPLOAD_MB, settings.UPLOAD_BYTES) == (UPLOAD, MAX_UPLOAD)


def test_where_a_ladder_takes_more_an_upload_may_be_larger_and_no_larger_than_that() -> None:
    bot, ladder = a_bot(), a_ladder("heavy", upload_mb=20)
    assert ask("GET", f"bots/{bot.pk}").json()["upload_mb"] == 20
    largest = with_weights(20 * MB - 4000)
    path = f"bots/{bot.pk}/versions"
    too_large = largest + bytes(20 * MB + 1 - len(largest))
    assert refused(send(path, bot.owner, too_large, "bot.zip")) == (413, "too_large")
    assert refused(ask("POST", f"{path}?filename=bot.zip", bot.owner, too_large, kind=OCTETS)) == (413, "too_large")
    assert refused(send(path, bot.owner, with_weights(MB, 40 * MB), "bot.zip")) == (413, "too_large")  # unpacked
    assert not Bundle.objects.exists()
    assert send(path, bot.owner, largest, "bot.zip").json()["size"] == len(largest)
    assert ask("POST", f"ladders/{ladder.slug}/entries", bot.owner, {"bot": bot.pk}).status_code == 201


def test_a_ladder_that_takes_less_refuses_a_bot_that_is_larger() -> None:
    bot, heavy, light = a_bot(), a_ladder("heavy", upload_mb=20), a_ladder("light")
    data = with_weights(6 * MB)
    assert send(f"bots/{bot.pk}/versions", bot.owner, data, "bot.zip").status_code == 201
    answer = ask("POST", f"ladders/{light.slug}/entries", bot.owner, {"bot": bot.pk})
    assert refused(answer) == (409, "bundle_too_large")
    assert "takes 5 MB at most" in answer.json()["detail"]
    other = a_bot(a_version().bot.owner, "Light")
    light.entries.create(bot=other)
    assert ask("GET", f"bots/{other.pk}").json()["upload_mb"] == 5  # the least of those where it plays
    assert refused(send(f"bots/{other.pk}/versions", other.owner, data, "bot.zip")) == (413, "too_large")
    Ladder.objects.filter(pk=heavy.pk).update(status=Ladder.Status.CLOSED)
    assert ask("GET", f"bots/{bot.pk}").json()["upload_mb"] == 5


def test_going_back_to_a_version_that_is_too_large_for_a_ladder_is_refused() -> None:
    ladder, first = a_ladder(version_pause=0), a_version()
    ladder.entries.create(bot=first.bot)
    a_version(first.bot)
    Bundle.objects.filter(pk=first.bundle_id).update(size=6 * MB)
    answer = ask("POST", f"bots/{first.bot_id}/versions/{first.number}/activate", first.bot.owner)
    assert refused(answer) == (409, "bundle_too_large")


def test_an_organiser_sets_it_and_the_forms_say_it() -> None:
    ladder, bot = a_ladder(), a_bot()
    changed = acts.ChangeSettings(ladder=ladder, settings={"upload_mb": 12})
    assert "Uploads from now on are held to it" in str(changed.preview().says)
    changed.do(by=a_user("stella", staff=True), reason="Weights.")
    with pytest.raises(BadSetting, match="from 1 to 20"):
        acts.ChangeSettings(ladder=ladder, settings={"upload_mb": 21}).preview()
    client = Client()
    client.force_login(bot.owner)
    for path in ("/upload/", f"/bots/{bot.pk}/upload/"):
        page = client.get(path).content.decode()
        assert "at most 12 MB" in Html(page).text
        assert f'data-bytes="{12 * MB}"' in page
    assert "12 MB at most, and 24 MB unpacked." in Html(client.get(f"/ladders/{ladder.slug}/").content.decode()).text


def test_other_addresses_take_no_more_than_they_did() -> None:
    for path in ("/sign-in/", "/api/v1/bots"):
        assert Client().post(path, {}, headers={"Content-Length": str(MB)}).status_code == 413, path
