"""Names that people choose: for themselves, for bots, for teams. No two of a kind may look alike."""

import re
from typing import Any

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Lower

from tournaments.errors import Refused
from tournaments.models.name_lookalikes import Look

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9]|[ _.-](?=[A-Za-z0-9])){2,39}")  # of a bot or a team
PERSON = r"[A-Za-z0-9][A-Za-z0-9_.-]*"  # it stands in addresses
LONGEST_PERSON = 30
STROKES = "Il"  # easily overlooked before another letter


def check_name(what: str, name: str) -> None:
    """Of a bot or a team. Raises Refused: bad_name."""
    if not NAME.fullmatch(name):
        raise Refused(
            "bad_name",
            f"{name!r:.60} cannot be a {what}'s name: "
            "3 to 40 letters A to Z and digits, single - _ . or spaces between",
        )


def check_person_name(name: str) -> None:
    """Raises Refused: bad_name."""
    if not re.fullmatch(PERSON, name) or len(name) > LONGEST_PERSON:
        raise Refused(
            "bad_name",
            f"{name!r:.60} cannot be a person's name: 1 to {LONGEST_PERSON} letters A to Z, digits, and _ . - only, "
            "beginning with a letter or a digit",
        )


def alike(rows: QuerySet[Any], column: str, name: str) -> str | None:
    """The name among `rows` that people would mistake for this one, if there is one."""
    named = rows.annotate(low=Lower(column), look=Look(column))
    same = Q(low=Lower(Value(name))) | Q(look=Look(Value(name))) | Q(**{f"{column}__in": _overlooked(name)})
    found: str | None = named.filter(same).values_list(column, flat=True).first()
    return found


def taken(what: str, other: str, name: str) -> str:
    """Why `name` is refused, in a sentence."""
    if other.casefold() == name.casefold():
        return f"there is {what} named {other} already; choose another name"
    return f"there is {what} named {other}, and people would take {name} for it; choose another name"


def _overlooked(name: str) -> list[str]:
    """The name with one more stroke in front, or with one less."""
    shorter = [name[1:]] if name[:1] in STROKES and name[1:2].isalpha() else []
    return [*(f"{stroke}{name}" for stroke in STROKES), *shorter]
