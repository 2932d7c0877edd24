"""A ladder: its standings, its matches, entering and withdrawing."""

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from tournaments.core.accounts.compiled_queries import Compiled
from tournaments.core.accounts.permissions import RUN_BY, run_by, runner, runs_any
from tournaments.core.accounts.spaces import open_to, runs
from tournaments.core.feature import features
from tournaments.features.final_runs.pages import final_run_of
from tournaments.ledger.ladders.entries import enter_in_ladder, withdraw_bot
from tournaments.ledger.statistics.upcoming import upcoming_sets
from tournaments.models import Bot, Entry, Fit, Ladder, Match, MatchSet, User
from tournaments.models.prepared_statements import run_prepared
from tournaments.web.pages import match_lists
from tournaments.web.pages.announcements import announcements, disqualifications_in
from tournaments.web.pages.ladder_settings_text import settings_in_words
from tournaments.web.pages.lookup import ladder_or_404
from tournaments.web.pages.page_parts import IN_SPACE, Context, with_own
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.run_action import act, refused_form_page
from tournaments.web.pages.sentences import say
from tournaments.web.pages.standings_filter import standings_page
from tournaments.web.pages.who_asks import signed_in


def own_entries(request: HttpRequest, slug: str) -> Context | None:
    """Organisers of its space see more of it."""
    at = ladder_or_404(slug, request.user)
    return None if runs(request.user, at.space_id) else entry_context(request, at)


def entry_context(request: HttpRequest, at: Ladder) -> Context:
    """And out, for one's own bots."""
    user, own = request.user, {}
    if isinstance(user, User) and runs_any(user):
        own = {"entries": entries_of_person(user, at), "eligible": bots_to_enter(user, at)}
    return {"ladder": at, IN_SPACE: at.space_id, **own}


@with_own(own_entries, "_enter.html")
def ladder_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Standings, who plays next and recent matches, which stay fresh by themselves; the rules; one's own bots in it."""
    at = ladder_or_404(slug, request.user)
    context = {
        **entry_context(request, at),
        "standings": standings_page(at, request.GET),
        "page": match_lists.page_of_ladder(request.user, at, request.GET.get("before")),
        "next_sets": upcoming_sets(at),
        "playing": Match.objects.filter(match_lists.COUNTED, status=Match.Status.LEASED, set__ladder=at).count(),
        "rules": settings_in_words(at),
        "announcements": announcements(at),
        "disqualifications": disqualifications_in(at),
        "final_run": final_run_of(at),
        **of_features(at),
        "void": at.sets.filter(status=MatchSet.Status.VOID, number__isnull=False).count(),
        "organises": runs(request.user, at.space_id),
        "fit": Fit.objects.defer("rows").filter(ladder=at).first(),
    }
    return render(request, "ladder.html", context)


def of_features(ladder: Ladder) -> Context:
    """Return their cards, the links of those that have none, and notes below the standings."""
    cards = [(feature, feature.ladder_card(ladder)) for feature in features()]
    links = [link for feature, card in cards if not card for link in feature.ladder_links]
    notes = [note for feature in features() if (note := feature.standings_note(ladder))]
    return {"cards": [card for _, card in cards if card], "links": links, "standings_notes": notes}


ENTERED = f"""
SELECT EXISTS(SELECT 1 FROM tournaments_entry entry JOIN tournaments_bot bot ON bot.id = entry.bot_id
WHERE entry.ladder_id = %s AND {RUN_BY})
"""  # noqa: S608 - words of ours
ELIGIBLE = f"""
SELECT bot.id, bot.name FROM tournaments_bot bot WHERE bot.game = %s
AND bot.space_id IS NOT DISTINCT FROM %s AND {RUN_BY} AND NOT EXISTS(
    SELECT 1 FROM tournaments_entry entry WHERE entry.bot_id = bot.id AND entry.ladder_id = %s AND entry.status <> %s
) ORDER BY bot.name
"""  # noqa: S608 - likewise


def entries_of_person(user: User, ladder: Ladder) -> list[Entry]:
    ((entered,),) = run_prepared(ENTERED, [ladder.pk, *runner(user)])
    return entries_run(user, ladder.pk) if entered else []


@Compiled
def entries_run(user: User, ladder: int) -> QuerySet[Entry]:
    mine = Entry.objects.filter(run_by(user, "bot__"), ladder=ladder)
    return mine.select_related("bot", "ladder").order_by("bot__name")


def bots_to_enter(user: User, ladder: Ladder) -> list[Bot]:
    """The user's bots that could enter: of this game and space, and not in the ladder or withdrawn from it."""
    rows = run_prepared(ELIGIBLE, [ladder.game, ladder.space_id, *runner(user), ladder.pk, Entry.Status.WITHDRAWN])
    return [Bot(pk=number, name=name) for number, name in rows]


@login_required
@require_POST
def enter_own_bot(request: HttpRequest, slug: str) -> HttpResponse:
    user, at = signed_in(request), ladder_or_404(slug, request.user)
    bot = Bot.objects.filter(run_by(user), pk=whole(request.POST.get("bot")) or 0).first()
    if bot is None:
        raise Http404("Choose one of your bots to enter.")
    done = act(
        request,
        lambda: enter_in_ladder(ladder=at, bot=bot, by=user),
        say("%(bot)s is in the %(at)s ladder.", bot=bot, at=at),
    )
    return redirect("ladder", slug) if done else refused_form_page(ladder_page(request, slug))


@login_required
@require_POST
def withdraw_entry(request: HttpRequest, entry: int) -> HttpResponse:
    found = Entry.objects.select_related("ladder", "bot").filter(open_to(request.user, "bot__space"), pk=entry).first()
    if found is None:
        raise Http404(say("There is no entry %(entry)s.", entry=entry))
    user = signed_in(request)
    act(
        request,
        lambda: withdraw_bot(entry=found, by=user),
        say("%(bot)s has left the %(ladder)s ladder.", bot=found.bot, ladder=found.ladder),
    )
    return redirect("ladder", found.ladder.slug)
