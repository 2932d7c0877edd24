"""The results of trying a draft: places, faults in plain words, and the line that caused them."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.replay import read_replay
from engine.sentences import Sentence
from tournaments.models import Practice

# How Python and compilers name a line, of a file called as the sandbox calls a single one.
PLACES = (r'File "(?:[^"]*/)?bot(\.\w+)", line (\d+)', r"\bbot(\.\w+):(\d+):")
ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """A seat of the game. CPU time and stderr of samples are not shown."""

    name: str
    place: int
    score: int
    verdict: str
    forfeited: bool
    cpu_ms: float | None


@dataclass(frozen=True, slots=True)
class Trouble:
    """A fault: in a sentence, with the line it points at, and what was asked and given as JSON."""

    words: str
    line: int | None
    asked: str
    given: str


@dataclass(frozen=True, slots=True)
class Findings:
    summary: str
    chairs: list[SeatOutcome]  # the best place first
    troubles: list[Trouble]
    stderr: str


def findings_of_trial_game(practice: Practice, filename: str) -> Findings | None:
    """Return what the practice showed; None until it is over."""
    if practice.status != Practice.Status.OVER or practice.replay is None:
        return None
    replay, report = read_replay(bytes(practice.replay)), practice.report
    result, cpu = replay.result, report.get("cpu_ms", {})
    chairs = [
        SeatOutcome(player.name, place, score, verdict, forfeited, cpu.get(str(seat)))
        for seat, (player, place, score, verdict, forfeited) in enumerate(
            zip(replay.players, result.places, result.scores, result.verdicts, result.forfeits, strict=True)
        )
    ]
    stderr = str(report.get("stderr", {}).get("0", ""))
    troubles = [trouble(fault, stderr, filename) for fault in practice.faults if fault["seat"] == 0]
    return Findings(trouble_summary(chairs, troubles), sorted(chairs, key=lambda chair: chair.place), troubles, stderr)


def trouble_summary(chairs: list[SeatOutcome], troubles: list[Trouble]) -> str:
    mine, number = chairs[0], len(troubles)
    if mine.forfeited:
        return Sentence("It forfeited the game. See below what went wrong.")
    came = (
        "It came %(place)s of %(seats)s, with a score of %(score)s and no fault."
        if not number
        else "It came %(place)s of %(seats)s, with a score of %(score)s, but 1 fault."
        if number == 1
        else "It came %(place)s of %(seats)s, with a score of %(score)s, but %(faults)s faults."
    )
    place = Sentence(ORDINALS[mine.place])
    return Sentence(came, place=place, seats=len(chairs), score=mine.score, faults=number)


def trouble(fault: dict[str, Any], stderr: str, filename: str) -> Trouble:
    """Describe a fault: a crash by the last line of its traceback, at the last line of the draft in it."""
    crashed = fault["verdict"] == "crashed"
    detail = str(fault["detail"])
    line = line_in(stderr, filename) if crashed else None
    line = line or line_in(detail, filename)
    last = stderr.strip().splitlines()[-1] if crashed and stderr.strip() else ""
    at_start = fault["answer"] < 0
    words = words_for(last, line) or Sentence(
        "%(verdict)s, at its start: %(detail)s" if at_start else "%(verdict)s, at answer %(answer)s: %(detail)s",
        verdict=Sentence(fault["verdict"]),
        answer=fault["answer"],
        detail=fault["sentence"],
    )
    return Trouble(words, line, *asked_and_given(fault))


def words_for(last: str, line: int | None) -> str:
    """Return a Python exception in words; "" if it was none."""
    kind, colon, why = last.partition(": ")
    if not re.fullmatch(r"[A-Za-z_.]+(Error|Exception|Interrupt|Exit)", kind):
        return ""
    where = Sentence("line %(line)s", line=line) if line else Sentence("the source")
    if kind in ("SyntaxError", "IndentationError", "TabError"):
        return Sentence("Python cannot read %(where)s: %(why)s", where=where, why=why)
    return Sentence("It ended at %(where)s with %(error)s", where=where, error=f"{kind}{colon}{why}")


def asked_and_given(fault: dict[str, Any]) -> tuple[str, str]:
    asked, given = (fault.get(name) for name in ("asked", "given"))
    return (
        json.dumps(asked, indent=2) if asked is not None else "",
        given if isinstance(given, str) else "" if given is None else json.dumps(given),
    )


def line_in(text: str, filename: str) -> int | None:
    """Return the last line of the draft that the text names."""
    ending = Path(filename).suffix.lower()
    matches = [match for pattern in PLACES for match in re.findall(pattern, text) if match[0] == ending]
    return int(matches[-1][1]) if matches else None
