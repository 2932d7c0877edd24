"""Practice games: the list, a new game, and the table of each."""

from collections import Counter
from types import MappingProxyType
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from bots.viewer.answer_forms.form import WAY, Form, FormError, Values
from bots.viewer.answer_forms.form import read_sent_answer as read_form
from bots.viewer.film_chunks import piece
from bots.viewer.perspectives import eyes_of
from engine.core import IllegalAction, Seat
from engine.games import GAMES
from engine.replay import Replay, ReplayError, read_replay
from tournaments.core.accounts.spaces import listed_for, open_to
from tournaments.core.errors import Refused
from tournaments.features.practice.seating_form import RANDOM, Place, opponent_places, seat_kinds, seated_players
from tournaments.features.practice.seats import (
    INVITED,
    at_tables_of,
    is_shared,
    person_seat,
    players,
    seated_player,
    sees_evidence,
    sitting,
)
from tournaments.features.practice.slow_play import LATE, leave_practice
from tournaments.features.practice.stage import Stage, stage_for_person
from tournaments.features.practice.start import (
    begin_practice,
    fork_practice,
    ladder_to_continue,
    play_again,
    replay_of_match,
)
from tournaments.features.practice.table_pages import gathering, pace_sent, paces, practice_or_404, roster
from tournaments.features.practice.turns import PracticeState, answer_question, retry
from tournaments.models import Ladder, Practice, PracticeSeat, User
from tournaments.web.pages.lookup import ladder_or_404, match_or_404
from tournaments.web.pages.replay_viewer import chosen_perspective, moment, viewer_of_replay
from tournaments.web.pages.run_action import act, refused_form_page, sentence
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in

SHOWN = 30  # games in one's list
NOTHING: Values = MappingProxyType({})
SURE = "sure"  # whether somebody without a script sends what was read back to them: yes or no
OF_THE_PAGE = ("csrfmiddlewaretoken", SURE)
NOT_TYPED = (*OF_THE_PAGE, "turn", WAY, "base", "needs", "from")  # they stand hidden in the form


def lobby(request: HttpRequest) -> HttpResponse:
    """Ladders to play under, one click each, and one's own games."""
    mine = Practice.objects.none()
    if isinstance(request.user, User):
        mine = games_of_person(request.user)[:SHOWN]
    ladders = Ladder.objects.filter(listed_for(request.user)).order_by("pk")
    return render(
        request, "practice/play.html", {"ladders": [ladder for ladder in ladders if playable(ladder)], "mine": mine}
    )


def games_of_person(person: User) -> QuerySet[Practice]:
    """Return one's own and those at whose tables one sits, with `own_seat` at the tables of several people."""
    sits = PracticeSeat.objects.filter(practice=OuterRef("pk"), user=person)
    visible = Practice.objects.filter(at_tables_of(person), open_to(person, "ladder__space"))
    rows = visible.select_related("ladder", "owner")
    return (
        rows.annotate(own_seat=sits.values("number")[:1])
        .defer("script", "replay", "report", "faults_data")
        .order_by("-pk")
    )


def playable(ladder: Ladder) -> bool:
    return ladder.rules == GAMES[ladder.game].version


@login_required
def begin_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose seats and opponents under a ladder's settings; what is not sent is chosen by default."""
    ladder, by = ladder_or_404(slug, request.user), signed_in(request)
    sent = request.POST.dict()
    players_ = _players(ladder, request)
    is_quick = request.method == "POST" and "seat" not in sent  # one press, without the form
    places = opponent_places(ladder, sent, players_, quick=is_quick)
    seat, trouble = sent.get("seat", RANDOM), ""
    if request.method == "POST":
        try:
            chairs, pace = seated_players(places, seat, by), pace_sent(sent.get("hours", ""))
            if INVITED in chairs and not pace and "hours" in sent:
                raise Refused("bad_hours", "choose how long the people whom you invite have for each answer")
            hours, minutes = pace.get("hours"), pace.get("minutes")
            begun = begin_practice(by=by, ladder=ladder, seats=chairs, hours=hours, minutes=minutes)
            return redirect("practice", begun.pk)
        except Refused as refused:
            trouble = sentence(refused)
    context = {
        "ladder": ladder,
        "places": places,
        "kinds": seat_kinds(ladder, by, people=True),
        "seat": seat,
        "seats": range(players_),
        "seat_offered": seat in (RANDOM, *map(str, range(players_))),
        "sizes": GAMES[ladder.game].players,
        "players": players_,
        "paces": paces(),
        "pace": Place("hours", gettext("Time for each answer, with people"), sent.get("hours", "")),
        "trouble": trouble,
    }
    return render(request, "practice/begin.html", context, status=422 if trouble else 200)


def _players(ladder: Ladder, request: HttpRequest) -> int:
    text = request.POST.get("players") or request.GET.get("players") or ""
    players_ = int(text) if text.isascii() and text.isdigit() and len(text) < 3 else ladder.seats
    return players_ if players_ in GAMES[ladder.game].players else ladder.seats


# --- one game ------------------------------------------------------------------------------------------------------


@login_required
def practice(request: HttpRequest, number: int) -> HttpResponse:
    game = practice_or_404(number, request)
    if request.method == "POST":
        return _answered(request, game)
    return _page(request, game)


def _answered(request: HttpRequest, game: Practice) -> HttpResponse:
    """Answer; return the next state for a script, else a redirect to the page."""
    sent = {name: [str(text) for text in request.POST.getlist(name)] for name in request.POST}
    by_script = request.headers.get("Accept") == "application/json"
    if not by_script and sent.get(SURE) != ["yes"] and (again := _asked_once_more(request, game, sent)):
        return again
    trouble = _try(request, game, sent)
    if by_script:
        return _state(request, practice_or_404(game.pk, request), trouble, sent)
    if trouble:
        return _page(request, practice_or_404(game.pk, request), trouble, sent)
    return redirect("practice", game.pk)


def _asked_once_more(request: HttpRequest, game: Practice, sent: Values) -> HttpResponse | None:
    """Return the page with what would be sent, in words, or with the form as it was filled, to change it; for without
    a script one click would send what cannot be taken back. None for what is refused anyway."""
    context, number = _context(game, signed_in(request)), sent.get(WAY, [""])[0]
    form, stage = context["form"], context["stage"]
    if not isinstance(form, Form) or not isinstance(stage, Stage) or sent.get("turn") != [str(stage.at)]:
        return None
    if number not in map(str, range(len(form.ways))) or not _is_legal(game, request, sent):
        return None
    if sent.get(SURE):
        context["form"] = form.filled(sent)
    else:
        context |= {"chosen": form.ways[int(number)].says(sent), "sure": SURE}
        context["sent"] = [(name, text) for name in sent if name not in OF_THE_PAGE for text in sent[name]]
    return render(request, "practice/practice.html", context)


def _is_legal(game: Practice, request: HttpRequest, sent: Values) -> bool:
    seat = person_seat(game, signed_in(request))
    try:
        PracticeState.of(game).run.match.read(cast("Seat", seat), read_form(sent))
    except (IllegalAction, FormError):
        return False
    return True


def _try(request: HttpRequest, game: Practice, sent: Values) -> str:
    """Give the answer; returns why it was refused, in a sentence, or ""."""
    turn = request.POST.get("turn", "")
    try:
        given = read_form(sent)
        number = int(turn) if turn.isascii() and turn.isdigit() and len(turn) < 10 else -1
        answer_question(practice=game, by=signed_in(request), turn=number, action=given)
    except Refused as refused:
        if refused.code == "illegal_answer" and not refused.detail.startswith("answer"):
            return sentence(Refused(refused.code, "your answer %(reason)s", reason=refused.detail))
        return sentence(refused)
    return ""


def _page(request: HttpRequest, game: Practice, trouble: str = "", sent: Values = NOTHING) -> HttpResponse:
    if game.status == Practice.Status.GATHERING:  # before the start nobody sees what any seat is dealt
        table = gathering(request, game, trouble=trouble)
        return refused_form_page(table) if trouble else table
    context = _context(game, signed_in(request), trouble, sent)
    if game.status == Practice.Status.OVER and game.replay:
        context["viewer"] = viewer_of_replay(
            game.pk, read_replay(bytes(game.replay)), request.GET.dict(), practice=True
        )
    return render(request, "practice/practice.html", context, status=422 if trouble else 200)


def _context(
    game: Practice, by: User, trouble: str = "", sent: Values = NOTHING, since: int | None = None
) -> dict[str, object]:
    try:
        stage: Stage | None = stage_for_person(game, by, since)
    except ReplayError as error:
        stage, trouble = None, error.detail
    form = stage and stage.form
    if form and trouble and sent:
        form = form.filled(sent)
    replay = read_replay(bytes(game.replay)) if game.replay else None
    return {
        "practice": game,
        "status": status_for(game, form),
        "own_seat": (own_seat := person_seat(game, by)),
        "table": (table := sitting(game)),
        "away": own_seat in table and table[own_seat].state == PracticeSeat.State.AWAY,
        "awaited": [row.user.username for row in table.values() if row.number in game.waits_for],
        "late": late_in(game),
        "left": time_left(game),
        "hosts": game.owner_id == by.pk,
        "evidence": sees_evidence(game, by),
        "typed": late_answer(sent) if trouble and not form else [],
        "stage": stage,
        "form": form,
        "chosen_way": sent.get("way", [""])[0],
        "trouble": trouble,
        "players": players(game),
        "places": places_in(replay) if replay else [],
        "stderr": {int(seat): text for seat, text in game.report.get("stderr", {}).items()},
        "game": GAMES[game.ladder.game],
    }


def status_for(game: Practice, form: object) -> str:
    """Return the status as the person sees it: whoever is not asked waits, be it for bots or for people."""
    waits_for_people = game.status == Practice.Status.ASKING and is_shared(game) and not form
    return Practice.Status.WAITING if waits_for_people else game.status


def time_left(game: Practice) -> tuple[int, str] | None:
    """Return the seconds that are left for an answer, also as 2:05, where there are minutes and no hours."""
    if not game.minutes or game.until is None or game.status != Practice.Status.ASKING:
        return None
    seconds = max(0, int((game.until - timezone.now()).total_seconds()))
    return seconds, f"{seconds // 60}:{seconds % 60:02}"


def late_in(game: Practice) -> list[str]:
    """Return who was late, and how often."""
    names = [player.name for player in players(game)] if game.absences else []
    late = Counter(seat for _, seat, what in game.absences if what == LATE)
    return [f"{names[seat]} ({times} times)" for seat, times in sorted(late.items())]


def late_answer(sent: Values) -> list[str]:
    """Return what was sent to a question that is not asked any more."""
    return [text for name, texts in sent.items() if name not in NOT_TYPED for text in texts if text]


def places_in(replay: Replay) -> list[tuple[int, str, int, int, str]]:
    """Return place, name, seat, score and verdict, the winner first."""
    result = replay.result
    lines = [
        (result.places[seat], player.name, seat, result.scores[seat], result.verdicts[seat])
        for seat, player in enumerate(replay.players)
    ]
    return sorted(lines)


@login_required
def practice_state(request: HttpRequest, number: int) -> JsonResponse:
    """Return what has happened since the moment `from`: frames for the board, and the panel below it."""
    return _state(request, practice_or_404(number, request))


def _state(request: HttpRequest, game: Practice, trouble: str = "", sent: Values = NOTHING) -> JsonResponse:
    if game.status == Practice.Status.GATHERING:
        return JsonResponse({"status": game.status, "roster": roster(game)}, headers={"Cache-Control": "no-store"})
    since = request.POST.get("from") or request.GET.get("from")
    context = _context(game, signed_in(request), trouble, sent, None if since is None else moment(since))
    stage = context["stage"]
    reply = {
        "status": context["status"],
        "at": stage.at if isinstance(stage, Stage) else 0,
        "frames": stage.frames if isinstance(stage, Stage) and game.status != Practice.Status.OVER else [],
        "panel": render_to_string("practice/_panel.html", context, request),
    }
    return JsonResponse(reply, headers={"Cache-Control": "no-store"})


@login_required
@require_POST
def leave_game(request: HttpRequest, number: int) -> HttpResponse:
    game = practice_or_404(number, request)
    act(request, lambda: leave_practice(practice=game, by=signed_in(request)), say("You have left the game."))
    return redirect("play")


@login_required
@require_POST
def retry_game(request: HttpRequest, number: int) -> HttpResponse:
    game = practice_or_404(number, request)
    act(request, lambda: retry(practice=game, by=signed_in(request)), say("The bots are asked again."))
    return redirect("practice", number)


@login_required
@require_POST
def play_once_more(request: HttpRequest, number: int) -> HttpResponse:
    """Begin the same table with another deal, everybody one seat on."""
    game = practice_or_404(number, request)
    try:
        return redirect("practice", play_again(practice=game, by=signed_in(request)).pk)
    except Refused as refused:
        messages.error(request, sentence(refused))
        return (
            redirect("play-begin", game.ladder.slug) if refused.code == "draft_played" else redirect("practice", number)
        )


@login_required
def replay_file(request: HttpRequest, number: int) -> HttpResponse:
    game = practice_or_404(number, request)
    if not game.replay:
        raise Http404(say("Game %(number)s is not over.", number=number))
    name = f"{game.ladder.game}-practice-{number}.json.gz"
    response = HttpResponse(bytes(game.replay), content_type="application/gzip")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@login_required
def practice_film(request: HttpRequest, number: int) -> JsonResponse:
    """Frames of a game that is over, as of a match."""
    game = practice_or_404(number, request)
    if not game.replay:
        raise Http404(say("Game %(number)s is not over.", number=number))
    replay = read_replay(bytes(game.replay))
    eyes = chosen_perspective(eyes_of(replay), request.GET.dict())
    frames = piece(replay, eyes.perspective, moment(request.GET.get("from", "")))
    return JsonResponse(frames, headers={"Cache-Control": "private, max-age=600"})


@login_required
def fork_match(request: HttpRequest) -> HttpResponse:
    """Choose who plays on from `match` and `at`; everybody sits where they sat, until somebody else is chosen."""
    sent = request.POST if request.method == "POST" else request.GET
    match, by = match_or_404(moment(sent.get("match", "")), request.user), signed_in(request)
    start, trouble = moment(sent.get("at", "")), ""
    try:
        replay, ladder = replay_of_match(match, by), ladder_to_continue(match)
    except Refused as refused:
        raise Http404(sentence(refused)) from None
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    places = [
        Place(
            f"seat-{seat.number}",
            say("Seat %(seat)s, %(bot)s", seat=seat.number, bot=seat.version.bot),
            sent.get(f"seat-{seat.number}", f"version-{seat.version_id}"),
        )
        for seat in seats
    ]
    if request.method == "POST":
        try:
            chairs = [seated_player(place.chosen, by) for place in places]
            return redirect("practice", fork_practice(by=by, match=match, moment=start, seats=chairs).pk)
        except Refused as refused:
            trouble = sentence(refused)
    context = {
        "match": match,
        "at": min(start, len(replay.answers)),
        "typed_at": request.POST.get("at", min(start, len(replay.answers))),
        "last": len(replay.answers),
        "places": places,
        "kinds": seat_kinds(ladder, by, list({seat.version_id: seat.version for seat in seats}.values())),
        "trouble": trouble,
    }
    return render(request, "practice/fork.html", context, status=422 if trouble else 200)
