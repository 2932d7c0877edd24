"""For organisers: rows as they are stored, read-only. They change things by acts (`tournaments.ledger.acts`), on the
pages of the desk, with a preview and a reason; nothing that has a history can be deleted."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from tournaments.ledger.acts.arguments import CALLED, parts
from tournaments.ledger.acts.base import Action, actions
from tournaments.models import (
    Act,
    Attempt,
    Bot,
    Entrant,
    Entry,
    Event,
    Ladder,
    Match,
    MatchSet,
    Rating,
    Seat,
    User,
    Version,
    Worker,
)
from tournaments.ops.admin.people import PeopleAdmin

if TYPE_CHECKING:  # generic to the type checker alone
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
else:
    ModelAdmin, TabularInline = admin.ModelAdmin, admin.TabularInline


class ReadOnly:
    """Rows that only actions may write."""

    def has_add_permission(self, *_: object) -> bool:
        return False

    def has_change_permission(self, *_: object) -> bool:
        return False

    def has_delete_permission(self, *_: object) -> bool:
        return False


class Table(ReadOnly, ModelAdmin):
    """A list of rows that only actions may write."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Return whether the query of a list may ask for it. What no page shows could be guessed, sign by sign."""
        hidden = self.exclude or ()
        return lookup.partition("__")[0] not in hidden and bool(super().lookup_allowed(lookup, value, request))


class SeatInline(ReadOnly, TabularInline):
    model = Seat
    fields = ("number", "version", "score", "place", "verdict", "forfeited", "cpu_ms")


class AttemptInline(ReadOnly, TabularInline):
    model = Attempt


# What is in no row here has no list: what people keep for themselves, keys, and what decides matches to come. `exclude`
# hides the same in a row: even an organiser may own a bot.
TABLES: Final[Mapping[type[Model], Mapping[str, Any]]] = {
    Act: {
        "list_display": ["number", "at", "by", "kind", "subject", "reason"],
        "list_filter": ["kind"],
        "search_fields": ["subject", "by"],
        "ordering": ["-number"],
    },
    Ladder: {"list_display": ["title", "slug", "game", "rules", "status"]},
    Entry: {
        "list_display": ["bot", "ladder", "status", "entered_at", "paired_at"],
        "list_filter": ["ladder", "status"],
        "search_fields": ["bot__name"],
    },
    Worker: {"list_display": ["name", "status", "reason", "seen_at"], "list_filter": ["status"]},
    Event: {
        "list_display": ["title", "slug", "ladder", "status", "starts_at", "released", "reason"],
        "list_filter": ["status", "ladder"],
        "list_select_related": ["ladder"],
        "exclude": ["lot"],
    },
    Entrant: {
        "list_display": ["bot", "event", "version", "status", "seed", "left_at", "place", "reason"],
        "list_filter": ["event", "status"],
        "list_select_related": ["bot", "event", "version__bot"],
        "search_fields": ["bot__name"],
    },
    Bot: {"list_display": ["name", "game", "owner", "created_at"], "search_fields": ["name", "owner__username"]},
    Version: {
        "list_display": ["bot", "number", "status", "created_at"],
        "list_filter": ["status"],
        "list_select_related": ["bot"],
        "search_fields": ["bot__name"],
    },
    MatchSet: {
        "list_display": ["pk", "ladder", "number", "event", "pairing", "checks", "status", "reason", "created_at"],
        "list_filter": ["status", "ladder"],
        "list_select_related": ["ladder", "event", "checks__bot"],
        "exclude": ["seed"],
    },
    Match: {
        "list_display": ["pk", "set", "turn", "status", "lease", "lease_until"],
        "list_filter": ["status"],
        "list_select_related": ["set__ladder", "set__event", "set__trial__candidate__bot", "set__checks__bot"],
        "inlines": [SeatInline, AttemptInline],
    },
    Rating: {
        "list_display": ["version", "ladder", "elo", "sets", "games", "forfeits", "streak"],
        "list_filter": ["ladder"],
        "list_select_related": ["version__bot", "ladder"],
    },
}


def acts_on(model: type[Model]) -> list[Any]:
    """Return the actions of a list: each opens the page of an act, about the row that was chosen."""
    return [opening_action(action) for action in actions().values() if needs_only(action, model)]


def needs_only(action: type[Action], model: type[Model]) -> bool:
    """Return whether it may be about one such row, and needs no row of another table."""
    rows = [part for part in parts(action) if issubclass(part.kind, Model)]
    return [part.kind for part in rows].count(model) == 1 and all(row.optional or row.kind is model for row in rows)


def opening_action(action: type[Action]) -> Callable[..., HttpResponse | None]:
    def open_page(_: object, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
        if rows.count() != 1:
            messages.error(request, "Choose one row: every act is about one thing.")
            return None
        [about] = [part for part in parts(action) if part.kind is rows.model]
        name = getattr(rows.get(), CALLED.get(rows.model, "pk"))
        return redirect(f"{reverse('desk-act', args=[action.kind])}?{urlencode({about.name: name})}")

    open_page.__name__ = action.kind
    return admin.action(description=f"{action.button} …")(open_page)


for table, options in TABLES.items():
    admin.site.register(table, Table, actions=acts_on(table), **options)
admin.site.register(User, PeopleAdmin, actions=[*acts_on(User), *PeopleAdmin.actions])
