"""The doctor's card of a version: its examination's, and before there is one its check's, of one match.

Of a check each seat is a sitting.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from bots.doctor.findings import Finding, findings_of_one_match
from bots.doctor.session import Asked, Sitting, in_brief
from bots.protocol import Clock
from bots.table import NO_ANSWER, NO_BYTE, WAITED, WAITED_TO_START
from engine.core import Seat
from engine.records import RecordError, from_plain
from engine.replay import Replay, ReplayError, advance, playback, read_replay
from engine.sentences import Sentence
from tournaments.models import Examination, FaultEvidence, Match, Version

SECONDS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")  # a worker may report any text
TOO_LONG = (NO_ANSWER, NO_BYTE, WAITED, WAITED_TO_START)


def examination_of(version: Version) -> Examination | None:
    """Return a version's examination; None if it has not passed its check, or an older release has checked it."""
    return Examination.objects.filter(version=version).first()


def examination_findings(examination: Examination) -> list[Finding] | None:
    """Return the card, empty until the examination is over; None of a card that this release cannot read.

    What another release wrote beside what this one knows is left out.
    """
    try:
        card: list[Finding] = from_plain(list[Finding], [_readable(finding) for finding in examination.findings])
    except (RecordError, TypeError):
        return None
    return card


def _readable(finding: Any) -> Any:
    names = {field.name for field in fields(Finding)}
    return {name: finding[name] for name in names & finding.keys()} if isinstance(finding, dict) else finding


def card_of(version: Version) -> list[Finding]:
    """Return the card of its check: empty until that is over, without its replay, and of rules of another release."""
    match = Match.objects.filter(set__checks=version, result__isnull=False).select_related("result").first()
    if match is None or not match.result.replay:
        return []
    try:
        sittings = sittings_of(read_replay(bytes(match.result.replay)), details_of(match))
    except ReplayError:
        return []
    for seat in match.seats.all():
        sittings[seat.number].memory_mb = seat.memory_mb or 0.0
    return [*findings_of_one_match(sittings, Clock()), *waiting(details_of(match).values())]


def waiting(details: Iterable[str]) -> list[Finding]:
    """Return the finding that it let the match wait for too long without computing, if these faults say so."""
    parts = (part for detail in details for part in _parts(detail))
    late = [part for part in parts if part.sentence in TOO_LONG and all(map(SECONDS.fullmatch, part.filled.values()))]
    return [_waiting(part) for part in late[:1]]


def _waiting(sentence: Sentence) -> Finding:
    numbers = {f"{name}_s": float(value) for name, value in sentence.filled.items()}
    return Finding("waiting", "failure", Sentence("it %(reason)s", reason=sentence), numbers)


def _parts(text: str) -> Iterator[Sentence]:
    """Yield the text if it is a sentence, and those that are filled in."""
    if isinstance(text, Sentence):
        yield text
        for value in text.filled.values():
            yield from _parts(value)


def details_of(match: Match) -> dict[int, str]:
    """Return the details by the number of the answer; -1 before the first."""
    faults = FaultEvidence.objects.filter(seat__match=match).order_by("-pk")
    return {fault.answer: in_brief(fault.sentence) for fault in faults}


def sittings_of(replay: Replay, details: dict[int, str]) -> list[Sitting]:
    """Return what each seat was asked and answered. Raises ReplayError."""
    run = playback(replay, listen=False)
    seats = range(run.options.players)
    sittings = [Sitting(replay.options, replay.seed, seat, "own") for seat in seats]
    for absent, verdict in replay.absent.items():
        fault = Sentence("%(verdict)s: %(detail)s", verdict=Sentence(verdict), detail=details.get(-1, ""))
        sittings[int(absent)].start_fault = fault
    while run.match.questions:
        kinds = {seat: question.tag for seat, question in run.match.questions.items()}
        plays, first = [not gone for gone in run.conduct.forfeits], run.step
        advance(replay, run)
        for number, line in enumerate(replay.answers[first : run.step], first):
            seat, asked = seen_in(line, kinds, details.get(number, ""))
            if plays[seat]:
                sittings[seat].asked.append(asked)
    return sittings


def seen_in(line: Any, kinds: Mapping[Seat, str], detail: str) -> tuple[Seat, Asked]:
    """Read one line of the answers: seat, action, milliseconds, and a fault if there was one."""
    seat, action, ms, *fault = line
    return seat, Asked(kinds[seat], ms, action, Sentence(fault[0]) if fault else "", detail if fault else "")
