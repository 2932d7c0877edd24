"""What one may ask about: matches and practice games that are over, and the seats there that are one's own."""

from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import Http404

from engine.games import GAMES
from engine.replay import Replay, read_replay
from tournaments.core.accounts.permissions import evidence_seen
from tournaments.core.accounts.spaces import open_to
from tournaments.core.errors import Refused
from tournaments.features.practice.seats import at_tables_of, person_seat
from tournaments.models import Match, Practice, Suggestion, User
from tournaments.web.pages.lookup import replay_or_404
from tournaments.web.pages.sentences import say
from workers.suggestion_orders import has_field

OTHER_RULES = "it was played under version %(rules)s of the rules, which this release no longer plays"


@dataclass(frozen=True, slots=True)
class Recording:
    """A match or a practice game that is over, and the seats of whoever looks at it."""

    of: Match | Practice
    replay: Replay
    seats: frozenset[int]

    @property
    def rows(self) -> QuerySet[Suggestion]:
        """Return what was asked of these seats."""
        return self.of.suggestions.filter(seat__in=self.seats).order_by("at")

    def check(self) -> None:
        """Raises Refused: wrong_game, other_rules."""
        if not has_field(self.replay.game):
            raise Refused(
                "wrong_game", "no bots of the house play %(game)s, so nobody can try it", game=self.replay.game
            )
        if self.replay.rules != GAMES[self.replay.game].version:
            raise Refused("other_rules", OTHER_RULES, rules=self.replay.rules)


def own_match(number: int, by: User) -> Recording:
    """Return a match with the seats whose evidence the person sees. Raises Http404 if there are none."""
    match, replay = replay_or_404(by, number)
    seats = evidence_seen(by, match, match.seats.all())
    if not seats:
        raise Http404(say("No seat of match %(number)s is yours.", number=number))
    return Recording(match, replay, frozenset(seat.number for seat in seats))


def own_game(number: int, by: User) -> Recording:
    """Return a practice game that is over, with the person's own seat. Raises Http404 if there is none."""
    own = Practice.objects.filter(at_tables_of(by), open_to(by, "ladder__space"), status=Practice.Status.OVER)
    game = own.select_related("ladder").filter(pk=number, replay__isnull=False).first()
    seat = person_seat(game, by) if game else None
    if game is None or seat is None:
        raise Http404(say("There is no game %(number)s of yours.", number=number))
    return Recording(game, read_replay(bytes(game.replay or b"")), frozenset({seat}))
