"""The space an action belongs to, if everything it concerns is in one space; otherwise it is the site's."""

from dataclasses import fields
from functools import reduce
from typing import Any

from django.db.models import Model

from tournaments.models import (
    Act,
    Appeal,
    Bot,
    Complaint,
    Entrant,
    Entry,
    Event,
    FailingItem,
    FinalRun,
    Ladder,
    Match,
    MatchSet,
    Space,
    Team,
    User,
    Version,
    Worker,
)

# How each leads to its space. Who is in a space is no part of it, and an action about a person alone is the site's.
PATHS: dict[type[Model], str] = {
    Act: "space",
    Appeal: "act__space",
    Bot: "space",
    Complaint: "space",
    Entrant: "event__ladder__space",
    Entry: "ladder__space",
    Event: "ladder__space",
    FinalRun: "ladder__space",
    Ladder: "space",
    Match: "set__space",
    MatchSet: "space",
    Space: "pk",
    Version: "bot__space",
}
OF_THE_SITE = (FailingItem, Team, Worker)


def space_of_action(action: Any) -> int | None:
    """Return the id of the action's space; None for the site or two spaces: that is for the site's organisers."""
    values = [getattr(action, each.name) for each in fields(action)]
    spaces = {_space_of(value) for value in values if isinstance(value, Model) and not isinstance(value, User)}
    return spaces.pop() if len(spaces) == 1 else None


def _space_of(value: Model) -> int | None:
    if isinstance(value, OF_THE_SITE):
        return None
    *way, last = PATHS[type(value)].split("__")
    found: int | None = getattr(reduce(getattr, way, value), "pk" if last == "pk" else f"{last}_id")
    return found
