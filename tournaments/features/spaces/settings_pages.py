"""The settings of a space: its description, the addresses that may join, and its codes."""

from django import forms
from django.conf import settings as conf
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_noop
from redis import RedisError

from tournaments.features.spaces.admission import MOST_ADDRESSES, admit_addresses
from tournaments.features.spaces.join_codes import MOST_DAYS, MOST_USES, make_code, open_codes, revoke_join_code
from tournaments.features.spaces.members_pages import of_organisers
from tournaments.features.spaces.opening import describe_space
from tournaments.features.spaces.own_workers import WorkerState, workers_of
from tournaments.features.spaces.pages import DescriptionForm
from tournaments.models import Space
from tournaments.web.pages.forms import TextField
from tournaments.web.pages.run_action import act, refused_form_page
from tournaments.web.pages.sentences import say
from tournaments.web.pages.webhooks import webhooks_page
from tournaments.web.pages.who_asks import signed_in

SAVED = gettext_noop("Saved.")


class AddressesForm(forms.Form):
    lines = TextField(
        label="Addresses that may join",
        required=False,
        max_length=MOST_ADDRESSES * 255,
        widget=forms.Textarea({"rows": 6, "autocapitalize": "none", "spellcheck": "false"}),
        help_text="One per line: ada@example.org, or @example.org for a whole domain. They apply to people who have "
        "confirmed their address.",
    )


class CodeForm(forms.Form):
    days = forms.IntegerField(label="Valid for, in days", min_value=1, max_value=MOST_DAYS, initial=14)
    uses = forms.IntegerField(label="People who may join with it", min_value=1, max_value=MOST_USES, initial=40)


@of_organisers
def settings(request: HttpRequest, space: Space) -> HttpResponse:
    """Show what the space says."""
    form = DescriptionForm(request.POST or None, initial={"title": space.title, "about": space.about})
    if request.method == "POST" and form.is_valid():
        described = form.cleaned_data
        if act(request, lambda: describe_space(space=space, by=signed_in(request), **described), say(SAVED)):
            return redirect("space", space.slug)
    zone = space.time_zone or conf.SITE_TIME_ZONE
    context = {"space": space, "form": form, "workers": _workers(space), "zone": zone}
    return render(request, "spaces/settings.html", {**context, "retention_form": _retention_form(space)})


def _retention_form(space: Space) -> str:
    """Return the address of the form that sets how long things are kept, filled with what holds now."""
    periods = {name: getattr(space, f"keep_{name}") for name in ("words", "replays", "sources", "identities")}
    asked = {"space": space.slug, **{name: days for name, days in periods.items() if days}}
    return f"{reverse('desk-act', args=['set_retention'])}?{urlencode(asked)}"


def _workers(space: Space) -> list[WorkerState] | None:
    """Return the workers; None while the broker is away."""
    try:
        return workers_of(space)
    except RedisError:
        return None


@of_organisers
def ways_into_space(request: HttpRequest, space: Space) -> HttpResponse:
    """Codes, and how else people come in."""
    return ways_in_with(request, space, CodeForm(), addresses_of(space))


def ways_in_with(request: HttpRequest, space: Space, codes: CodeForm, addresses: AddressesForm) -> HttpResponse:
    context = {"space": space, "codes": open_codes(space), "form": codes, "addresses": addresses}
    return render(request, "spaces/ways_in.html", context)


def addresses_of(space: Space) -> AddressesForm:
    addresses = space.admits.order_by("address").values_list("address", flat=True)
    return AddressesForm(initial={"lines": "\n".join(addresses)})


@of_organisers
def space_webhooks(request: HttpRequest, space: Space) -> HttpResponse:
    """Show where the news of the space is posted."""
    return webhooks_page(request, space, reverse("space", args=[space.slug]))


@of_organisers
def new_code(request: HttpRequest, space: Space) -> HttpResponse:
    form, by = CodeForm(request.POST), signed_in(request)
    done = say("The code works from now on.")
    if form.is_valid() and act(request, lambda: make_code(space=space, by=by, **form.cleaned_data), done):
        return redirect("space-ways-in", space.slug)
    return refused_form_page(ways_in_with(request, space, form, addresses_of(space)))


@of_organisers
def revoke_code(request: HttpRequest, space: Space, number: int) -> HttpResponse:
    done = say("Nobody can join with that code any more.")
    act(request, lambda: revoke_join_code(space=space, number=number, by=signed_in(request)), done)
    return redirect("space-ways-in", space.slug)


@of_organisers
def admit_addresses_page(request: HttpRequest, space: Space) -> HttpResponse:
    form, by = AddressesForm(request.POST), signed_in(request)
    if form.is_valid() and act(request, lambda: admit_addresses(space=space, by=by, **form.cleaned_data), say(SAVED)):
        return redirect("space-ways-in", space.slug)
    return refused_form_page(ways_in_with(request, space, CodeForm(), form))
