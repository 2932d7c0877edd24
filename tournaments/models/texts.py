"""Columns of text with a bound: of longer texts, those that people type are refused, and others keep their beginning.

The bound is no part of the database's schema. `accounts.text_budgets` lists the bounds, and checks that there is one.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

if TYPE_CHECKING:
    Column = models.TextField[str, str]
else:
    Column = models.TextField

MARKDOWN: Final = 10_000  # characters of what a page shows in Markdown
ANNOUNCED, COMPLAINT, WORDS, SOURCE = 1000, 1000, 2000, 256 << 10  # of what else people type
REASON, REPORT, STDERR = 2000, 20_000, 66_000  # of what programs write


class TypedText(Column):
    """What a person wrote. Forms, the API and `full_clean` refuse more than `most` characters."""

    def __init__(self, most: int = 0, **options: Any) -> None:
        if most:
            options |= {"max_length": most, "validators": [MaxLengthValidator(most)]}
        self.most = most
        super().__init__(**options)

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        name, _, args, options = super().deconstruct()
        kept = {key: value for key, value in options.items() if key not in ("max_length", "validators")}
        return name, "django.db.models.TextField", args, kept


class MadeText(TypedText):
    """What a program wrote: of more than `most` characters the beginning is stored."""

    def get_db_prep_save(self, value: Any, connection: BaseDatabaseWrapper) -> Any:
        if isinstance(value, str) and len(value) > self.most > 0:
            value = f"{value[: self.most - 1]}…"
        return super().get_db_prep_save(value, connection)
