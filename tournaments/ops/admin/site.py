"""Sign-in to the admin: the site's own, for organisers, with a second factor where it is needed."""

from importlib import import_module
from typing import Any

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from tournaments.core.accounts.organisers import lacks_one


class OrganisersSite(AdminSite):
    site_header = site_title = "Boardroom"

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register our tables, and not those of libraries, which put theirs here too."""
        several = [model_or_iterable] if isinstance(model_or_iterable, type) else model_or_iterable
        ours = [table for table in several if not table.__module__.startswith("allauth.")]
        super().register(ours, admin_class, **options)

    def get_urls(self) -> list[Any]:
        _register_tables()
        return super().get_urls()

    def check(self, app_configs: Any) -> list[Any]:
        _register_tables()
        return super().check(app_configs)

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and not lacks_one(request.user)

    def login(self, request: HttpRequest, _extra_context: dict[str, Any] | None = None) -> Any:
        """No second sign-in form, which could bypass the first: redirects to the missing step."""
        target = request.GET.get("next", "")
        here = url_has_allowed_host_and_scheme(target, {request.get_host()}, request.is_secure())
        onward = target if here else reverse("admin:index")
        if not request.user.is_authenticated:
            return redirect_to_login(onward)
        if lacks_one(request.user):
            messages.info(request, "Organisers need a second factor. Set one up, and the admin opens.")
            return redirect("second-factor")
        if not self.has_permission(request):
            raise PermissionDenied("The admin is for organisers.")
        return redirect(onward)

    def password_change(self, _request: HttpRequest, _extra_context: dict[str, Any] | None = None) -> Any:
        return redirect("password")


def _register_tables() -> None:
    """Load the tables, where the admin is shown or checked: they load all actions, which most processes do without."""
    import_module("tournaments.ops.admin.tables")
