"""Columns of JSON and of bytes are bounded, however a row is written."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django.db.models import F

from tests.factories import a_user
from tournaments.core.accounts.text_budgets import check_documents
from tournaments.core.errors import Refused
from tournaments.models import Bundle, Notice
from tournaments.models.documents import BUNDLE, VALUES

pytestmark = pytest.mark.django_db
FITS = {"x": "x" * (VALUES - len('{"x": ""}'))}
LONG: list[Any] = [
    {"x": FITS["x"] + "x"},
    "é" * (VALUES // 6 + 1),
    list(range(VALUES // 4)),
    {"a": {"b": ["x" * 99] * (VALUES // 99)}},
]


def a_notice(detail: Any = None) -> Notice:
    return Notice(user=a_user(), kind=Notice.Kind.TEST, key="key", text="text", path="/", detail=detail or {})


def create(detail: Any) -> None:
    Notice.objects.bulk_create([a_notice(detail)])


def save(detail: Any) -> None:
    notice = a_notice()
    notice.save()
    notice.detail = detail
    notice.save(update_fields=["detail"])


def update(detail: Any) -> None:
    a_notice().save()
    Notice.objects.update(detail=detail)


def update_many(detail: Any) -> None:
    notice = a_notice()
    notice.save()
    notice.detail = detail
    Notice.objects.bulk_update([notice], ["detail"])


def test_each_column_has_a_budget() -> None:
    assert check_documents() == []


@pytest.mark.parametrize(("model", "name"), [(Notice, "detail"), (Bundle, "content")])
def test_a_column_without_a_budget_is_found(model: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    column = model._meta.get_field(name)
    monkeypatch.setattr(column, "most", 0)
    assert [error.obj for error in check_documents()] == [column]


@pytest.mark.parametrize("write", [create, save, update, update_many])
def test_a_value_that_is_too_long_is_refused(write: Callable[[Any], None]) -> None:
    for number, detail in enumerate(LONG):
        with pytest.raises(Refused, match="at most 65,536 bytes") as refused, transaction.atomic():
            write(detail)
        assert refused.value.code == "over_budget", number
        Notice.objects.all().delete()


@pytest.mark.parametrize("write", [create, save, update, update_many])
def test_the_longest_value_is_stored_whole(write: Callable[[Any], None]) -> None:
    write(FITS)
    assert Notice.objects.get().detail == FITS


def test_an_expression_is_written_as_it_is() -> None:
    a_notice({"a": 1}).save()
    Notice.objects.update(detail=F("detail"))
    assert Notice.objects.get().detail == {"a": 1}


def test_bytes_are_bounded_too() -> None:
    with pytest.raises(Refused, match="at most 20,971,520 bytes"), transaction.atomic():
        Bundle.objects.create(sha256="0" * 64, size=0, content=bytes(BUNDLE + 1))
    assert Bundle.objects.create(sha256="0" * 64, size=0, content=b"x").content == b"x"
