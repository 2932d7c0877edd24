"""For organisers: everything, read-only. They change things by acts (`tournaments.ledger.acts`), on the
pages of the desk, with a preview and a reason; nothing that has a history can be deleted."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from tournaments.features.events import actions as events
from tournaments.features.events.draft_actions import DiscardEvent
from tournaments.features.luck.actions import NameLuckValue
from tournaments.features.moderation.take_down import Blank, Rename
from tournaments.features.own_data.leaving import EraseAccount
from tournaments.ledger import acts
from tournaments.ledger.acts.arguments import CALLED, parts
from tournaments.ledger.acts.base import Action
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


def opens(*actions: type[Action]) -> Any:
    """Actions of a list."""
    return tuple(map(_opening, actions))


def _opening(action: type[Action]) -> Callable[..., HttpResponse | None]:
    """Return an action of a list that opens the page of the act, about the row that was chosen."""

    def open_page(_: object, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
        if rows.count() != 1:
            messages.error(request, "Choose one row: every act is about one thing.")
            return None
        [about] = [part for part in parts(action) if part.kind is rows.model]
        name = getattr(rows.get(), CALLED.get(rows.model, "pk"))
        return redirect(f"{reverse('desk-act', args=[action.kind])}?{urlencode({about.name: name})}")

    open_page.__name__ = action.kind
    return admin.action(description=f"{action.button} …")(open_page)


@admin.register(Act)
class ActAdmin(Table):
    list_display = ("number", "at", "by", "kind", "subject", "reason")
    list_filter = ("kind",)
    search_fields = ("subject", "by")
    ordering = ("-number",)
    actions = opens(acts.Reinstate, acts.Withdraw)


@admin.register(Ladder)
class LadderAdmin(Table):
    list_display = ("title", "slug", "game", "rules", "status")
    actions = opens(
        *(acts.Pause, acts.Resume, acts.Freeze, acts.Thaw, acts.Close, acts.Reopen),
        *(acts.ChangeSettings, acts.AdoptRules, NameLuckValue, acts.Announce),
    )


@admin.register(Entry)
class EntryAdmin(Table):
    list_display = ("bot", "ladder", "status", "entered_at", "paired_at")
    list_filter = ("ladder", "status")
    search_fields = ("bot__name",)


@admin.register(Worker)
class WorkerAdmin(Table):
    list_display = ("name", "status", "reason", "seen_at")
    list_filter = ("status",)
    actions = opens(acts.Drain, acts.Welcome, acts.Block, acts.VoidWorked)


@admin.register(Event)
class EventAdmin(Table):
    list_display = ("title", "slug", "ladder", "status", "starts_at", "released", "reason")
    list_filter = ("status", "ladder")
    list_select_related = ("ladder",)
    exclude = ("lot",)
    actions = opens(events.AnnounceEvent, events.StartEvent, events.ReleaseRound, events.CallOffEvent, DiscardEvent)


@admin.register(Entrant)
class EntrantAdmin(Table):
    list_display = ("bot", "event", "version", "status", "seed", "left_at", "place", "reason")
    list_filter = ("event", "status")
    list_select_related = ("bot", "event", "version__bot")
    search_fields = ("bot__name",)
    actions = opens(events.DisqualifyEntrant)


@admin.register(Bot)
class BotAdmin(Table):
    actions = opens(acts.Disqualify, Rename, Blank)
    list_display = ("name", "game", "owner", "created_at")
    search_fields = ("name", "owner__username")


@admin.register(Version)
class VersionAdmin(Table):
    actions = opens(acts.Disqualify, Blank)
    list_display = ("bot", "number", "status", "created_at")
    list_filter = ("status",)
    list_select_related = ("bot",)
    search_fields = ("bot__name",)


@admin.register(MatchSet)
class MatchSetAdmin(Table):
    actions = opens(acts.VoidSet, acts.ReinstateSet)
    list_display = ("pk", "ladder", "number", "event", "pairing", "checks", "status", "reason", "created_at")
    list_filter = ("status", "ladder")
    list_select_related = ("ladder", "event", "checks__bot")
    exclude = ("seed",)  # even an organiser may own a bot


@admin.register(Match)
class MatchAdmin(Table):
    actions = opens(acts.Quarantine, acts.Release)
    list_display = ("pk", "set", "turn", "status", "lease", "lease_until")
    list_filter = ("status",)
    list_select_related = ("set__ladder", "set__event", "set__trial__candidate__bot", "set__checks__bot")
    inlines = (SeatInline, AttemptInline)


@admin.register(Rating)
class RatingAdmin(Table):
    list_display = ("version", "ladder", "elo", "sets", "games", "forfeits", "streak")
    list_filter = ("ladder",)
    list_select_related = ("version__bot", "ladder")


@admin.register(User)
class PersonAdmin(PeopleAdmin):
    """Nobody is deleted: with a person would go bots, and with them results."""

    actions = (
        *opens(acts.Disqualify, acts.Deactivate, acts.Activate, EraseAccount, Rename, Blank),
        "take_their_second_factor_away",
    )
    readonly_fields = ("is_active",)

    def has_delete_permission(self, *_: object) -> bool:
        return False
