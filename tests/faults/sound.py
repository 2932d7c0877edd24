"""What must be true of the ledger and of the machine when everything has come to rest, whatever happened before."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from django.db.models import Count, F, Q

from engine.replay import read_replay, verify
from tournaments.ledger.ladders.official_fit import recompute
from tournaments.models import Attempt, Ladder, Match, MatchSet, RatingStep, Result, Seat, Version

OVER = (Match.Status.CANCELLED, Match.Status.QUARANTINED)


def lost() -> list[str]:
    """Matches that are neither recorded nor, with a reason, never to be played."""
    kept = Q(status=Match.Status.DONE, result__isnull=False)
    given_up = Q(status__in=OVER, set__status=MatchSet.Status.CANCELLED, result__isnull=True) & ~Q(set__reason="")
    return [f"match {pk} is lost" for pk in Match.objects.exclude(kept | given_up).values_list("pk", flat=True)]


def doubled() -> list[str]:
    """Matches that were recorded twice, and sets that were rated twice."""
    recorded = Count("attempts", filter=Q(attempts__outcome=Attempt.Outcome.RECORDED))
    twice = Match.objects.annotate(recorded=recorded).filter(recorded__gt=1).values_list("pk", flat=True)
    steps = RatingStep.objects.values("set", "version").annotate(times=Count("pk")).filter(times__gt=1)
    return [f"match {pk} is doubled" for pk in twice] + [f"a rating step is doubled: {step}" for step in steps]


def wrong() -> Iterator[str]:
    """Everything else that does not fit together."""
    yield from _attempts()
    yield from _sets()
    for ladder in Ladder.objects.all():
        for version, (before, after) in recompute(ladder=ladder).items():
            yield f"{ladder}: {version} is {before}, and {after} by the ledger"
        taken = sum(ladder.ratings.values_list("sets", flat=True))
        if taken != Seat.objects.filter(match__set__ladder=ladder, match__set__rated=True, match__turn=0).count():
            yield f"{ladder}: its ratings count {taken} sets of one seat"
    for result in Result.objects.only("replay", "digest").iterator(200):
        replay = read_replay(bytes(result.replay))
        verify(replay)
        if replay.digest != result.digest:
            yield f"{result}: its digest differs"


def _attempts() -> Iterator[str]:
    under_way = Attempt.objects.filter(outcome__in=("sent", "playing"))
    yield from (f"{attempt} of {attempt.match} has no end" for attempt in under_way)
    for match in Match.objects.annotate(tries=Count("attempts")).exclude(tries=F("lease")):
        yield f"{match} has lease {match.lease} after {match.tries} attempts"
    done = Match.objects.filter(status=Match.Status.DONE).exclude(result__lease=F("lease"))
    yield from (f"{match} was recorded under another lease than its last" for match in done)
    recorded = Attempt.objects.filter(outcome=Attempt.Outcome.RECORDED)
    if recorded.filter(lease=F("match__result__lease")).count() != Result.objects.count():
        yield f"{recorded.count()} attempts were recorded, and there are {Result.objects.count()} results"


def _sets() -> Iterator[str]:
    for played in MatchSet.objects.filter(status=MatchSet.Status.COMPLETE).exclude(matches__status="done"):
        yield f"{played} is complete without its matches"
    of_ladders = MatchSet.objects.filter(status=MatchSet.Status.COMPLETE, number__isnull=False, counts=True)
    yield from (f"{played} is complete and not rated" for played in of_ladders.filter(rated=False))
    seats = Seat.objects.filter(match__status=Match.Status.DONE, place=None).count()
    if seats:
        yield f"{seats} seats of recorded matches have no place"


def broken_promises(promised: list[tuple[int, int]]) -> list[str]:
    """Uploads that the site accepted and does not have, or has not looked at."""
    statuses = dict(Version.objects.values_list("pk", "status"))
    by_number = {(bot, number): pk for pk, bot, number in Version.objects.values_list("pk", "bot", "number")}
    missing = [
        f"version {number} of bot {bot} was accepted and is gone"
        for bot, number in promised
        if (bot, number) not in by_number
    ]
    return missing + [f"version {pk} is still in check" for pk, status in statuses.items() if status == "checking"]


def changed(seen: dict[int, str]) -> list[str]:
    """Results that were there once, and are not, or are others."""
    now = dict(Result.objects.values_list("match", "digest"))
    return [
        f"the result of match {match} was seen and has changed"
        for match, digest in seen.items()
        if now.get(match) != digest
    ]


def orphans(marker: str) -> Iterator[str]:
    """Processes that outlived the run: children of ours, as all orphans become, and whoever carries its marker."""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if not pid:
            yield "a process outlived those who started it: " + _children()
            break
    for place in Path("/proc").glob("[0-9]*/environ"):
        if int(place.parent.name) != os.getpid() and marker.encode() in _read(place):
            yield f"process {place.parent.name} is still there"


def _children() -> str:
    pids = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    return "; ".join(_read(Path(f"/proc/{pid}/cmdline")).replace(b"\0", b" ").decode(errors="replace") for pid in pids)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def litter(home: Path, bundles: Path) -> Iterator[str]:
    """Files that nobody will clear away."""
    yield from (f"{path.name} was left in the temporary folder" for path in (home / "tmp").iterdir())
    yield from (f"the socket {path} was left" for path in home.rglob("*.sock"))
    halves = [path.name for pattern in ("*/.new-*", "*/.old-*") for path in bundles.glob(pattern)]
    if halves:
        yield f"left in the worker's cache: {Counter(name[:5] for name in halves)}"
