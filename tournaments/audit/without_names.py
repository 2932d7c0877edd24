"""Removes names from the log when an account is erased; the chain still verifies."""

from collections.abc import Callable, Iterable
from typing import Any

from django.db import connection

from tournaments import audit
from tournaments.models import Act

Parts = dict[str, Any]  # of an act, by `audit.PARTS`
ERASING = "SELECT set_config('boardroom.erasing', %s, true)"


def rewrite(acts: Iterable[Act], without: Callable[[Act], Parts]) -> dict[str, Any]:
    """`without`: the parts of an act without the names. Returns what the act has to say that is appended in the same
    transaction: the numbers of those that changed, and of which it vouches for the digest."""
    changed = [(act, parts) for act in acts if (parts := _changes(act, without(act)))]
    with connection.cursor() as cursor:
        cursor.execute(ERASING, ["on"])
        for act, parts in changed:
            _write(act, parts)
        cursor.execute(ERASING, ["off"])
    vouches = [[act.number, act.digest, act.previous] for act, _ in changed if not _has_seals(act)]
    return {"acts": [act.number for act, _ in changed], "vouches": vouches}


def _changes(act: Act, parts: Parts) -> Parts:
    return {part: value for part, value in parts.items() if value != getattr(act, part)}


def _write(act: Act, parts: Parts) -> None:
    salts = dict(act.salts)
    erased = dict(act.erased) if _has_seals(act) else {audit.WHOLE: ""}
    for part in parts.keys() & salts.keys():
        erased[part] = audit.seal_part(salts.pop(part), getattr(act, part))
    Act.objects.filter(pk=act.pk).update(**parts, salts=salts, erased=erased)


def _has_seals(act: Act) -> bool:
    return bool(act.salts) or any(act.erased.values())
