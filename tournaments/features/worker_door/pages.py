"""The page on which organisers admit a worker: its token is in the answer to the form, and nowhere else."""

from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

from tournaments.core.accounts.organisers import organises
from tournaments.core.accounts.spaces import organised_by
from tournaments.core.errors import Refused
from tournaments.features.worker_door.actions import AdmitWorker
from tournaments.features.worker_door.tokens import digest_of, new_worker_secret
from tournaments.ledger.acts.base import LONGEST_REASON
from tournaments.models import Space, User
from tournaments.web.pages.desk.access import organisers_here
from tournaments.web.pages.run_action import refused_form_page, sentence
from tournaments.web.pages.who_asks import signed_in


class WorkerForm(forms.Form):
    name = forms.CharField(max_length=40, help_text="Letters, digits, hyphens; such as lab.")
    space = forms.ChoiceField(required=False, label="Plays for")
    offers = forms.CharField(
        max_length=200,
        required=False,
        label="Languages",
        help_text="Those whose bots it may be sent, such as c, rust, wasm; Python always. Empty: all that it has.",
    )
    reason = forms.CharField(max_length=LONGEST_REASON, label="Why", help_text="It is in the public log.")

    def __init__(self, by: User, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.spaces = {space.slug: space for space in Space.objects.filter(organised_by(by, "pk")).order_by("slug")}
        nobody = [("", gettext("Ladders that allow outside workers"))] if organises(by) else []
        field = self.fields["space"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [*nobody, *((slug, str(space)) for slug, space in self.spaces.items())]

    def action(self, secret: str) -> AdmitWorker:
        given = self.cleaned_data
        return AdmitWorker(given["name"], self.spaces.get(given["space"]), digest_of(secret), given["offers"])


@organisers_here
@never_cache
def new_worker(request: HttpRequest) -> HttpResponse:
    by, secret = signed_in(request), ""
    form = WorkerForm(by, request.POST or None, initial={"space": request.GET.get("space", "")})
    if request.method == "POST" and form.is_valid():
        secret = new_worker_secret()
        try:
            form.action(secret).do(by=by, reason=form.cleaned_data["reason"])
        except Refused as refused:
            name = refused.code.removeprefix("bad_")
            form.add_error(name if name in form.fields else None, sentence(refused))
            secret = ""
    more = " --practices 1" if secret and form.cleaned_data["space"] else ""
    command = f"python3 manage.py worker --site {settings.SITE_URL} --token {secret}{more}"
    page = render(request, "worker_door/new_worker.html", {"form": form, "secret": secret, "command": command})
    return refused_form_page(page) if form.errors else page
