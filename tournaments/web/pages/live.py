"""The live channel: the most interesting match under way, then the next one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Avg, Exists, F, OuterRef, Prefetch, Q, QuerySet, prefetch_related_objects
from django.db.models.functions import Round
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe

from bots.viewer.film_markup import asked
from bots.viewer.posters import pitch_of
from engine.games import GAMES
from tournaments.core.accounts.spaces import listed_for
from tournaments.core.accounts.visibility import released_to
from tournaments.core.config.game_titles import title_of_game
from tournaments.models import Attempt, Bot, Ladder, Match, Seat
from tournaments.web.live.snapshot import Still, still_of
from tournaments.web.pages.kept_parts import Context, KeptParts
from tournaments.web.pages.lookup import ladder_or_404
from tournaments.web.pages.match_lists import NO_TRIALS
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.sentences import say
from tournaments.web.pages.stream_urls import NEWEST

LISTED = 20  # matches under way
SEATS = Prefetch("seats", Seat.objects.select_related("version__bot").order_by("number"))
NOW, LATELY = "now", "lately"
PART_ID = re.compile(r' id="part-[^"]*"')


@dataclass(frozen=True, slots=True)
class Standing:
    seat: int
    name: str
    worth: float
    width: float  # of its bar, in hundredths
    bot: Bot | None  # that sits there


@dataclass(frozen=True, slots=True)
class Showing:
    """A match on the screen, and whether it is played now or was lately."""

    match: Match
    when: str
    still: Still

    @property
    def picture(self) -> SafeString:
        return mark_safe(self.still.picture.svg())  # noqa: S308 - what bots and people wrote, `picture.text` has escaped

    @property
    def nameless_picture(self) -> SafeString:
        """Return the picture for a page with several of them: an id may occur once in a page."""
        return mark_safe(PART_ID.sub("", self.picture))  # noqa: S308 - as the picture

    @property
    def standings(self) -> list[Standing]:
        most = max(*self.still.worth, 1.0)
        bots = {seat.number: seat.version.bot for seat in self.match.seats.all()}
        named = enumerate(zip(self.still.names, self.still.worth, strict=True))
        return [
            Standing(seat, name, worth, round(max(0.0, 100 * worth / most), 1), bots.get(seat))
            for seat, (name, worth) in named
        ]

    @property
    def title(self) -> str:
        return title_of_game(self.match.set.game)

    @property
    def pitch(self) -> str:
        return pitch_of(self.match.set.game)

    @property
    def asked(self) -> str:
        return asked(self.still.names, self.still.to_answer)

    @property
    def told(self) -> str:
        """Return what has just happened, and of a match that is over who has won."""
        return self.still.sentence if self.still.to_answer else self.lead

    @property
    def lead(self) -> str:
        """Return who is ahead, in words; of a match that is over how it ended."""
        if not self.still.to_answer:
            won = [self.still.names[seat.number] for seat in self.match.seats.all() if seat.place == 1]
            if len(won) == 1:
                return say("%(name)s wins.", name=won[0])
            if won:
                return say("%(names)s share the win.", names=say(" and ").join(won))
            return self.still.sentence or say("The match is over")  # its result is not recorded yet
        best = max(self.still.worth)
        first = [name for name, worth in zip(self.still.names, self.still.worth, strict=True) if worth == best]
        return say("%(name)s leads.", name=first[0]) if len(first) == 1 else say("Nobody leads alone.")


def live(request: HttpRequest) -> HttpResponse:
    """`?ladder=SLUG` keeps to a ladder; `?after=N` goes on after match N."""
    slug, after = request.GET.get("ladder", ""), whole(request.GET.get("after")) or 0
    ladder = ladder_or_404(slug, request.user) if slug else None
    parts = KeptParts((ladder and ladder.pk, after), lambda: live_parts(ladder, after))
    return render(request, "live.html", {"ladder": ladder, "parts": parts})


def live_parts(ladder: Ladder | None, after: int) -> Context:
    """Return what all see who see the ladder."""
    playing = list(matches_under_way(ladder)[:LISTED])
    return {
        "ladder": ladder,
        "ladders": shown_ladders(),
        "playing": [(match, match.seats.all()) for match in playing],
        "showing": choose_live_match(playing, ladder, after),
    }


def shown_ladders() -> QuerySet[Ladder]:
    """That can be watched: those of boards, which play."""
    found = Ladder.objects.filter(listed_for(None), game__in=GAMES)
    return found.exclude(status=Ladder.Status.CLOSED).order_by("title")


def choose_live_match(playing: Sequence[Match], ladder: Ladder | None, after: int) -> Showing | None:
    """The next match to show after the match of that number."""
    fresh = [match for match in playing if match.pk > after] or [match for match in playing if match.pk != after]
    for match in fresh:
        if shown := show_match(match, NOW):
            return shown
    lately = list(matches_played(ladder)[:NEWEST])
    newer = [match for match in lately if match.pk > after]
    for match in newer or lately:
        if shown := show_match(match, LATELY):
            return shown
    return None


def show_match(match: Match, when: str = NOW) -> Showing | None:
    """Return the match as it is shown; None for a match that is not public."""
    still = still_of(match.pk)
    prefetch_related_objects([match], SEATS)
    return Showing(match, when, still) if still else None


def visible(ladder: Ladder | None) -> QuerySet[Match]:
    shown = released_to(None, "set__") & (Q(set__ladder=ladder) if ladder else listed_for(None, "set__space"))
    of_ladders = Match.objects.filter(NO_TRIALS, set__checks=None, set__ladder__isnull=False)
    wanted = of_ladders.filter(shown, set__game__in=list(GAMES))
    return wanted.select_related("set__ladder", "set__event").defer("set__seed").prefetch_related(SEATS)


def being_played() -> Q:
    """Return the condition that a worker plays a match now: it takes more than it plays at once."""
    begun = Attempt.objects.filter(match=OuterRef("pk"), lease=OuterRef("lease"), outcome=Attempt.Outcome.PLAYING)
    return Q(Exists(begun), status=Match.Status.LEASED)


def matches_under_way(ladder: Ladder | None) -> QuerySet[Match]:
    """Return the matches that are with a worker now: events first, then the best bots."""
    in_its_ladder = Q(seats__version__ratings__ladder=F("set__ladder"))
    strength = Round(Avg("seats__version__ratings__elo", filter=in_its_ladder))  # alike for all matches of a set
    now = visible(ladder).filter(being_played())
    return now.annotate(strength=strength).order_by(
        F("set__event").asc(nulls_last=True), F("strength").desc(nulls_last=True), "pk"
    )


def matches_played(ladder: Ladder | None) -> QuerySet[Match]:
    return visible(ladder).filter(status=Match.Status.DONE).order_by("-result__recorded_at")
