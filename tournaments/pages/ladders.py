"""A ladder: its standings, its matches, and the way in and out."""

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from tournaments.accounts.organisers import organises
from tournaments.accounts.permissions import run_by
from tournaments.ladders.entries import enter, withdraw
from tournaments.models import Bot, Entry, Fit, Ladder, Match, MatchSet, User
from tournaments.pages import match_lists
from tournaments.pages.announcements import announcements, disqualifications_in
from tournaments.pages.final_runs import final_run_of
from tournaments.pages.ladder_settings_text import rules_of
from tournaments.pages.lookup import ladder_or_404
from tournaments.pages.query_values import whole
from tournaments.pages.run_action import act, refused
from tournaments.pages.standings_filter import page_of
from tournaments.pages.wait_text import promises_in
from tournaments.pages.who_asks import signed_in
from tournaments.statistics.upcoming import next_sets


def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    """Standings, who plays next and recent matches, which stay fresh by themselves; the rules; one's own bots in it."""
    at = ladder_or_404(slug)
    matches = match_lists.recorded(request.user).filter(set__ladder=at)
    context = {
        "ladder": at,
        "standings": page_of(at, request.GET),
        "page": match_lists.page(matches, request.GET.get("before")),
        "next_sets": next_sets(at),
        "playing": Match.objects.filter(status=Match.Status.LEASED, set__ladder=at).count(),
        "rules": rules_of(at),
        "announcements": announcements(at),
        "disqualifications": disqualifications_in(at),
        "final_run": final_run_of(at),
        "void": at.sets.filter(status=MatchSet.Status.VOID, number__isnull=False).count(),
        "promises": promises_in(at),
        "organises": organises(request.user),
        "fit": Fit.objects.defer("rows").filter(ladder=at).first(),
    }
    if isinstance(request.user, User):
        context |= {"entries": entries_of(request.user, at), "eligible": eligible(request.user, at)}
    return render(request, "ladder.html", context)


def entries_of(user: User, ladder: Ladder) -> QuerySet[Entry]:
    return ladder.entries.filter(run_by(user, "bot__")).select_related("bot", "ladder").order_by("bot__name")


def eligible(user: User, ladder: Ladder) -> QuerySet[Bot]:
    """The user's bots that could enter: of this game, and not in the ladder or withdrawn from it."""
    inside = ladder.entries.exclude(status=Entry.Status.WITHDRAWN)
    return Bot.objects.filter(run_by(user), game=ladder.game).exclude(entries__in=inside).order_by("name")


@login_required
@require_POST
def enter_ladder(request: HttpRequest, slug: str) -> HttpResponse:
    user, at = signed_in(request), ladder_or_404(slug)
    bot = Bot.objects.filter(run_by(user), pk=whole(request.POST.get("bot")) or 0).first()
    if bot is None:
        raise Http404("Choose one of the bots that you run to enter.")
    done = act(request, lambda: enter(ladder=at, bot=bot, by=user), f"{bot} is in the {at} ladder.")
    return redirect("ladder", slug) if done else refused(ladder(request, slug))


@login_required
@require_POST
def withdraw_entry(request: HttpRequest, entry: int) -> HttpResponse:
    found = Entry.objects.select_related("ladder", "bot").filter(pk=entry).first()
    if found is None:
        raise Http404(f"There is no entry {entry}.")
    user = signed_in(request)
    act(request, lambda: withdraw(entry=found, by=user), f"{found.bot} has left the {found.ladder} ladder.")
    return redirect("ladder", found.ladder.slug)
