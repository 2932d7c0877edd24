"""People, as organisers see them in the admin."""

from collections.abc import Sequence
from typing import Any

from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.contrib.auth.admin import UserAdmin
from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.core.accounts.second_factor import take_away
from tournaments.core.errors import Refused
from tournaments.models import User

RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")


WHO = {"email", "confirmed_email", "former_name", "first_name", "last_name"}  # tell who somebody is


def is_hidden(person: User | None) -> bool:
    return person is not None and person.home is not None and person.home.blind


def without(fields: Sequence[Any]) -> list[Any]:
    return [name for name in fields if name not in WHO]


class Reasoned(ActionForm):
    reason = forms.CharField(required=False, max_length=500, label="Reason, for everybody to read")


class PeopleAdmin(UserAdmin):  # type: ignore[type-arg]
    """Nobody is deleted: with a person would go bots, and with them results."""

    readonly_fields = ("is_active",)
    list_display = ("username", "is_staff", "is_active", "second_factor", "last_login")
    action_form = Reasoned
    actions = ("take_their_second_factor_away",)

    def get_readonly_fields(self, request: Any, person: User | None = None) -> Any:
        """Return what may not be changed here: rights, but by superusers; nobody makes oneself an organiser."""
        fixed = tuple(super().get_readonly_fields(request, person))
        return fixed if request.user.is_superuser else (*fixed, *RIGHTS)

    def get_fieldsets(self, request: Any, person: User | None = None) -> Any:
        """Return the fields, without the addresses of people whom a space hides from organisers."""
        shown = super().get_fieldsets(request, person)
        if not is_hidden(person):
            return shown
        return [(title, {**told, "fields": without(told["fields"])}) for title, told in shown]

    def lookup_allowed(self, lookup: str, value: str, request: Any = None) -> bool:
        """Return whether a list may be asked by it: nobody is found by an address."""
        return lookup.partition("__")[0] not in WHO and super().lookup_allowed(lookup, value, request)

    def get_search_results(self, request: Any, people: QuerySet[User], word: str) -> tuple[QuerySet[User], bool]:
        found, twice = super().get_search_results(request, people, word)
        return found.exclude(Q(home__blind=True) & ~Q(username__icontains=word.strip())), twice

    def has_delete_permission(self, *_: object) -> bool:
        return False

    def has_change_permission(self, request: Any, person: User | None = None) -> bool:
        others = person is not None and person.is_staff and person != request.user
        return super().has_change_permission(request, person) and (request.user.is_superuser or not others)

    def get_queryset(self, request: Any) -> QuerySet[User]:
        factors = Authenticator.objects.filter(user=OuterRef("pk"))
        found: QuerySet[User] = super().get_queryset(request).annotate(has_factor=Exists(factors))
        return found

    @admin.display(boolean=True)
    def second_factor(self, user: User) -> bool:
        return bool(user.has_factor)  # type: ignore[attr-defined]  # annotated

    @admin.action(description="Take away the second factor of somebody who has lost it", permissions=["change"])
    def take_their_second_factor_away(self, request: Any, people: QuerySet[User]) -> None:
        for user in people:
            if not self.has_change_permission(request, user):
                messages.error(request, f"{user} is an organiser: that is for superusers.")
                continue
            try:
                take_away(user=user, by=request.user, reason=request.POST.get("reason", ""))
            except Refused as refused:
                messages.error(request, f"{user}: {refused.detail}.")
            else:
                messages.success(request, f"{user}: the password alone is enough now.")
