"""Columns of JSON and of bytes with a bound, in bytes: whoever would write more is refused, before anything is sent.

The bound is no part of the database's schema. `accounts.text_budgets` lists the bounds, and checks that there is one.
"""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from tournaments.core.errors import Refused

if TYPE_CHECKING:
    Json = models.JSONField[Any, Any]
    Binary = models.BinaryField[Any, Any]
else:
    Json, Binary = models.JSONField, models.BinaryField

VALUES: Final = 64 << 10  # bytes of options, choices and lists of names
TABLE: Final = 32 << 20  # of a table with a line for each bot or version: ten thousand take some 3 MB
RECORD: Final = 12 << 20  # of what a worker reports, as long as a message of the broker
REPLAY, BUNDLE = RECORD, 20 << 20


def check_document_size(size: int, most: int) -> None:
    """Raise Refused(over_budget) for more bytes than the column holds."""
    if size > most:
        raise Refused("over_budget", "a value of this kind has at most %(most)s bytes", most=f"{most:,}")


class BoundedJSON(Json):
    def __init__(self, *args: Any, most: int = 0, **options: Any) -> None:
        self.most = most
        super().__init__(*args, **options)

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        name, _, args, options = super().deconstruct()
        return name, "django.db.models.JSONField", args, options

    def get_db_prep_save(self, value: Any, connection: BaseDatabaseWrapper) -> Any:
        if self.most and not (value is None or hasattr(value, "as_sql")):
            check_document_size(len(json.dumps(value, cls=self.encoder)), self.most)
        return super().get_db_prep_save(value, connection)


class BoundedBytes(Binary):
    def __init__(self, *args: Any, most: int = 0, **options: Any) -> None:
        self.most = most
        super().__init__(*args, **options)

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        name, _, args, options = super().deconstruct()
        return name, "django.db.models.BinaryField", args, options

    def get_db_prep_save(self, value: Any, connection: BaseDatabaseWrapper) -> Any:
        if self.most and not (value is None or hasattr(value, "as_sql")):
            check_document_size(len(value), self.most)
        return super().get_db_prep_save(value, connection)
