"""The figures of a ladder that `dispatch.wait_bound` needs."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from statistics import fmean, median

from tournaments.core.accounts.sides import Sides
from tournaments.core.broker.available_workers import AvailableWorkers, Players, players_for, workers_heard_of
from tournaments.ledger.dispatch import wait_bound
from tournaments.ledger.dispatch.fair_share import HALF, part_of_workers
from tournaments.ledger.dispatch.match_durations import LONG, site_lately
from tournaments.ledger.dispatch.open_sets import not_begun
from tournaments.ledger.dispatch.waiting_sets import PACES
from tournaments.ledger.ladders.standings import active_versions
from tournaments.ledger.matchmaking.candidates import sets_under_way
from tournaments.ledger.matchmaking.ladder_sets import FEWEST_AHEAD
from tournaments.models import Entry, Event, Ladder, Match, MatchSet, Space, Version

LATELY = 50  # results of a ladder
RUNNING = Event.Status.RUNNING
MANY = 1000  # sets that wait are counted up to here


@dataclass(frozen=True, slots=True)
class Member:
    """A bot that plays in a ladder, and its place in the line."""

    entry: Entry
    version: Version
    place: wait_bound.BotFigures


def workers_for(need: str, space: Space | None = None) -> Players:
    """How many online workers offer it, to the site or to a space."""
    players = players_for(AvailableWorkers.here(), [need], space)
    return workers_heard_of(space) if players is None else players


def line_of(ladder: Ladder) -> list[tuple[Entry, Version]]:
    """Return all bots that play there, the longest waiting first."""
    versions = {version.bot_id: version for version in active_versions(ladder)}
    playing = ladder.entries.filter(status=Entry.Status.PLAYING, bot__in=versions).select_related("bot")
    line = sorted(playing, key=lambda entry: (entry.paired_at or entry.entered_at, entry.pk))
    return [(entry, versions[entry.bot_id]) for entry in line]


def owners_in(line: Collection[tuple[Entry, Version]]) -> int:
    """How many there are, those of one side counted once."""
    sides = Sides()
    return len({sides.of(entry.bot.owner_id) for entry, _ in line})


def line_members(ladder: Ladder, line: Collection[tuple[Entry, Version]], workers: Players) -> Iterator[Member]:
    """Yield all members of the line, with their places."""
    seats, dealt, siblings, slower = min(ladder.sizes), sets_under_way(ladder), Counter[int](), 0
    PACES.learn([version.pk for _, version in line])
    slow = PACES.slow([version.pk for _, version in line], seats)
    sides = Sides()
    turns = max(1.0, 4 / seats) / _pace(_long(workers), parts_of_workers(ladder.space_id), own_lines(ladder))
    for ahead, (entry, version) in enumerate(line):
        side = sides.of(entry.bot.owner_id)
        before = siblings[side] if ladder.owners_apart else 0
        place = wait_bound.BotFigures(ahead, before, dealt=version.pk in dealt)
        siblings[side] += 1
        if version.pk in slow:
            slower += 1
            place = replace(
                place, long_sets=1 + slower * turns, long_seconds=max(site_lately(), default=0.0) * max(ladder.sizes)
            )
        yield Member(entry, version, place)


def wait_figures(ladder: Ladder, line: Collection[tuple[Entry, Version]], players: Players) -> wait_bound.LadderFigures:
    """The figures for those bots that so many workers can play."""
    workers = sum(players)
    lines, quick = lines_and_workers(ladder, Players(*(count - count // HALF for count in players)))
    seconds = _lately(ladder) or [
        ladder.clock.bank_ms / 1000 * ladder.seats
    ]  # before the first match: what the banks hold
    usual = max(_mean(seconds, workers), _mean(site_lately() or seconds, workers))
    return wait_bound.LadderFigures(
        seats=min(ladder.sizes),
        pace=ladder.pace_seconds,
        due=_due(ladder, [version.pk for _, version in line]),
        waiting=not_begun().filter(line=f"ladder {ladder.pk}").values("pk")[:MANY].count(),
        lines=lines,
        workers=quick,
        set_seconds=usual * max(ladder.sizes),
        longest=max(seconds) if workers > 1 else max(site_lately() or seconds) * max(ladder.sizes),
    )


def _mean(seconds: list[float], workers: int) -> float:
    """Return the mean duration, with several workers without long sets, which have workers of their own."""
    most = LONG * median(seconds)
    return fmean(seconds if workers == 1 else [duration for duration in seconds if duration <= most])


def _lately(ladder: Ladder) -> list[float]:
    matches = Match.objects.filter(set__ladder=ladder, set__number__isnull=False, result__isnull=False)
    return list(matches.order_by("-set__number").values_list("result__seconds", flat=True)[:LATELY])


def _due(ladder: Ladder, versions: Collection[int]) -> float:
    """How many sets are still to be made at full speed."""
    played = Counter(dict(ladder.ratings.values_list("version", "sets"))) + Counter(sets_under_way(ladder))
    return sum(max(0, ladder.sets_wanted - played[version]) for version in versions) / max(ladder.sizes)


def lines_and_workers(ladder: Ladder, players: Players, new: int = 0) -> tuple[float, int]:
    """How many lines share how many workers, as the ladder sees it. Where its space has workers of its own, it is so
    many lines for one worker: it has its part of both kinds. `new`: as for `parts_of_workers`."""
    more = 0.0 if new else MatchSet.objects.filter(status=MatchSet.Status.OPEN, trial__ladder=ladder).count()
    trials = 1 + more / FEWEST_AHEAD  # they take their part of the ladder's own
    lines = parts_of_workers(ladder.space_id, new)
    if not players.own_workers:
        return lines * trials, max(1, players.sites)
    return trials / _pace(players, lines, own_lines(ladder, new)), 1


def _pace(players: Players, lines: int, own_parts: int) -> float:
    """How many workers one of so many lines of the site has, and of those of its space's own."""
    return players.sites / lines + players.own_workers / own_parts


def _long(players: Players) -> Players:
    """Return how many workers may hold long sets."""
    own_workers = part_of_workers(players.own_workers, HALF) if players.own_workers else 0
    return Players(part_of_workers(players.sites, HALF) if players.sites or not own_workers else 0, own_workers)


def own_lines(ladder: Ladder, new: int = 0) -> int:
    """Return in how many parts its space's own workers are divided: by ladder, by event, and one for all the rest."""
    ladders = Ladder.objects.filter(status__in=Ladder.PAIRED, space=ladder.space_id).count()
    return max(1, ladders + new) + Event.objects.filter(status=RUNNING, ladder__space=ladder.space_id).count() + 1


def parts_of_workers(space: int | None, new: int = 0) -> int:
    """Return in how many parts the workers are divided, as a ladder of that space sees it.

    Each line of the site has a part, all lines of a space have one and divide it again, and all the rest has one.
    `new`: ladders to come there.
    """
    ladders = Ladder.objects.filter(status__in=Ladder.PAIRED).values_list("space", flat=True)
    events = Event.objects.filter(status=RUNNING).values_list("ladder__space", flat=True)
    lines = Counter([*ladders, *events, *[space] * new])
    parts = 1 + lines[None] + len(lines.keys() - {None})
    return parts * (max(1, lines[space]) if space else 1)
