"""Uploads leave some space on the disk, and the desk says when they are refused."""

from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from tests.factories import a_bot, a_user, an_upload
from tests.tournaments.web.pages.conftest import signed_in
from tournaments.core.errors import Refused
from tournaments.ledger.competitors import disk_space
from tournaments.models import Bundle, Version
from tournaments.ops.monitoring.metrics import metrics_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def nearly_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a reserve of more than any disk has, as `DISK_RESERVE_MB` does."""
    monkeypatch.setattr(disk_space, "RESERVE", replace(disk_space.RESERVE, most=10**9))


def test_an_upload_is_taken_while_there_is_room() -> None:
    an_upload(a_bot())
    assert Bundle.objects.count() == 1
    assert "disk" not in signed_in(a_user("anna", staff=True)).get("/desk/").content.decode()


@pytest.mark.usefixtures("nearly_full")
def test_an_upload_is_refused_while_the_disk_is_nearly_full() -> None:
    with pytest.raises(Refused, match="nearly full") as refused:
        an_upload(a_bot())
    assert refused.value.code == "disk_full"
    assert (Bundle.objects.count(), Version.objects.count()) == (0, 0)


@pytest.mark.usefixtures("nearly_full")
def test_the_desk_says_so() -> None:
    assert (
        "MB left: below 1000000000 no uploads" in signed_in(a_user("anna", staff=True)).get("/desk/").content.decode()
    )


@pytest.mark.usefixtures("nearly_full")
def test_the_samples_of_a_new_site_are_not_made_and_it_says_why() -> None:
    with pytest.raises(CommandError, match="No samples are made: this site's disk is nearly full"):
        call_command("demo")


def test_the_free_space_is_a_metric() -> None:
    assert b"boardroom_disk_free_mb" in metrics_text()
