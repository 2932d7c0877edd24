"""Formats made of others: groups that lead to a second stage, and leagues of divisions."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import count, pairwise

from bots.formats.model import Table
from bots.formats.points import PointsStage
from bots.formats.rematch_swaps import swap_across_tables
from bots.formats.runner import Draw, EventRun, Stage
from bots.formats.schedule_length import divisions
from bots.formats.seating import cut, even, snaked
from bots.formats.settings import Groups, League, RoundRobin, Swiss
from bots.formats.table_rows import placed
from engine.sentences import Sentence

Maker = Callable[[Sequence[int]], Stage]
PointsMaker = Callable[[EventRun, RoundRobin | Swiss, str, Sequence[int]], PointsStage]


def in_step(stages: Sequence[Stage]) -> Iterator[Draw]:
    """Side by side: the n-th rounds of all are one round."""
    running = [stage.draws() for stage in stages]
    while draws := [draw for stage in running if (draw := next(stage, None)) is not None]:
        heats = [heat for draw in draws for heat in draw.heats]
        yield Draw(heats, [bye for draw in draws for bye in draw.byes], sets=draws[0].sets)


class GroupsStage:
    def __init__(self, event: EventRun, spec: Groups, field: Sequence[int], first: PointsMaker, second: Maker) -> None:
        self.event, self.spec, self.field, self.make_second = event, spec, list(field), second
        self.groups: list[PointsStage] = []
        self.second: Stage | None = None
        for number, members in enumerate(self._dealt(), 1):
            group = first(event, spec.first, f"group-{number}", members)
            group.title = Sentence("Group %(number)s", number=number) if spec.groups > 1 else Sentence("First stage")
            group.places, group.goal, group.counts_leavers = spec.qualify, Sentence("the next stage"), False
            if spec.groups > 1:
                event.parts[group.name] = group.title
            self.groups.append(group)

    def _dealt(self) -> list[list[int]]:
        """Return the groups, dealt from the seeding back and forth; those of one owner change groups with others of
        their turn."""
        groups = snaked(self.field, even(len(self.field), self.spec.groups))
        if self.spec.first.owners_apart and self.spec.first.edition > 1:
            level = {entrant: turn for group in groups for turn, entrant in enumerate(group)}
            swap_across_tables(
                groups,
                lambda first, second: int(self.event.owners_clash(first, second)),
                reach=len(groups),
                may_swap=lambda first, second: level[first] == level[second],
            )
        return groups

    def draws(self) -> Iterator[Draw]:
        yield from in_step(self.groups)
        qualified = self._qualified()
        for group in self.groups:
            group.reached = qualified
        self.second = self.make_second(qualified)
        yield from self.second.draws()

    def _qualified(self) -> list[int]:
        """The best of each group who go on, all winners first: that is how the second stage seeds them."""
        best = [self.event.staying(group.ranking())[: self.spec.qualify] for group in self.groups]
        return self._by_place([(group, ranking) for group, ranking in zip(self.groups, best, strict=True)])

    def _by_place(self, rankings: list[tuple[PointsStage, list[int]]]) -> list[int]:
        """Return the entrants by the place in the group, then by points a set, then by seed."""
        seed = {entrant: place for place, entrant in enumerate(self.field)}
        lines = [
            (place, -_mean(group, entrant), seed[entrant], entrant)
            for group, ranking in rankings
            for place, entrant in enumerate(ranking)
        ]
        return [entrant for *_, entrant in sorted(lines)]

    def ranking(self) -> list[int]:
        first = self._by_place([(group, placed(self.event, group.ranking(), group.played)) for group in self.groups])
        best = placed(self.event, self.second.ranking(), self.event.tables["final"]) if self.second else []
        return best + [entrant for entrant in first if entrant not in best]

    def tables(self) -> list[Table]:
        stages = [*([self.second] if self.second else []), *self.groups]
        return [table for stage in stages for table in stage.tables()]


def _mean(stage: PointsStage, entrant: int) -> Fraction:
    return Fraction(stage.played.points[entrant], max(1, stage.played.sets[entrant]))


class LeagueStage:
    def __init__(self, event: EventRun, spec: League, field: Sequence[int], make: PointsMaker) -> None:
        self.event, self.spec, self.field, self.make = event, spec, list(field), make
        self.divisions: list[PointsStage] = []
        self.gone: list[int] = []

    def draws(self) -> Iterator[Draw]:
        order = self.event.staying(self.field)
        for season in range(1, self.spec.seasons + 1):
            cuts = divisions(len(order), self.spec)
            if not cuts:
                return
            self.divisions = [
                self._division(season, *division) for division in zip(count(1), cut(order, cuts), strict=False)
            ]
            yield from in_step(self.divisions)
            order = self._moved()

    def _division(self, season: int, number: int, members: list[int]) -> PointsStage:
        division = self.make(self.event, self.spec.season, f"season-{season}-division-{number}", members)
        division.title = Sentence("Season %(season)s, division %(number)s", season=season, number=number)
        self.event.parts[division.name] = division.title
        if number > 1:
            division.places, division.counts_leavers = promotions(len(members), self.spec), False
        return division

    def _moved(self) -> list[int]:
        """Return those who stay, in the order of the next season's divisions, with promotions and relegations."""
        tables = [self.event.staying(division.ranking()) for division in self.divisions]
        swaps = [min(promotions(len(table), self.spec) for table in pair) for pair in pairwise(tables)]
        borders = [0, *swaps, 0]
        moved = []
        for number, table in enumerate(tables):
            up, down = borders[number], borders[number + 1]
            kept = table[up : len(table) - down]
            risen = tables[number + 1][:down] if down else []
            fallen = tables[number - 1][len(tables[number - 1]) - up :] if up else []
            moved += [*fallen, *kept, *risen]
        return moved

    def ranking(self) -> list[int]:
        """Division by division, as of the present season; who has left before it comes last."""
        standing = [e for division in self.divisions for e in placed(self.event, division.ranking(), division.played)]
        return standing + [entrant for entrant in self.field if entrant not in standing]

    def tables(self) -> list[Table]:
        return [table for division in self.divisions for table in division.tables()]


def promotions(size: int, spec: League) -> int:
    """How many of a division go up, and as many down."""
    return min(spec.moves or -(-size // 6), size // 2)
