"""A match: its seats, its set, its log, and all that is needed to check it."""

from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from bots.viewer.stories import Story
from engine.replay import Replay, ReplayError, read_replay
from tournaments.core.accounts.permissions import evidence_seen, may_see, team_ids_of
from tournaments.core.broker.available_workers import outdated
from tournaments.features.luck.pages import luck_value_for
from tournaments.ledger.ladders.rating_ledger import sets_in_order
from tournaments.ledger.matchmaking.seed_chains import open_before
from tournaments.models import FaultEvidence, Match, MatchSet, Seat
from tournaments.ratings.luck import SeatLuck, luck_report
from tournaments.web.pages.decisive_moment import LostMatch, lost_match, opened_at
from tournaments.web.pages.fault_evidence import Evidence, fault_decisions
from tournaments.web.pages.kept_parts import Context, KeptParts, last_act
from tournaments.web.pages.link_preview import preview_of_link
from tournaments.web.pages.live import show_match
from tournaments.web.pages.lookup import match_or_404, seats_or_404
from tournaments.web.pages.match_lists import Row, by_place, match_after
from tournaments.web.pages.match_notes import match_notes
from tournaments.web.pages.replay_viewer import Viewer, viewer_of_replay
from tournaments.web.pages.sentences import in_page_language, say
from tournaments.web.pages.timings import Timing, timing
from tournaments.web.pages.verify_replay import verify_command


@dataclass(frozen=True, slots=True)
class Luck:
    seat: Seat
    beside: SeatLuck


@dataclass(frozen=True, slots=True)
class Step:
    """What the set did to a bot's rating."""

    bot: str
    elo: float  # after it
    delta: float


@dataclass(frozen=True, slots=True)
class Played:
    """What the replay holds; without a viewer, `trouble` says why it cannot be played here."""

    replay: Replay
    timings: list[Timing]
    viewer: Viewer | None = None
    trouble: str = ""
    luck_at: str = ""  # the address of the luck of its dice
    lost: LostMatch | None = None
    story: Story | None = None


def match(request: HttpRequest, number: int) -> HttpResponse:
    """Scores at once; replay, log and seed when the whole set is over, and then evidence to the owners of its bots."""
    user, teams, seats = request.user, team_ids_of(request.user), seats_or_404(number, request.user)
    mine = {seat.pk for seat in seats if may_see(user, seat.version.bot, teams)}
    shown = {seat.pk for seat in evidence_seen(user, seats[0].match, seats, teams)}
    key = number, seats[0].match.set.status, sorted(mine), sorted(shown), last_act()
    if seats[0].match.set.checks_id and not mine:
        raise Http404(say("There is no match %(number)s.", number=number))
    parts = KeptParts(key, lambda: match_parts(match_or_404(number, user), mine, shown, request.GET.dict()))
    return render(request, "match.html", {"match": seats[0].match, "parts": parts})


def match_parts(match: Match, mine: set[int], shown: set[int], query: dict[str, str]) -> Context:
    """Return what all see of a match who run the bots at the same seats and see the evidence of the same."""
    seats = by_place(match)
    revealed = [seat for seat in seats if seat.pk in shown]
    over = match.set.status != MatchSet.Status.OPEN
    evidence = [Evidence.of(fault) for fault in faults_of_seats(revealed)] if revealed else []
    has_replay = over and hasattr(match, "result") and match.result.replay
    tells = played_match(match, seats, query) if has_replay else None
    viewer, story = tells and tells.viewer, tells and tells.story
    result = result_in_words(match, seats)
    sealed = open_before(match.set) if match.set.chain else 0
    is_rated = match.set.status == MatchSet.Status.COMPLETE and not (match.set.checks_id or match.set.rechecks_id)
    return {
        "match": match,
        "description": f"{story.headline} {result}" if story else result,
        "title": f"{story.headline} · " if story else "",
        "story": story,
        "seats": seats,
        "mine": mine,
        "shown": revealed,
        "evidence": evidence,
        "sisters": [Row(sister, by_place(sister)) for sister in sisters_of(match)],
        "steps": rating_steps_of(match),
        "luck": luck_of_seats(match, seats) if is_rated else [],
        "over": over,
        "showing": None if over else show_match(match),
        "waits_for_rules": not over and outdated().filter(pk=match.set_id).exists(),
        "open_before": sealed,
        "verify_command": verify_command(match, with_proof=match.set.chain is not None and not sealed),
        "played": tells,
        "viewer": viewer,
        "luck_at": tells and tells.luck_at,
        "lost": tells and tells.lost,
        "decisions": fault_decisions(viewer, evidence) if viewer else [],
        "notes": match_notes(viewer, revealed, query) if viewer and revealed else None,
        "share": preview_of_link(match, story, viewer, query) if story and viewer else None,
        "attempts": match.attempts.order_by("lease") if mine else [],
    }


def result_in_words(match: Match, seats: list[Seat]) -> str:
    """Return the bots with their scores, for previews of links."""
    return ", ".join(
        f"{seat.version.bot}{f' v{seat.version.number}' if match.set.trial_id else ''}"
        f"{'' if seat.score is None else f' {seat.score}'}"
        for seat in seats
    )


def sisters_of(match: Match) -> QuerySet[Match]:
    return match.set.matches.prefetch_related("seats__version__bot").order_by("turn")


def rating_steps_of(match: Match) -> list[Step]:
    steps = match.set.steps.select_related("version__bot").order_by("-delta")
    return [Step(step.version.bot.name, step.elo_classic, step.delta / 1000) for step in steps]


def luck_of_seats(match: Match, seats: list[Seat]) -> list[Luck]:
    """Return each seat's score beside what the same deal gave others there."""
    (played,) = sets_in_order(MatchSet.objects.filter(pk=match.set_id))
    turns = list(match.set.matches.order_by("pk").values_list("pk", flat=True))
    besides = luck_report(played)[turns.index(match.pk)]
    by_number = {seat.number: seat for seat in seats}
    return [Luck(by_number[beside.seat], beside) for beside in besides]


def faults_of_seats(seats: list[Seat]) -> QuerySet[FaultEvidence]:
    return FaultEvidence.objects.filter(seat__in=seats).select_related("seat__version__bot").order_by("pk")


def played_match(match: Match, seats: list[Seat], query: dict[str, str]) -> Played:
    replay = read_replay(bytes(match.result.replay))
    by_number = {seat.number: seat for seat in seats}
    timings = [timing(replay, by_number[number]) for number in sorted(by_number)]
    try:
        lost = lost_match(match.pk, replay, query)
        viewer = viewer_of_replay(match.pk, replay, opened_at(lost, query))
        told, following = luck_value_for(replay.game, match.set.ladder), match_after(match)
        viewer = viewer.leading_on(reverse("match", args=[following]) if following else "")
        story = viewer.finale.story
        return Played(replay, timings, viewer, luck_at=luck_page(viewer) if told else "", lost=lost, story=story)
    except ReplayError as error:  # of rules that this engine no longer plays
        return Played(replay, timings, trouble=in_page_language(error.detail))


def luck_page(viewer: Viewer) -> str:
    return f"{reverse('match-luck', args=[viewer.match])}?at={viewer.at}&as={viewer.eyes.key}"
