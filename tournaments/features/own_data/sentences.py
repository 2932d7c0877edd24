"""Names of an erased account in what the site, or others, wrote: column by column, so that none is changed by mistake.

Left as they are: what others call themselves, their bots and teams, and say about them; their sources, and what these
wrote; and whatever is compared with fixed words, such as options and answers.
"""

from collections.abc import Callable, Collection
from functools import partial, reduce
from operator import or_
from typing import Any

from django.db.models import Model, Q, QuerySet, TextField
from django.db.models.functions import Cast

from tournaments.audit.without_names import Parts, rewrite
from tournaments.features.own_data.erased_names import NAMED, ErasedNames
from tournaments.models import (
    Act,
    Announcement,
    Appeal,
    Attempt,
    Complaint,
    Delivery,
    Entrant,
    Entry,
    Event,
    FailingItem,
    FinalRun,
    Ladder,
    MatchLuck,
    MatchSet,
    NewsItem,
    Notice,
    Practice,
    Rating,
    Suspension,
    Trial,
    User,
    Version,
    Worker,
)

MOST = 100  # rows of a column that lose a name as a word; of more it is taken for a word like others
KEYS = ("bot", "name")  # in the seats of a practice, and beside
WRITTEN: dict[type[Model], tuple[str, ...]] = {  # by the site
    Attempt: ("reason",),
    Entry: ("unpromised",),
    FinalRun: ("waits", "judged"),
    MatchLuck: ("trouble",),
    MatchSet: ("reason",),
    Practice: ("reason", "report", "seats"),
    Trial: ("reason",),
    Version: ("report",),
}
TYPED: dict[type[Model], tuple[str, ...]] = {  # by people, or by programs of theirs
    Announcement: ("title", "text"),
    Appeal: ("text",),
    Complaint: ("text",),
    Delivery: ("answer",),
    Entrant: ("reason",),
    Event: ("description", "reason", "rules"),
    FailingItem: ("reason",),
    Ladder: ("description",),
    NewsItem: ("text",),
    Notice: ("text", "detail"),
    Suspension: ("words",),
    Worker: ("reason",),
}


DATA = {  # what a text was made of: it goes where the text loses a name, which then stays English
    (Practice, "report"): "faults_data",
    (Version, "report"): "report_data",
}


def take_out(names: ErasedNames) -> int:
    """Take the names out of all columns. Return how many rows there were."""
    written = sum(_column(names, model, name, typed=False) for model, columns in WRITTEN.items() for name in columns)
    return written + sum(
        _column(names, model, name, typed=True) for model, columns in TYPED.items() for name in columns
    )


def _column(names: ErasedNames, model: type[Model], column: str, *, typed: bool) -> int:
    data = DATA.get((model, column))
    columns = [column, *([data] if data else [])]
    rows = list(mentioning(QuerySet(model), names, *columns).values_list("pk", *columns).order_by("pk"))
    typed = typed and len(rows) <= MOST
    changed = [
        (pk, new) for pk, *old in rows if (new := [replace_names(names, value, typed=typed) for value in old]) != old
    ]
    for pk, (new, *_) in changed:
        QuerySet(model).filter(pk=pk).update(**{**dict.fromkeys(columns), column: new})
    return len(changed)


def replace_names(names: ErasedNames, old: Any, *, typed: bool) -> Any:
    if isinstance(old, str):
        return names.in_typed(old) if typed else names.in_written(old)
    return names.in_plain(old, keys=KEYS)


def mentioning(rows: QuerySet[Any], names: ErasedNames, *columns: str) -> QuerySet[Any]:
    """Return the rows in whose columns, which may be JSON, one of the names stands in any way."""
    as_text = {f"{column}_text": Cast(column, TextField()) for column in columns}
    anywhere = (Q(**{f"{text}__icontains": name}) for text in as_text for name in names.to)
    matches: QuerySet[Any] = rows.annotate(**as_text).filter(reduce(or_, anywhere))
    return matches


TYPED_ACTS = ("announce", "withdraw_announcement")  # what such an act says was typed
OF_A_PERSON = "second_factor_removed"  # whose subject is a name and nothing else
RENAMED = "rename"  # of it the name after it is a value by itself


def take_out_of_log(user: User, names: ErasedNames) -> dict[str, Any]:
    """Rewrite the log; return what the act that says so has to say of it."""
    acts = mentioning(Act.objects.order_by("number"), names, "by", "subject", "reason", "detail")
    typed = mentioning(Act.objects.all(), names, "reason").count() <= MOST
    return rewrite(acts, partial(_without, names, ladders_of_person(user), typed=typed))


def ladders_of_person(user: User) -> set[str]:
    """Return the ladders of its bots: in the tables of others a bot of that name is somebody else's."""
    entered = Entry.objects.filter(bot__owner=user).values_list("ladder__slug", flat=True)
    rated = Rating.objects.filter(version__bot__owner=user).values_list("ladder__slug", flat=True).distinct()
    return {*entered, *rated}


def _without(names: ErasedNames, ladders: Collection[str], act: Act, *, typed: bool) -> Parts:
    in_reason: Callable[[str], str] = names.in_typed if typed else names.in_written
    keys = (*NAMED, "after") if act.kind == RENAMED else NAMED
    detail = names.in_plain({**act.detail, "tables": []}, typed=typed and act.kind in TYPED_ACTS, keys=keys)
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
