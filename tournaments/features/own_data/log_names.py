"""Names of an erased account in the public log."""

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from tournaments.audit.without_names import Parts, rewrite
from tournaments.features.own_data.erased_names import NAMED, ErasedNames
from tournaments.features.own_data.sentences import MOST, mentioning
from tournaments.models import Act, Entry, Rating, User

TYPED = ("announce", "withdraw_announcement")  # what such an act says was typed
OF_A_PERSON = "second_factor_removed"  # whose subject is a name and nothing else
RENAMED = "rename"  # of it the name after it is a value by itself


def take_out_of_log(user: User, names: ErasedNames) -> dict[str, Any]:
    """Rewrite the log; return what the act that says so has to say of it."""
    acts = mentioning(Act.objects.order_by("number"), names, "by", "subject", "reason", "detail")
    typed = mentioning(Act.objects.all(), names, "reason").count() <= MOST
    return rewrite(acts, partial(_without, names, ladders_of(user), typed=typed))


def ladders_of(user: User) -> set[str]:
    """Return the ladders of its bots: in the tables of others a bot of that name is somebody else's."""
    entered = Entry.objects.filter(bot__owner=user).values_list("ladder__slug", flat=True)
    rated = Rating.objects.filter(version__bot__owner=user).values_list("ladder__slug", flat=True).distinct()
    return {*entered, *rated}


def _without(names: ErasedNames, ladders: Collection[str], act: Act, *, typed: bool) -> Parts:
    in_reason: Callable[[str], str] = names.in_typed if typed else names.in_written
    keys = (*NAMED, "after") if act.kind == RENAMED else NAMED
    detail = names.in_plain({**act.detail, "tables": []}, typed=typed and act.kind in TYPED, keys=keys)
    if "tables" in act.detail:
        detail["tables"] = [_table(names, table, ladders) for table in act.detail["tables"]]
    else:
        del detail["tables"]
    return {
        "by": names.to.get(act.by, act.by),
        "subject": _subject(names, act)[:200],
        "reason": in_reason(act.reason),
        "detail": detail,
    }


def _subject(names: ErasedNames, act: Act) -> str:
    alone = names.to.get(act.subject) if act.kind == OF_A_PERSON else None
    return alone or names.in_written(act.subject)


def _table(names: ErasedNames, table: dict[str, Any], ladders: Collection[str]) -> dict[str, Any]:
    if table["ladder"] not in ladders:
        return table
    lines = [{**line, "bot": names.to.get(line["bot"], line["bot"])} for line in table["lines"]]
    return {**table, "lines": lines}
