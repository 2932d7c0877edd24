"""The user's own spaces and the public ones, the page of each, and the form that opens one."""

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST

from tournaments.core.accounts.spaces import listed_for, runs
from tournaments.core.accounts.suspension import suspension_of
from tournaments.core.accounts.visibility import events_seen_by
from tournaments.core.errors import Refused
from tournaments.features.moderation.complaints import open_to_organiser
from tournaments.features.seasons.archive import archived
from tournaments.features.spaces.admission import NAME_SOMEBODY, SPACE_ACTIONS, spaces_admitting
from tournaments.features.spaces.opening import LONGEST_ABOUT, may_open, open_space
from tournaments.models import Event, Space, SpaceMember, User
from tournaments.web.pages.announcements import announcements_in
from tournaments.web.pages.forms import TextField
from tournaments.web.pages.lookup import space_or_404
from tournaments.web.pages.rate_limits import count_for_rate
from tournaments.web.pages.run_action import act, refused_form_page, sentence
from tournaments.web.pages.sentences import choices_now, say
from tournaments.web.pages.who_asks import signed_in
from tournaments.web.server.request_rates import OPENING

EVENTS = 20
PUBLIC = 50


FIELDS = {"bad_slug": "slug", "slug_taken": "slug", "not_drawn": "blind", "no_mail": "blind"}  # by a refusal's code


class DescriptionForm(forms.Form):
    title = forms.CharField(max_length=80)
    about = TextField(
        required=False,
        max_length=LONGEST_ABOUT,
        widget=forms.Textarea({"rows": 8}),
        help_text="Markdown, without pictures: what it is for, its rules, who answers questions.",
    )


class SpaceForm(DescriptionForm):
    slug = forms.CharField(
        label="Address",
        max_length=30,
        help_text="In the address: /spaces/…/. 3 to 30 small letters and digits, beginning with a letter. Permanent.",
        widget=forms.TextInput({"autocapitalize": "none"}),
    )
    access = forms.ChoiceField(
        label="Who sees it",
        choices=choices_now(Space.Access.choices),
        initial=Space.Access.PRIVATE,
        widget=forms.RadioSelect,
    )
    pseudonyms = forms.BooleanField(
        label="Names are drawn: nobody but its organisers knows who is who",
        required=False,
        help_text="People join by a roster, with names such as amber-heron-17, and their bots are named after them. "
        "This cannot be changed.",
    )
    blind = forms.BooleanField(
        label="Its organisers do not know either, until they lift it",
        required=False,
        help_text="With drawn names, on a site that sends e-mail. Lifting it takes a reason, and all members are told.",
    )
    field_order = ("title", "slug", "access", "pseudonyms", "blind", "about")


def spaces_page(request: HttpRequest) -> HttpResponse:
    mine: QuerySet[SpaceMember] = SpaceMember.objects.none()
    opened: QuerySet[Space] = Space.objects.none()
    if isinstance(request.user, User):
        mine = request.user.spaces.filter(space__closed_at=None).select_related("space").order_by("space__title")
        opened = spaces_admitting(request.user)
    public = Space.objects.filter(listed_for(None, "pk")).exclude(pk__in=mine.values("space"))
    context = {
        "places": mine,
        "opened": opened,
        "public": public.annotate(people=Count("members")).order_by("title")[:PUBLIC],
        "may_open": isinstance(request.user, User) and may_open(request.user),
    }
    return render(request, "spaces/spaces.html", context)


@login_required
def new_space(request: HttpRequest) -> HttpResponse:
    by = signed_in(request)
    if not may_open(by):
        raise PermissionDenied(say("On this site only organisers open spaces. Ask one of them."))
    form = SpaceForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            count_for_rate(OPENING, str(by.pk))
            return redirect("space", open_space(by=by, **form.cleaned_data).slug)
        except Refused as why:
            form.add_error(FIELDS.get(why.code), forms.ValidationError(sentence(why), why.code))
    return render(request, "spaces/new.html", {"form": form})


def space_page(request: HttpRequest, slug: str) -> HttpResponse:
    shown, viewer = space_or_404(slug, request.user), request.user
    events = Event.objects.filter(events_seen_by(viewer), ladder__space=shown).select_related("ladder")
    context = {
        "space": shown,
        "people": shown.members.count(),
        "mine": shown.members.filter(user=viewer.pk).first(),
        "runs": runs(viewer, shown.pk),
        "asked": shown.requests.filter(user=viewer.pk).exists(),
        "waiting": shown.requests.count(),
        "admitted": isinstance(viewer, User) and spaces_admitting(viewer).filter(pk=shown.pk).exists(),
        "ladders": shown.ladders.annotate(bots=Count("entries")).order_by("title"),
        "events": events.order_by("-pk")[:EVENTS],
        "reported": len(open_to_organiser(viewer, shown)) if isinstance(viewer, User) and runs(viewer, shown.pk) else 0,
        "suspended": suspension_of(viewer, shown.pk),
        "archive": archived(viewer, shown).count(),
        "announcements": announcements_in(shown),
    }
    return render(request, "spaces/space.html", context)


@login_required
@require_POST
def do_in_space(request: HttpRequest, slug: str, action: str) -> HttpResponse:
    """Do one of SPACE_ACTIONS. Whom a private space admits need not see it yet."""
    by = signed_in(request)
    if action not in SPACE_ACTIONS:
        raise Http404(say("There is no action “%(action)s” for a space.", action=action[:30]))
    opens = spaces_admitting(by).filter(slug=slug).first() if action == "join" else None
    place, verb = opens or space_or_404(slug, by), SPACE_ACTIONS[action]
    name = request.POST.get("user", "").strip()[:150]
    is_done = act(request, lambda: verb(place, name, by), say(DONE[action], name=name, space=place))
    if action in NAME_SOMEBODY:
        return redirect("space-members", place.slug)
    if not is_done and action == "ask":
        return refused_form_page(space_page(request, slug))
    return redirect("spaces") if action in ("leave", "take-back") else redirect("space", place.slug)


DONE = {
    "join": gettext_noop("You are in %(space)s now."),
    "ask": gettext_noop("The organisers of %(space)s were told that you want to join."),
    "take-back": gettext_noop("Your request to join %(space)s is withdrawn."),
    "approve": gettext_noop("%(name)s is in %(space)s now."),
    "refuse": gettext_noop("%(name)s was told that the request is refused."),
    "leave": gettext_noop("You have left %(space)s. Your bots are out of its ladders and events."),
    "organiser": gettext_noop("%(name)s is an organiser now."),
    "step-down": gettext_noop("You are a member of %(space)s now, no longer an organiser."),
}
