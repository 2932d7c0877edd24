"""Columns of text have a budget: what people type is refused beyond it, and what programs write keeps its beginning."""

import pytest
from django.core.exceptions import ValidationError

from tests.factories import a_ladder, a_user, a_version
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.pages.conftest import signed_in
from tournaments.core.accounts.text_budgets import check_texts
from tournaments.core.errors import Refused
from tournaments.ledger.acts.ladder_settings import ChangeSettings
from tournaments.models import Ladder, Space, Version
from tournaments.models.texts import MARKDOWN, REPORT

pytestmark = pytest.mark.django_db
LONG = "x" * (MARKDOWN + 1)


def test_every_column_of_text_has_a_budget_and_a_new_one_without_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_texts() == []
    column = Ladder._meta.get_field("description")
    monkeypatch.setattr(column, "most", 0)
    assert [error.obj for error in check_texts()] == [column]


def test_a_ladders_description_is_bounded_wherever_it_is_typed() -> None:
    ladder, staff = a_ladder(), a_user(staff=True)
    with pytest.raises(Refused, match="description"):
        ChangeSettings(ladder, {"description": LONG}).do(by=staff, reason="x")
    body = {"ladder": ladder.slug, "settings": {"description": LONG}, "reason": "x"}
    assert refused(ask("POST", "acts/change_settings", staff, body)) == (400, "bad_setting")
    form = {"title": "Long", "description": LONG, "reason": "x", "do": "1"}
    page = signed_in(staff).post("/desk/new-ladder/?game=zaibatsu", form).content.decode()
    assert "at most 10000 characters" in page
    assert (Ladder.objects.count(), Ladder.objects.get().description) == (1, ladder.description)
    ChangeSettings(ladder, {"description": LONG[1:]}).do(by=staff, reason="x")


def test_a_text_that_somebody_typed_is_not_valid_beyond_its_budget() -> None:
    with pytest.raises(ValidationError, match="at most 10000 characters"):
        Space(slug="a", title="A", about=LONG).full_clean()


@pytest.mark.parametrize("more", [0, 1, 1_000_000])
def test_what_a_program_writes_keeps_its_beginning(more: int) -> None:
    version, text = a_version(), "é" * (REPORT + more)
    kept = text if not more else "é" * (REPORT - 1) + "…"
    Version.objects.filter(pk=version.pk).update(report=text)
    version.refresh_from_db()
    assert version.report == kept
    version.report = text
    version.save()
    version.refresh_from_db()
    assert version.report == kept
