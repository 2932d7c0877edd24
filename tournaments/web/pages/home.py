"""The front page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.db.models import Count, F, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from engine.games import GAMES
from tournaments.core.accounts.permissions import run_by
from tournaments.core.accounts.spaces import listed_for, open_to
from tournaments.core.accounts.visibility import events_listed_for
from tournaments.core.config.game_titles import title_of_game
from tournaments.ledger.statistics.upsets import GAP, SETS, latest_upsets
from tournaments.models import Bot, Entry, Event, Ladder, Match, MatchSet, Rating, User, Version
from tournaments.web.pages import match_lists
from tournaments.web.pages.announcements import announcements
from tournaments.web.pages.kept_parts import Context, KeptParts, last_act
from tournaments.web.pages.live import being_played, choose_live_match, matches_under_way
from tournaments.web.pages.people import Entered, bots_with_places

CURRENT = (Event.Status.REGISTRATION, Event.Status.RUNNING)
EVENTS = 6  # the latest of them
TRIED = 3  # matches under way, of which one that is public is shown


@dataclass(frozen=True, slots=True)
class Card:
    """A ladder at a glance."""

    ladder: Ladder
    leader: Rating | None
    bots: int
    sets: int
    playing: int  # matches with a worker right now


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game, and its ladders at a glance."""

    name: str
    title: str
    cards: Sequence[Card]

    @property
    def named(self) -> Ladder | None:
        """Return the only ladder of the game, if it has the game's title."""
        ladders = [card.ladder for card in self.cards]
        return ladders[0] if len(ladders) == 1 and ladders[0].title == self.title else None


def home(request: HttpRequest) -> HttpResponse:
    """The board of a match, ladders with their leaders, the latest results, how to take part, and one's own bots."""
    mine = own_bots(request.user) if isinstance(request.user, User) else []
    return render(request, "home.html", {"mine": mine, "parts": KeptParts((last_act(),), home_parts)})


def own_bots(user: User) -> list[tuple[Bot, list[Entered]]]:
    """Return the bots that a user runs, each with its newest version, and its places."""
    newest = Version.objects.order_by("bot", "-number").distinct("bot").defer("report")
    bots = Bot.objects.filter(run_by(user), open_to(user)).order_by("name", "pk")
    return bots_with_places(list(bots.prefetch_related(Prefetch("versions", newest))))


def home_parts() -> Context:
    """Return what everybody sees."""
    ladders = ladder_cards()
    return {
        "announcements": announcements(None),
        "showing": choose_live_match(list(matches_under_way(None)[:TRIED]), None, 0),
        "cards": ladders,
        "games": game_cards(ladders),
        "playing": sum(card.playing for card in ladders),
        "gap": GAP,
        "looked": SETS,
        "events": current_events(),
        "upsets": latest_upsets(),
        "latest": match_lists.page_of_matches(match_lists.listed_matches(None).filter(match_lists.NO_TRIALS), length=8),
        "first_bot": first_bot(),
        "samples_coming": settings.SAMPLES_COMING,
    }


def current_events() -> QuerySet[Event]:
    current = Event.objects.filter(events_listed_for(None), status__in=CURRENT)
    return current.select_related("ladder").order_by("-pk")[:EVENTS]


def game_cards(cards: Sequence[Card]) -> list[GameCard]:
    """Return all games with their ladders, those that have some first."""
    ladders = {game: [card for card in cards if card.ladder.game == game] for game in GAMES}
    games = sorted(ladders, key=lambda game: not ladders[game])
    return [GameCard(game, title_of_game(game), ladders[game]) for game in games]


def ladder_cards() -> Sequence[Card]:
    """Open ladders first. Two queries, however many there are."""
    best = Rating.objects.filter(
        Q(version__status=Version.Status.ACTIVE, version__bot__entries__pinned=None)
        | Q(version=F("version__bot__entries__pinned")),
        ladder=OuterRef("pk"),
        elo__isnull=False,
        version__bot__entries__ladder=OuterRef("pk"),
        version__bot__entries__status=Entry.Status.PLAYING,
    ).order_by("-elo", "id")
    now = Match.objects.filter(match_lists.COUNTED, being_played())
    playing = now.filter(set__ladder=OuterRef("pk")).values("set__ladder")
    rated = MatchSet.objects.filter(ladder=OuterRef("pk"), rated=True).order_by("-ended_at")
    sets = MatchSet.objects.filter(ladder=OuterRef("pk"), number__isnull=False).order_by(
        "-number"
    )  # numbered without gaps
    ladders = (
        Ladder.objects.filter(listed_for(None))
        .annotate(
            leader=Subquery(best.values("pk")[:1]),
            bots=Count("entries", filter=Q(entries__status=Entry.Status.PLAYING)),
            sets_begun=Coalesce(Subquery(sets.values("number")[:1]), 0),
            latest=Subquery(rated.values("pk")[:1]),
            playing=Coalesce(Subquery(playing.annotate(n=Count("pk")).values("n")), 0),
        )
        .order_by("pk")
    )
    found = sorted(ladders, key=lambda ladder: list(Ladder.Status).index(Ladder.Status(ladder.status)))
    leaders = Rating.objects.select_related("version__bot").in_bulk(
        [ladder.leader for ladder in found if ladder.leader]
    )
    return [Card(at, leaders.get(at.leader) if at.latest else None, at.bots, at.sets_begun, at.playing) for at in found]


@cache
def first_bot() -> str:
    """The complete bot that `docs/write-a-bot.md` begins with."""
    page = settings.ROOT / "docs" / "write-a-bot.md"
    text = page.read_text() if page.is_file() else ""
    found = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    return found[1].rstrip() if found else ""
