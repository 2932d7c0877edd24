"""The arguments of an action, from which the API and the desk make their forms."""

from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, fields
from datetime import datetime
from types import UnionType
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

from django.db.models import Model, Q, QuerySet

from tournaments.core.accounts.spaces import Viewer, open_to
from tournaments.core.errors import Refused
from tournaments.ledger.acts.base import Action
from tournaments.ledger.acts.of_space import PATHS
from tournaments.models import Act, Appeal, Complaint, Entrant, FailingItem, Ladder, MatchSet, Space, User, Worker

Kind: TypeAlias = (
    type[Model] | type[str] | type[bool] | type[int] | type[list[int]] | type[datetime] | type[Mapping[str, Any]]
)
CALLED: dict[type[Model], str] = {Act: "number", Ladder: "slug", Space: "slug", User: "username", Worker: "name"}
SPOKEN: dict[type[Model], str] = {MatchSet: "set", FailingItem: "item", Complaint: "report"}
RELATED: dict[type[Model], tuple[str, ...]] = {
    MatchSet: ("ladder", "event"),
    Entrant: ("event__ladder", "bot"),
    Appeal: ("act",),
}


@dataclass(frozen=True, slots=True)
class ActionPart:
    name: str
    kind: Kind
    optional: bool
    by_clock: bool = False  # of a time: it may come without an offset, and is then read by the action
    least: int = 1  # of a number
    lines: bool = True  # of a text: it may have several
    help: str = ""
    choices: Sequence[tuple[str, str]] = ()  # value and label, where there are few

    @property
    def called_by(self) -> str:
        """How people name such a thing; by its id, unless it has a better name."""
        return CALLED.get(self.kind, "id") if issubclass(self.kind, Model) else ""

    def find(self, value: object, by: Viewer) -> Any:
        """The thing of that name, if they see it. Raises Refused(unknown_...)."""
        if not issubclass(self.kind, Model) or value is None:
            return value
        rows: QuerySet[Any] = QuerySet(self.kind).select_related(*RELATED.get(self.kind, ()))
        seen = open_to(by, PATHS[self.kind]) if self.kind in PATHS else Q()
        named = {f"{self.called_by}__iexact" if self.kind is User else self.called_by: value}
        found = rows.filter(seen, **named).first()
        if found is None:
            what = SPOKEN.get(self.kind) or self.kind.__name__.lower()
            raise Refused(f"unknown_{what}", "There is no %(what)s %(value)s.", what=what, value=value)
        return found


def parts(action: type[Action]) -> list[ActionPart]:
    hints = get_type_hints(action)
    return [_part(field, hints[field.name]) for field in fields(action)]


def _part(field: Field[Any], hint: Any) -> ActionPart:
    optional = isinstance(hint, UnionType)
    kind = get_args(hint)[0] if optional else hint
    return ActionPart(field.name, get_origin(kind) or kind, optional, **field.metadata)


def action_from_arguments(action: type[Action], given: Mapping[str, object], by: User) -> Action:
    """The action, about what was named. Raises Refused: unknown_..., not_organiser, second_factor_needed."""
    found = action(**{part.name: part.find(given.get(part.name), by) for part in parts(action)})
    found.check_by(by)
    return found
