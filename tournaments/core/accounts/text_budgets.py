"""The bounds of columns (`models.texts`, `models.documents`) as budgets; Django's checks find a column without one."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.apps import apps
from django.core import checks
from django.db import models

from engine.sentences import Sentence
from tournaments.core.config.budgets import Budget, declare
from tournaments.models import documents, texts

if TYPE_CHECKING:
    Column = models.Field[Any, Any]
else:
    Column = models.Field

TYPED: Final = partial(
    Budget,
    resource="Texts",
    unit="characters",
    holder="text",
    where="tournaments.core.accounts.text_budgets.check_texts",
    sentence="a text of this kind has at most %(most)s characters; make it shorter",
)
MADE: Final = partial(TYPED, sentence="of a longer text the first %(most)s characters are stored")
MARKDOWN = declare(TYPED("stored description, rules and other Markdown of a page", most=texts.MARKDOWN))
ANNOUNCED = declare(TYPED("stored text of an announcement", most=texts.ANNOUNCED))
COMPLAINT = declare(TYPED("stored text of a report or an appeal", most=texts.COMPLAINT))
WORDS = declare(TYPED("stored words of an organiser", most=texts.WORDS))
SOURCE = declare(TYPED("stored source of a draft", most=texts.SOURCE))
REASON = declare(MADE("stored reason that a program gives", most=texts.REASON))
REPORT = declare(MADE("stored report of a check", most=texts.REPORT))
STDERR = declare(MADE("stored error output of a seat", most=texts.STDERR))
DOCUMENT: Final = partial(
    TYPED,
    unit="bytes",
    holder="value",
    where="tournaments.core.accounts.text_budgets.check_documents",
    sentence=Sentence("a value of this kind has at most %(most)s bytes"),
)
VALUES = declare(DOCUMENT("stored options, choices and lists of names", most=documents.VALUES))
TABLE = declare(DOCUMENT("stored table with a line for each bot", most=documents.TABLE))
RECORD = declare(DOCUMENT("stored record of a game, an examination or an answer", most=documents.RECORD))
REPLAY = declare(DOCUMENT("stored replay, packed", most=documents.REPLAY))
BUNDLE = declare(DOCUMENT("stored bundle", most=documents.BUNDLE))


@checks.register(checks.Tags.models)
def check_documents(**_: object) -> list[checks.CheckMessage]:
    """Return an error for each column of JSON or bytes without a budget."""
    bounds = {budget.most for budget in (VALUES, TABLE, RECORD, REPLAY, BUNDLE)}
    return [
        checks.Error("A column of JSON or bytes needs a budget: make it a BoundedJSON or BoundedBytes.", obj=column)
        for column in columns(models.JSONField, models.BinaryField)
        if getattr(column, "most", 0) not in bounds
    ]


@checks.register(checks.Tags.models)
def check_texts(**_: object) -> list[checks.CheckMessage]:
    """Return an error for each column of text without a budget."""
    bounds = {budget.most for budget in (MARKDOWN, ANNOUNCED, COMPLAINT, WORDS, SOURCE, REASON, REPORT, STDERR)}
    return [
        checks.Error("A column of text needs a budget: make it a TypedText or a MadeText.", obj=column)
        for column in columns(models.TextField)
        if getattr(column, "most", 0) not in bounds
    ]


def columns(*kinds: type[Column]) -> Iterator[Column]:
    """Return all columns of these kinds."""
    for model in apps.get_app_config("tournaments").get_models():
        yield from (column for column in model._meta.concrete_fields if isinstance(column, kinds))  # noqa: SLF001
