"""The rows of a dump: the public data of finished sets, by the same rule as on pages."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from tournaments.core.accounts.visibility import events_seen_by, seen_by
from tournaments.ledger.ladders.standings import standings
from tournaments.models import Entrant, Event, Ladder, Match, MatchSet, Result, Seat, Version

Row = tuple[Any, ...]
BATCH = 2000  # rows of one fetch


def public_sets(ladder: Ladder) -> QuerySet[MatchSet]:
    """Return sets without checks of uploads, spot checks, and rounds that an event has not released.

    A deal that is still played keeps its seed.
    """
    public = MatchSet.objects.filter(seen_by(None, ""), ladder=ladder, checks=None)
    return public.exclude(status=MatchSet.Status.OPEN)


def public_sets_between(ladder: Ladder, first: int, last: int) -> QuerySet[MatchSet]:
    """Return public sets with ids from `first` to `last`."""
    return public_sets(ladder).filter(pk__range=(first, last))


def rewritten_in(ladder: Ladder) -> dict[int, tuple[str, ...]]:
    """Return, by set, the digests of replays out of which names of erased accounts were taken."""
    results = Result.objects.filter(match__set__ladder=ladder).exclude(rewritten="").order_by("match")
    digests: dict[int, tuple[str, ...]] = {}
    for match_set, digest in results.values_list("match__set", "rewritten"):
        digests[match_set] = (*digests.get(match_set, ()), digest)
    return digests


def rows_of_table(table: str, sets: QuerySet[MatchSet]) -> Iterator[Row]:
    return {"sets": _sets, "matches": _matches, "seats": _seats, "replays": _replays}[table](sets)


def micros(moment: datetime | None) -> int | None:
    return None if moment is None else round(moment.timestamp() * 1_000_000)


def _sets(sets: QuerySet[MatchSet]) -> Iterator[Row]:
    columns = ("round", "pairing", "game", "rules", "options", "status", "rated", "counts", "seed", "commitment")
    kinds = ("event_id", "trial_id", "asked_by_id")
    named = sets.order_by("pk").values_list("pk", "number", *kinds, "event__slug", *columns, "created_at", "ended_at")
    for pk, number, event, trial, asked, slug, *columns_between, created, ended in named.iterator(BATCH):
        kind = "event" if event else "trial" if trial else "friendly" if asked else "ladder"
        turn, pairing, game, rules, options, *flags = columns_between
        plain = json.dumps(options, separators=(",", ":"), sort_keys=True)
        shown = (turn, pairing or None, game, rules, plain, *flags, micros(created), micros(ended))
        yield (pk, number, kind, slug, *shown)


def _matches(sets: QuerySet[MatchSet]) -> Iterator[Row]:
    columns = ("pk", "set_id", "turn", "status", "created_at", "result__recorded_at", "result__digest")
    of_sets = Match.objects.filter(set__in=sets).order_by("pk").values_list(*columns)
    for *plain, created, recorded, digest in of_sets.iterator(BATCH):
        yield (*plain, micros(created), micros(recorded), digest)


def _seats(sets: QuerySet[MatchSet]) -> Iterator[Row]:
    columns = ("score", "place", "verdict", "forfeited", "cpu_ms", "memory_mb")
    seats = Seat.objects.filter(match__set__in=sets).order_by("match_id", "number")
    for match, seat, version, score, place, verdict, *figures in seats.values_list(
        "match_id", "number", "version_id", *columns
    ).iterator(BATCH):
        yield (match, seat, version, score, place, verdict or None, *figures)


def _replays(sets: QuerySet[MatchSet]) -> Iterator[Row]:
    played = Match.objects.filter(set__in=sets, status=Match.Status.DONE).exclude(result__replay=b"").order_by("pk")
    for match, replay in played.values_list("pk", "result__replay").iterator(BATCH // 10):
        yield match, bytes(replay)


def versions_named(numbers: Sequence[int]) -> Iterator[Row]:
    columns = ("pk", "number", "bot_id", "bot__name", "bot__owner__username", "bot__owner__is_active")
    for *plain, owner, is_active in Version.objects.filter(pk__in=numbers).order_by("pk").values_list(*columns):
        yield (*plain, owner if is_active else None)


def ratings_of(ladder: Ladder) -> Iterator[Row]:
    for line in standings(ladder):
        ranks = (line.rank, line.rank_lo, line.rank_hi)
        yield (
            *ranks,
            line.version_id,
            line.bot,
            line.elo,
            line.ci95,
            line.elo_classic,
            line.sets,
            line.games,
            line.provisional,
        )


def public_entrants(ladder: Ladder) -> Iterator[Row]:
    """A place shows where all results are public, as on the event's page."""
    shown = Event.objects.filter(events_seen_by(None), ladder=ladder)
    entrants = Entrant.objects.filter(event__in=shown).order_by("event", "pk")
    for entrant in entrants.select_related("event"):
        event = entrant.event
        spec = json.dumps(event.spec, separators=(",", ":"), sort_keys=True)
        times = (micros(event.started_at), micros(event.ended_at))
        place = None if event.is_held_back else entrant.place
        yield (event.slug, event.title, event.status, spec, *times, entrant.bot_id, entrant.version_id, place)
