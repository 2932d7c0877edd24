"""For organisers: look at everything; change ladders, people and entries. The ledger is read-only here."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from tournaments.models import Attempt, Bot, Entry, Ladder, Match, MatchSet, Rating, Seat, User, Version

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
    list_display = ("pk", "ladder", "number", "checks", "status", "reason", "created_at")
    list_filter = ("status", "ladder")
    list_select_related = ("ladder", "checks__bot")
    exclude = ("seed",)  # even an organiser may own a bot


@admin.register(Match)
class MatchAdmin(ReadOnly, ModelAdmin):
    list_display = ("pk", "set", "turn", "status", "lease", "lease_until")
    list_filter = ("status",)
    list_select_related = ("set__ladder", "set__checks__bot")
    inlines = (SeatInline, AttemptInline)


@admin.register(Rating)
class RatingAdmin(ReadOnly, ModelAdmin):
    list_display = ("version", "ladder", "elo", "sets", "games", "forfeits", "streak")
    list_filter = ("ladder",)
    list_select_related = ("version__bot", "ladder")


admin.site.register(User, UserAdmin)
