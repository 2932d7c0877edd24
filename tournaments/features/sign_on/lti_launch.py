"""Where a launch from a learning platform ends: its course, with the space that belongs to it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from tournaments.core.accounts.spaces import organised_by, runs
from tournaments.core.errors import Refused
from tournaments.features.sign_on.lti_courses import Launch, arrived, bind_course
from tournaments.features.sign_on.pages import protocol_services
from tournaments.ledger.acts.base import count_act
from tournaments.models import CourseLink, Space, User
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in


@login_required
@never_cache
def course(request: HttpRequest) -> HttpResponse:
    """Students go on at once; a teacher chooses the space, or takes the list of the course."""
    user = signed_in(request)
    try:
        link, opened = arrived(user, request.GET.get("said", ""))
        if request.method == "POST":
            bind_launch(request, user, link, opened)
            return redirect(request.get_full_path())
    except Refused as refused:
        why = {"sentence": sentence(refused), "code": refused.code, "title": "LTI"}
        return render(request, "sign_on/refused.html", why, status=403)
    leads = link.space_id is not None and runs(user, link.space_id)
    if link.space and not leads:
        messages.success(request, say("You are in %(space)s.", space=link.space))
        return redirect("home")
    context = {"link": link, "spaces": spaces_to_bind(user) if opened.teaches else [], "leads": leads}
    return render(request, "sign_on/course.html", context)


def spaces_to_bind(user: User) -> list[Space]:
    return list(Space.objects.filter(organised_by(user, "pk"), closed_at=None).order_by("title"))


def bind_launch(request: HttpRequest, user: User, link: CourseLink, opened: Launch) -> None:
    """Raises Refused."""
    if "space" in request.POST:
        space = Space.objects.filter(slug=request.POST["space"]).first()
        if space is None:
            raise Refused("not_organiser", "only organisers of the space may do that")
        bind_course(link=link, course=opened, space=space, by=user)
        messages.success(request, say("Anyone who opens the course joins %(space)s from now on.", space=space))
    elif link.space_id and runs(user, link.space_id):
        count_act(user, link.space_id)
        joined, listed = protocol_services().take_roster(link)
        messages.success(
            request, say("%(joined)s of %(listed)s people of the course are here.", joined=joined, listed=listed)
        )
