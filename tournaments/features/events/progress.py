"""An event's progress as a viewer may see it: the plan by public results, with names and matches.

Unreleased results change nothing here: the plan is made as if they did not exist.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from django.contrib.auth.models import AnonymousUser

from bots.formats.model import Pairing, Plan, Row, SetResult
from tournaments.core.accounts.spaces import runs
from tournaments.core.accounts.visibility import seen_by
from tournaments.features.events.plan import plan_of, results_by_pairing
from tournaments.models import Entrant, Event, Match, MatchSet, User


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A line of a table of standings; `rank` is None for who has played nothing that counts, or is disqualified."""

    entrant: Entrant
    row: Row
    rank: int | None


@dataclass(frozen=True, slots=True)
class StageStandings:
    stage: str
    title: str
    lines: list[StandingsRow]

    @property
    def spares(self) -> bool:
        """Return whether somebody had a bye or a cancelled set."""
        return any(line.row.spared for line in self.lines)


@dataclass(frozen=True, slots=True)
class PlayedSet:
    """A set, as far as the viewer may see it."""

    pairing: Pairing
    status: str
    matches: list[int]


@dataclass(frozen=True, slots=True)
class TableSeat:
    """An entrant at a board, and its points there so far; none before the first set is over."""

    entrant: Entrant
    points: float | None


@dataclass(frozen=True, slots=True)
class RoundTable:
    """Some entrants at one table, for one set or several of a round; `title` names its group or division."""

    stage: str
    title: str
    number: int
    chairs: list[TableSeat]
    sets: list[PlayedSet]


@dataclass(frozen=True, slots=True)
class RoundByes:
    """Who has no table in a round, of one group or division, or of all."""

    title: str
    entrants: list[Entrant]


@dataclass(frozen=True, slots=True)
class EventRound:
    number: int
    boards: list[RoundTable]
    byes: list[RoundByes]


class EventProgress:
    """The progress of a started event. A constant number of queries."""

    def __init__(self, event: Event, viewer: User | AnonymousUser | None) -> None:
        self.event, self.viewer = event, viewer
        self.last_round = None if runs(viewer, event.ladder.space_id) else event.released

    @cached_property
    def plan(self) -> Plan:
        return plan_of(self.event, self.last_round)

    @cached_property
    def results(self) -> dict[str, SetResult]:
        return results_by_pairing(self.event, self.last_round)

    @cached_property
    def entrants(self) -> Mapping[int, Entrant]:
        """Return the entrants by bot, as the plan names them."""
        entrants = self.event.entrants.select_related("bot__owner", "version")
        return {entrant.bot_id: entrant for entrant in entrants}

    @cached_property
    def standings(self) -> list[StageStandings]:
        return [
            StageStandings(table.stage, table.title, [self._line(row) for row in table.rows])
            for table in self.plan.stages
        ]

    def _line(self, row: Row) -> StandingsRow:
        entrant = self.entrants[row.entrant]
        status = entrant.status
        unplayed = not row.sets and (status != Entrant.Status.PLAYING or not self.plan.done)
        return StandingsRow(entrant, row, None if unplayed or status == Entrant.Status.DISQUALIFIED else row.rank)

    @cached_property
    def winners(self) -> list[Entrant]:
        return [self.entrants[entrant] for entrant in self.plan.winners]

    @cached_property
    def sets(self) -> list[PlayedSet]:
        matches: dict[str, list[int]] = {}
        seen = Match.objects.filter(seen_by(self.viewer), set__event=self.event).order_by("set", "turn")
        seen = seen.exclude(set__status=MatchSet.Status.VOID)
        for pairing, match in seen.values_list("set__pairing", "pk"):
            matches.setdefault(pairing, []).append(match)
        return [
            PlayedSet(pairing, self._status(pairing), matches.get(pairing.key, [])) for pairing in self.plan.pairings
        ]

    def _status(self, pairing: Pairing) -> str:
        result = self.results.get(pairing.key)
        if result is None:
            return str(MatchSet.Status.OPEN)
        return str(MatchSet.Status.CANCELLED if result.void else MatchSet.Status.COMPLETE)

    @cached_property
    def rounds(self) -> list[EventRound]:
        by_round = sorted(self.sets, key=lambda played: self._board(played.pairing))
        return [
            EventRound(number, list(self._boards(list(sets))), self._byes(number))
            for number, sets in groupby(by_round, key=lambda played: played.pairing.round)
        ]

    def _byes(self, number: int) -> list[RoundByes]:
        byes: dict[str, list[Entrant]] = {}
        for bye in self.plan.byes:
            if bye.round == number:
                byes.setdefault(bye.stage, []).append(self.entrants[bye.entrant])
        return [RoundByes(self.plan.parts.get(stage, ""), entrants) for stage, entrants in byes.items()]

    def _boards(self, sets: list[PlayedSet]) -> Iterator[RoundTable]:
        for (*_, stage, table), group in groupby(sets, key=lambda played: self._board(played.pairing)):
            played = list(group)
            yield RoundTable(stage, self.plan.parts.get(stage, ""), table, self._chairs(played), played)

    def _board(self, pairing: Pairing) -> tuple[int, int, str, int]:
        """Return what boards are ordered by: groups in the order of their numbers."""
        return pairing.round, self._order.get(pairing.stage, 0), pairing.stage, pairing.table

    @cached_property
    def _order(self) -> dict[str, int]:
        return {stage: number for number, stage in enumerate(self.plan.parts)}

    def _chairs(self, sets: list[PlayedSet]) -> list[TableSeat]:
        results = [self.results[played.pairing.key] for played in sets if played.status == MatchSet.Status.COMPLETE]
        seated = sets[0].pairing.entrants
        if not results:
            return [TableSeat(self.entrants[entrant], None) for entrant in seated]
        points = {entrant: sum(_share(result, entrant) for result in results) for entrant in seated}
        best_first = sorted(seated, key=lambda entrant: -points[entrant])
        return [TableSeat(self.entrants[entrant], points[entrant]) for entrant in best_first]


def _share(result: SetResult, entrant: int) -> float:
    """Return an entrant's points: the share of the opponents that it has beaten in the set."""
    seat, opponents = result.entrants.index(entrant), len(result.entrants) - 1
    beaten = sum(result.beaten(seat, opponent) for opponent in range(opponents + 1) if opponent != seat)
    return beaten / (2 * len(result.games) * opponents)
