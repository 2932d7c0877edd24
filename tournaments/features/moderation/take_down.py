"""Taking down offensive names and texts. The log has their digests, and does not repeat them."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from django.db.models import Model, QuerySet

from engine.sentences import Sentence
from tournaments.core.accounts.names import alike, check_name, check_person_name, normalized_name, taken
from tournaments.core.errors import Refused
from tournaments.core.notices import triggers
from tournaments.features.moderation.subjects import space_of_subject
from tournaments.ledger.acts.base import ONE_LINE, Action, Change, Effect, digest_sentence
from tournaments.models import Act, Bot, Team, User, Version

Whom: TypeAlias = Bot | Team | User | Version
SUBJECTS: dict[type[Model], str] = {Bot: "bot", Team: "team", User: "account"}


@dataclass(frozen=True, slots=True)
class Rename(Action):
    kind, button = "rename", "Rename"
    about = "A bot, a team or a person gets a new name. `name`: the new one; name one of the three."
    name: str = field(metadata=ONE_LINE)
    bot: Bot | None = None
    team: Team | None = None
    user: User | None = None

    def acting_space(self) -> int | None:
        return space_of_subject(self._row())

    def hold(self) -> None:
        super(Rename, self).hold()
        lock_row(self._row())

    def preview(self) -> Effect:
        row, name = self._row(), normalized_name(self.name.strip())
        row.refresh_from_db()
        check_new_name(row, name)
        if name == str(row):
            raise Refused("nothing_changes", "it is called %(wanted)s already", wanted=name)
        if other := alike(rows_with_names(row), name_column(row), name):
            raise Refused("name_taken", taken(Sentence(A_KIND[kind_of_row(row)]), other, name))
        says = [Sentence("Replays, and older entries of this log, keep the name that they were written with.")]
        says += [Sentence("They sign in with either name.")] if isinstance(row, User) else []
        return Effect(f"{SUBJECTS[type(row)]} {row.pk}", says, [Change("name", digest_sentence(str(row)), name)])

    def carry_out(self, act: Act) -> None:
        row, name = self._row(), normalized_name(self.name.strip())
        query_of_row(row).update(**{name_column(row): name}, **former_name(row))
        text = Sentence("%(row)s is called %(name)s from now on: %(reason)s", row=row, name=name, reason=act.reason)
        triggers.notify_of_take_down(row, act, text)

    def _row(self) -> Whom:
        return only(self.bot, self.team, self.user)


@dataclass(frozen=True, slots=True)
class Blank(Action):
    kind, button = "blank", "Remove a text"
    about = "The description of a bot, a team or a person, or a version's note, is removed. Name one of them."
    bot: Bot | None = None
    team: Team | None = None
    user: User | None = None
    version: Version | None = None

    def acting_space(self) -> int | None:
        return space_of_subject(self._row())

    def hold(self) -> None:
        super(Blank, self).hold()
        lock_row(self._row())

    def preview(self) -> Effect:
        row = self._row()
        row.refresh_from_db()
        texts = {name: text for name in text_columns(row) if (text := getattr(row, name))}
        if not texts:
            raise Refused("nothing_changes", "nothing is written about %(row)s", row=name_in_log(row))
        says = [Sentence("Its writer may write another text; a suspension stops that.")]
        return Effect(name_in_log(row), says, [Change(name, digest_sentence(text), "") for name, text in texts.items()])

    def carry_out(self, act: Act) -> None:
        row = self._row()
        query_of_row(row).update(**dict.fromkeys(text_columns(row), ""))
        text = Sentence("The description of %(row)s was removed: %(reason)s", row=row, reason=act.reason)
        triggers.notify_of_take_down(row, act, text)

    def _row(self) -> Whom:
        return only(self.bot, self.team, self.user, self.version)


def only(*rows: Whom | None) -> Whom:
    """Return the one that was named. Raises Refused: whom."""
    named = [row for row in rows if row is not None]
    if len(named) != 1:
        raise Refused("whom", "name exactly one thing that it is about")
    return named[0]


def lock_row(row: Whom) -> None:
    query_of_row(row).select_for_update(no_key=True).get()


def query_of_row(row: Model) -> QuerySet[Any]:
    """Return the row alone."""
    return QuerySet(type(row)).filter(pk=row.pk)


A_KIND = {"bot": "a bot", "team": "a team", "user": "a user"}


def kind_of_row(row: Whom) -> str:
    return type(row).__name__.lower()


def name_in_log(row: Whom) -> str:
    """Return what it is called in the log: by what cannot offend."""
    return f"account {row}" if isinstance(row, User) else f"{kind_of_row(row)} {row.pk}"


def name_column(row: Whom) -> str:
    return "username" if isinstance(row, User) else "name"


def former_name(row: Whom) -> dict[str, Any]:
    """Return what is kept of the name, for nobody to see: people sign in with it, and it is erased with the account."""
    if isinstance(row, User):
        return {"former_name": row.username}
    return {"former_names": [*row.former_names, row.name]} if isinstance(row, Bot) else {}


def check_new_name(row: Whom, name: str) -> None:
    """Raises Refused: bad_name, mixed_scripts, erased."""
    if not isinstance(row, User):
        check_name(kind_of_row(row), name)
        return
    if row.erased_at:
        raise Refused("erased", "%(row)s is erased and cannot be renamed", row=row)
    check_person_name(name)


def text_columns(row: Whom) -> tuple[str, ...]:
    if isinstance(row, Version):
        return ("note",)
    return ("about", "motto") if isinstance(row, Bot) else ("about",)


def rows_with_names(row: Whom) -> QuerySet[Any]:
    """Return those that it must not be taken for."""
    if isinstance(row, User):
        return User.objects.exclude(pk=row.pk)
    if isinstance(row, Bot):
        return Bot.objects.filter(game=row.game).exclude(pk=row.pk)
    return Team.objects.exclude(pk=row.pk)
