"""A table of several people: its page while it waits for players, the invitation, and their actions."""

from collections.abc import Mapping

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy, gettext_noop
from django.views.decorators.http import require_POST

from engine.games import GAMES
from tournaments.core.accounts.guests import are_welcome
from tournaments.core.accounts.spaces import open_to
from tournaments.core.errors import Refused
from tournaments.features.practice.gathering import invited_to, take_seat
from tournaments.features.practice.seating_form import Kind, Option, Place, seat_kinds
from tournaments.features.practice.seats import at_tables_of, free_seats, person_seat, players
from tournaments.features.practice.slow_play import TABLE_ACTIONS
from tournaments.models import Practice, User
from tournaments.web.pages.guests import as_player
from tournaments.web.pages.lookup import row_or_404
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.run_action import act, refused_form_page, sentence
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in

PACES = {
    "1m": gettext_lazy("1 minute"),
    "3m": gettext_lazy("3 minutes"),
    "5m": gettext_lazy("5 minutes"),
    "10m": gettext_lazy("10 minutes"),
    "1": gettext_lazy("1 hour"),
    "8": gettext_lazy("8 hours"),
    "24": gettext_lazy("1 day"),
    "72": gettext_lazy("3 days"),
    "168": gettext_lazy("7 days"),
}
NOTHING: Mapping[str, str] = {}


def practice_or_404(number: int, request: HttpRequest) -> Practice:
    """Return a practice game of one's own, or at whose table one sits; to everybody else it does not exist."""
    rows = Practice.objects.select_related("ladder", "owner", "match").filter(
        at_tables_of(signed_in(request)), open_to(request.user, "ladder__space"), pk=number
    )
    return row_or_404(rows, say("There is no game %(number)s of yours.", number=number))


def gathering(
    request: HttpRequest, game: Practice, sent: Mapping[str, str] = NOTHING, trouble: str = ""
) -> HttpResponse:
    """Show who sits, who is awaited, and for the host the invitation and the bots."""
    by, free = signed_in(request), free_seats(game)
    context = {
        "practice": game,
        "game": GAMES[game.ladder.game],
        "names": names_at(game),
        "free": free,
        "roster": roster(game),
        "trouble": trouble,
        "hosts": game.owner_id == by.pk,
        "own_seat": person_seat(game, by),
        "pace": pace_of(game),
        "kinds": seat_kinds(game.ladder, by),
        "seat": sent.get("seat", str(free[0]) if free else ""),
        "place": Place("player", gettext("A bot for it"), sent.get("player", "")),
    }
    return render(request, "practice/gathering.html", context)


def paces() -> list[Kind]:
    return [Kind(gettext("For each answer"), [Option(key, str(label)) for key, label in PACES.items()])]


def names_at(game: Practice) -> list[str]:
    free = free_seats(game)
    return [gettext("a free seat") if seat in free else player.name for seat, player in enumerate(players(game))]


def roster(game: Practice) -> str:
    """Return a text that changes whenever somebody comes or goes, or the invitation does."""
    return "\n".join([game.invite_key[:8], *(player.name for player in players(game))])


def pace_of(game: Practice) -> str:
    key, other = (f"{game.minutes}m", "min") if game.minutes else (str(game.hours), "h")
    return str(PACES.get(key, f"{game.minutes or game.hours} {other}"))


def pace_sent(text: str) -> dict[str, int]:
    """Return the hours or minutes that one of PACES stands for; nothing if none was chosen."""
    if not text:
        return {}
    return {"minutes": whole(text[:-1]) or 0} if text.endswith("m") else {"hours": whole(text) or 0}


@login_required
@require_POST
def do_at_table(request: HttpRequest, number: int, action: str) -> HttpResponse:
    """Do one of TABLE_ACTIONS."""
    game, by = practice_or_404(number, request), signed_in(request)
    if action not in TABLE_ACTIONS:
        raise Http404(say("There is no action “%(action)s” for a table.", action=action[:30]))
    sent = {name: str(request.POST.get(name, "")) for name in ("seat", "player")}
    seat = whole(sent["seat"])
    is_done = act(
        request, lambda: TABLE_ACTIONS[action](game, by, {"seat": seat, "player": sent["player"]}), say(DONE[action])
    )
    game = practice_or_404(number, request)
    if not is_done and action == "fill" and game.status == Practice.Status.GATHERING:
        return refused_form_page(gathering(request, game, sent))
    return redirect("practice", number)


DONE = {
    "invite": gettext_noop("This is a new link; the old one no longer works."),
    "uninvite": gettext_noop("The link no longer works. Those who sit at the table stay."),
    "fill": gettext_noop("The bot has the seat."),
    "start": gettext_noop("Bots have the free seats, and the game has begun."),
    "end": gettext_noop("The game is over for everyone."),
    "return": gettext_noop("You are back: the game waits for you from your next turn."),
}


def join_table(request: HttpRequest, key: str) -> HttpResponse:
    """Give a seat to whoever has the link, also to those without an account, and lead them to it from then on."""
    game = invited_to(key, request.user)
    if game is None:
        raise Http404("This invitation no longer works: its host has taken it back, or the game has begun.")
    if request.method == "POST":
        try:
            return redirect("practice", as_player(request, lambda by: take_seat(key=key, by=by)).pk)
        except Refused as problem:
            messages.error(request, sentence(problem))
    sits = isinstance(request.user, User) and person_seat(game, request.user) is not None
    context = {"practice": game, "game": GAMES[game.ladder.game], "names": names_at(game), "pace": pace_of(game)}
    context |= {
        "free": free_seats(game),
        "sits": sits,
        "no_guests": not (request.user.is_authenticated or are_welcome()),
    }
    return render(request, "practice/join.html", context)
