"""A ladder: its standings, its matches, entering and withdrawing."""

from django.contrib.auth.decorators import login_required
from django.db.models import Max, Prefetch, Q, Sum
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from tournaments.core.accounts.permissions import run_by
from tournaments.core.accounts.spaces import Viewer, open_to, runs
from tournaments.core.accounts.visibility import audience_of
from tournaments.core.feature import features
from tournaments.features.final_runs.pages import final_run_of
from tournaments.ledger.ladders.entries import enter_in_ladder, withdraw_bot
from tournaments.ledger.statistics.upcoming import upcoming_sets
from tournaments.models import Bot, Entry, Fit, Ladder, Match, MatchSet, User
from tournaments.web.pages import match_lists
from tournaments.web.pages.announcements import announcements, disqualifications_in
from tournaments.web.pages.kept_parts import Context, KeptParts, last_act
from tournaments.web.pages.ladder_settings_text import settings_in_words
from tournaments.web.pages.live import being_played
from tournaments.web.pages.lookup import ladder_or_404, row_or_404
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.run_action import act, refused_form_page
from tournaments.web.pages.sentences import say
from tournaments.web.pages.standings_filter import standings_page
from tournaments.web.pages.who_asks import signed_in


def ladder_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Standings, who plays next and recent matches, which stay fresh by themselves; the rules; one's own bots in it."""
    user, shown = request.user, ladder_or_404(slug, request.user)
    own = own_bots_in(user, shown) if isinstance(user, User) else {}
    key = shown.pk, shown.status, audience_of(user, shown.space_id), last_act(), changed_entries(shown)
    parts = KeptParts(key, lambda: ladder_parts(user, shown, request.GET))
    return render(request, "ladder.html", {"ladder": shown, "parts": parts, **own})


def changed_entries(ladder: Ladder) -> dict[str, int | None]:
    """Return what differs as soon as a bot has entered or left: people see at once what they did."""
    playing = Sum("pk", filter=Q(status=Entry.Status.PLAYING))
    return ladder.entries.aggregate(last=Max("pk"), playing=playing)


def ladder_parts(viewer: Viewer, ladder: Ladder, query: QueryDict) -> Context:
    """Return what all of the viewer's audience see of a ladder."""
    return {
        "ladder": ladder,
        "standings": standings_page(ladder, query),
        "page": match_lists.page_of_ladder(viewer, ladder, query.get("before")),
        "next_sets": upcoming_sets(ladder),
        "playing": Match.objects.filter(match_lists.COUNTED, being_played(), set__ladder=ladder).count(),
        "rules": settings_in_words(ladder),
        "announcements": announcements(ladder),
        "disqualifications": disqualifications_in(ladder),
        "final_run": final_run_of(ladder),
        **of_features(ladder),
        "void": ladder.sets.filter(status=MatchSet.Status.VOID, number__isnull=False).count(),
        "organises": runs(viewer, ladder.space_id),
        "fit": Fit.objects.defer("rows", "final").filter(ladder=ladder).first(),
    }


def of_features(ladder: Ladder) -> Context:
    """Return their cards, the links of those that have none, and notes below the standings."""
    cards = [(feature, feature.ladder_card(ladder)) for feature in features()]
    links = [link for feature, card in cards if not card for link in feature.ladder_links]
    notes = [note for feature in features() if (note := feature.standings_note(ladder))]
    return {"cards": [card for _, card in cards if card], "links": links, "standings_notes": notes}


def own_bots_in(user: User, ladder: Ladder) -> Context:
    """Return the entries of the user's bots, and those bots that could enter: they play the game, and are not in it."""
    entries = Prefetch("entries", ladder.entries.all(), to_attr="entered")
    bots = Bot.objects.filter(run_by(user), game=ladder.game, space=ladder.space_id).order_by("name")
    own = list(bots.prefetch_related(entries))
    entered = [entry for bot in own for entry in bot.entered]
    inside = {entry.bot_id for entry in entered if entry.status != Entry.Status.WITHDRAWN}
    return {"entries": entered, "eligible": [bot for bot in own if bot.pk not in inside]}


@login_required
@require_POST
def enter_own_bot(request: HttpRequest, slug: str) -> HttpResponse:
    user, at = signed_in(request), ladder_or_404(slug, request.user)
    own = Bot.objects.filter(run_by(user), pk=whole(request.POST.get("bot")) or 0)
    bot = row_or_404(own, say("Choose one of your bots to enter."))
    done = act(
        request,
        lambda: enter_in_ladder(ladder=at, bot=bot, by=user),
        say("%(bot)s is in the %(at)s ladder.", bot=bot, at=at),
    )
    return redirect("ladder", slug) if done else refused_form_page(ladder_page(request, slug))


@login_required
@require_POST
def withdraw_entry(request: HttpRequest, entry: int) -> HttpResponse:
    rows = Entry.objects.select_related("ladder", "bot").filter(open_to(request.user, "bot__space"), pk=entry)
    found = row_or_404(rows, say("There is no entry %(entry)s.", entry=entry))
    user = signed_in(request)
    act(
        request,
        lambda: withdraw_bot(entry=found, by=user),
        say("%(bot)s has left the %(ladder)s ladder.", bot=found.bot, ladder=found.ladder),
    )
    return redirect("ladder", found.ladder.slug)
