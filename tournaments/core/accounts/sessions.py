"""Sessions and their people, looked up with prepared statements, because every page needs both.

Nothing is cached between requests: the end of a session or the loss of a right takes effect at once.
"""

from functools import cache
from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib.sessions.backends.db import SessionStore as InTheDatabase
from django.db import connection, models
from django.utils import timezone

from tournaments.models import SpaceMember, User
from tournaments.models.prepared_statements import run_prepared

USERS, FACTORS, PLACES = User._meta, Authenticator._meta, SpaceMember._meta  # noqa: SLF001 - Django's way to a model's columns
DATA = "SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > %s"


class SessionStore(InTheDatabase):
    def load(self) -> dict[str, Any]:
        for (data,) in run_prepared(DATA, [self.session_key, timezone.now()]):
            content: dict[str, Any] = self.decode(data)
            return content
        self._session_key = None
        return {}


def user_of(number: int) -> User | None:
    """Return the user with their second factors: every session's fingerprint depends on them."""
    for factors, in_spaces, *values in run_prepared(statement(), [number]):
        user = User.from_db(connection.alias, [field.attname for field in user_fields()], read_session_values(values))
        user.known_factors, user.in_spaces = factors, in_spaces
        return user
    return None


@cache
def statement() -> str:
    columns = ", ".join(f'"{field.column}"' for field in user_fields())
    users, codes = USERS.db_table, Authenticator.Type.RECOVERY_CODES.value
    held = f"{FACTORS.db_table} WHERE user_id = {users}.id AND type <> '{codes}'"
    factors = f"ARRAY(SELECT created_at FROM {held} ORDER BY id)"  # noqa: S608 - names of ours
    in_spaces = f"EXISTS(SELECT 1 FROM {PLACES.db_table} WHERE user_id = {users}.id)"  # noqa: S608 - likewise
    return f"SELECT {factors}, {in_spaces}, {columns} FROM {users} WHERE id = %s"  # noqa: S608 - likewise


@cache
def user_fields() -> list["models.Field[Any, Any]"]:
    return list(USERS.concrete_fields)


def read_session_values(values: list[Any]) -> list[Any]:
    """Return values as Django's own queries do: what the database holds as JSON is text until then."""
    return [
        field.from_db_value(value, None, connection) if hasattr(field, "from_db_value") else value
        for field, value in zip(user_fields(), values, strict=True)
    ]
