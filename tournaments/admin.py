"""For organisers: look at everything; change ladders, people and entries. The ledger is read-only here."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from tournaments.errors import Refused
from tournaments.events import announce, call_off, create, disqualify, release_round, start
from tournaments.models import (
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
)
from tournaments.people import PeopleAdmin

if TYPE_CHECKING:  # generic to the type checker alone
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
else:
    ModelAdmin, TabularInline = admin.ModelAdmin, admin.TabularInline


class ReadOnly:
    """Rows that the verbs alone may write."""

    def has_add_permission(self, *_: object) -> bool:
        return False

    def has_change_permission(self, *_: object) -> bool:
        return False

    def has_delete_permission(self, *_: object) -> bool:
        return False


class SeatInline(ReadOnly, TabularInline):
    model = Seat
    fields = ("number", "version", "score", "place", "verdict", "forfeited", "cpu_ms")


class AttemptInline(ReadOnly, TabularInline):
    model = Attempt


@admin.register(Ladder)
class LadderAdmin(ModelAdmin):
    list_display = ("title", "slug", "game", "rules", "status")

    def get_readonly_fields(self, _: object, ladder: Ladder | None = None) -> tuple[str, ...]:
        """What sets under way are held to."""
        return ("slug", "game", "rules", "options", "strikes", "division") if ladder else ()


@admin.register(Entry)
class EntryAdmin(ModelAdmin):
    list_display = ("bot", "ladder", "status", "entered_at", "paired_at")
    list_filter = ("ladder", "status")
    readonly_fields = ("ladder", "bot", "paired_at")
    search_fields = ("bot__name",)

    def has_add_permission(self, *_: object) -> bool:
        return False  # to enter is its owner's act


def each(request: HttpRequest, rows: QuerySet[Any], verb: Callable[[Any], object], done: str) -> None:
    """Do it to every chosen row, and say how it went."""
    for row in rows:
        try:
            verb(row)
        except Refused as refused:
            messages.error(request, f"{row}: {refused.detail}.")
        else:
            messages.success(request, f"{row}: {done}.")


@admin.register(Event)
class EventAdmin(ModelAdmin):
    list_display = ("title", "slug", "ladder", "status", "starts_at", "released", "reason")
    list_filter = ("status", "ladder")
    list_select_related = ("ladder",)
    fields = ("slug", "title", "description", "ladder", "spec", "starts_at", "released", "previous")
    actions = ("announce_them", "start_them", "release_next_round", "call_them_off")

    def get_readonly_fields(self, _: object, event: Event | None = None) -> tuple[str, ...]:
        """What those who have registered rely on."""
        if event is None or event.status == Event.Status.DRAFT:
            return ()
        started = ("starts_at",) if event.started_at else ()
        return ("slug", "ladder", "spec", "released", "previous", *started)

    def has_delete_permission(self, request: HttpRequest, event: Event | None = None) -> bool:
        draft = event is not None and event.status == Event.Status.DRAFT
        return draft and super().has_delete_permission(request, event)

    def save_model(self, request: Any, event: Event, form: Any, change: bool) -> None:
        if change:
            super().save_model(request, event, form, change)
        else:
            create(event=event, by=request.user)

    @admin.action(description="Announce: everybody sees it, bots may register", permissions=["change"])
    def announce_them(self, request: Any, events: QuerySet[Event]) -> None:
        each(request, events, lambda event: announce(event=event, by=request.user), "announced")

    @admin.action(description="Start: freeze the versions and deal the first round", permissions=["change"])
    def start_them(self, request: Any, events: QuerySet[Event]) -> None:
        each(request, events, lambda event: start(event=event, by=request.user), "started")

    @admin.action(description="Release the results of the next round", permissions=["change"])
    def release_next_round(self, request: Any, events: QuerySet[Event]) -> None:
        each(request, events, lambda event: release_round(event=event, by=request.user), "released")

    @admin.action(description="Call off: end without a result", permissions=["change"])
    def call_them_off(self, request: Any, events: QuerySet[Event]) -> None:
        reason = f"Called off by {request.user}"
        each(request, events, lambda event: call_off(event=event, by=request.user, reason=reason), "called off")


@admin.register(Entrant)
class EntrantAdmin(ModelAdmin):
    list_display = ("bot", "event", "version", "status", "seed", "left_at", "place", "reason")
    list_filter = ("event", "status")
    list_select_related = ("bot", "event", "version__bot")
    search_fields = ("bot__name",)
    fields = ("reason",)
    actions = ("disqualify_them",)

    def has_add_permission(self, *_: object) -> bool:
        return False  # to register is its owner's act

    def has_delete_permission(self, *_: object) -> bool:
        return False

    @admin.action(
        description="Disqualify, for the reason written beside it: places are reckoned anew", permissions=["change"]
    )
    def disqualify_them(self, request: Any, entrants: QuerySet[Entrant]) -> None:
        by = request.user
        each(request, entrants, lambda e: disqualify(entrant=e, by=by, reason=e.reason), "disqualified")


@admin.register(Bot)
class BotAdmin(ReadOnly, ModelAdmin):
    list_display = ("name", "game", "owner", "created_at")
    search_fields = ("name", "owner__username")


@admin.register(Version)
class VersionAdmin(ReadOnly, ModelAdmin):
    list_display = ("bot", "number", "status", "created_at")
    list_filter = ("status",)
    list_select_related = ("bot",)
    search_fields = ("bot__name",)


@admin.register(MatchSet)
class MatchSetAdmin(ReadOnly, ModelAdmin):
    list_display = ("pk", "ladder", "number", "event", "pairing", "checks", "status", "reason", "created_at")
    list_filter = ("status", "ladder")
    list_select_related = ("ladder", "event", "checks__bot")
    exclude = ("seed",)  # even an organiser may own a bot


@admin.register(Match)
class MatchAdmin(ReadOnly, ModelAdmin):
    list_display = ("pk", "set", "turn", "status", "lease", "lease_until")
    list_filter = ("status",)
    list_select_related = ("set__ladder", "set__event", "set__trial__candidate__bot", "set__checks__bot")
    inlines = (SeatInline, AttemptInline)


@admin.register(Rating)
class RatingAdmin(ReadOnly, ModelAdmin):
    list_display = ("version", "ladder", "elo", "sets", "games", "forfeits", "streak")
    list_filter = ("ladder",)
    list_select_related = ("version__bot", "ladder")


admin.site.register(User, PeopleAdmin)
