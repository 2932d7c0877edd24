"""The bounds of columns of text (`models.texts`), as budgets; Django's checks find a column without one."""

from functools import partial
from typing import Final

from django.apps import apps
from django.core import checks
from django.db import models

from tournaments.config.budgets import Budget, declare
from tournaments.models import texts

TYPED: Final = partial(
    Budget,
    resource="Texts",
    unit="characters",
    holder="text",
    where="tournaments.accounts.text_budgets.check_texts",
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


@checks.register(checks.Tags.models)
def check_texts(**_: object) -> list[checks.CheckMessage]:
    """Return an error for each column of text without a budget."""
    bounds = {budget.most for budget in (MARKDOWN, ANNOUNCED, COMPLAINT, WORDS, SOURCE, REASON, REPORT, STDERR)}
    return [
        checks.Error("A column of text needs a budget: make it a TypedText or a MadeText.", obj=column)
        for model in apps.get_app_config("tournaments").get_models()
        for column in model._meta.concrete_fields  # noqa: SLF001
        if isinstance(column, models.TextField) and getattr(column, "most", 0) not in bounds
    ]
