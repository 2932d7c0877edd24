"""What bots wrote in a match, as a file: of a match at home, or the answer of a site to `/api/v1/matches/N/notes`."""

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bots.command.errors import KitError
from bots.command.whole_files import write_whole
from bots.notes import Noted, lines_of
from engine.replay import Replay

BIGGEST: Final = 16 << 20  # bytes of a file
FIELDS: Final = {"seat": int, "answer": int, "tag": str, "text": str, "mark": dict}


def write_notes(out: Path, notes: Sequence[Noted]) -> None:
    lines = [
        {"seat": note.seat, "answer": note.answer, "tag": line.tag, "text": line.text, "mark": line.mark}
        for note in notes
        for line in lines_of(note.text)
    ]
    write_whole(out, (json.dumps({"notes": lines}, indent=1) + "\n").encode())


def read_notes(path: Path, replay: Replay) -> list[dict[str, Any]]:
    """Raises KitError where they are no notes, or not of this match."""
    try:
        with path.open("rb") as file:
            plain = json.loads(file.read(BIGGEST))["notes"]
        notes = [{name: note[name] for name in FIELDS} for note in plain]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise KitError(
            "not_notes", f"{path} holds no notes: they are written by play --notes, or got from a site"
        ) from None
    for note in notes:
        _check(note, replay, path)
    return notes


def by_moment(notes: Sequence[Mapping[str, Any]], ats: Sequence[int], seat: int | None) -> dict[int, list[str]]:
    """Lines by the moment that shows the answer: of all seats, or of one."""
    lines: dict[int, list[str]] = {}
    for note in notes:
        if seat in (None, note["seat"]):
            moment = ats[min(bisect_right(ats, note["answer"]), len(ats) - 1)] if note["answer"] >= 0 else ats[0]
            lines.setdefault(moment, []).append(f"seat {note['seat']} {note_line(note).strip()}")
    return lines


def note_line(note: Mapping[str, Any]) -> str:
    """Return the note on one line."""
    when = "start" if note["answer"] < 0 else str(note["answer"])
    tag = f"#{note['tag']} " if note["tag"] else ""
    mark = " ".join(f"{name}={value}" for name, value in note["mark"].items())
    return f"{when:>6}  {tag}{note['text']}{f' [{mark}]' if mark else ''}"


def _check(note: Mapping[str, Any], replay: Replay, path: Path) -> None:
    if not all(type(note[name]) is kind for name, kind in FIELDS.items()):
        raise KitError("not_notes", f"{path} holds a note of another form: {str(note)[:200]}")
    lines: Sequence[Any] = replay.answers
    number, seat = note["answer"], note["seat"]
    if (
        not -1 <= number < len(lines)
        or (number >= 0 and lines[number][0] != seat)
        or seat not in range(len(replay.players))
    ):
        raise KitError(
            "other_match", f"{path} has a note of seat {seat} on answer {number}, which this match does not have"
        )
