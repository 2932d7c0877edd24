"""`boardroom datagen`: replays as rows for learning: what a seat saw, was asked and answered, and how it ended."""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import click

from bots.command.errors import FAILED, KitError
from bots.command.options import json_option
from bots.command.output import print_note, print_text, progress, to_stdout
from bots.command.whole_files import remove
from engine.records import to_plain
from engine.replay import BIGGEST_FILE, Replay, ReplayError, advance, playback, read_replay


@click.command(
    epilog="\b\nExamples:\n  boardroom datagen replays/*.json --out rows.jsonl\n"
    '  boardroom datagen replays/*.json --out mine.jsonl --name "My bot"'
)
@click.argument("replays", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="REPLAY...")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The file of rows; it appears whole.")
@click.option("--name", default="", help="Rows of seats where a bot of this name sat, and no others.")
@json_option
def command(replays: Sequence[Path], out: Path, name: str, as_json: bool) -> int:
    """Write a row of JSON for each answer in the REPLAYs, which are executed again.

    A row has match, step, seat, name, question, view, answer, fault (empty for most), score and place. A replay that
    cannot be read or does not hold is left out and named; then the exit code is 1.
    """
    if out.is_dir():
        raise KitError("is_folder", f"--out: {out} is a folder; name a file")
    part = out.with_name(f"{out.name}.part")
    written: list[dict[str, object]] = []
    try:
        with part.open("w", encoding="utf-8") as file, progress("replays", len(replays)) as step:
            for path in replays:
                written.append(write_rows(path, file, name))
                step()
        part.replace(out)
    finally:
        remove(part)
    left_out = [row for row in written if row["error"]]
    if as_json:
        to_stdout({"out": str(out), "replays": written})
    else:
        rows = sum(int(str(replay["rows"])) for replay in written)
        print_text(f"{rows} rows of {len(written) - len(left_out)} replays are in {out}")
    return FAILED if left_out else 0


def write_rows(path: Path, file: IO[str], name: str) -> dict[str, object]:
    """Write all rows of a replay or none: what fails is noticed before anything is written."""
    try:
        with path.open("rb") as source:
            rows = list(answer_rows(path.name, read_replay(source.read(BIGGEST_FILE + 1)), name))
    except ReplayError as error:
        print_note(f"{path}: {error} [{error.code}]")
        return {"file": str(path), "rows": 0, "error": error.code}
    except OSError as error:
        print_note(f"{path}: {error.strerror} [unreadable]")
        return {"file": str(path), "rows": 0, "error": "unreadable"}
    for row in rows:
        file.write(json.dumps(row, separators=(",", ":")) + "\n")
    return {"file": os.fspath(path), "rows": len(rows), "error": ""}


def answer_rows(match: str, replay: Replay, name: str) -> Iterator[dict[str, Any]]:
    """Raises ReplayError with the first answer that does not hold."""
    run = playback(replay)
    seats = [seat for seat, player in enumerate(replay.players) if name in ("", player.name)]
    while not run.match.over:
        first = run.step
        asked = {seat: to_plain(question) for seat, question in sorted(run.match.questions.items())}
        seen = {seat: to_plain(run.game.see(run.match.at, seat)) for seat in asked if seat in seats}
        given = advance(replay, run)
        for number, seat in enumerate(asked):
            if seat in seats:
                line: Any = replay.answers[first + number]
                yield {
                    "match": match,
                    "step": first + number,
                    "seat": seat,
                    "name": replay.players[seat].name,
                    "question": asked[seat],
                    "view": seen[seat],
                    "answer": to_plain(given[seat]),
                    "fault": line[3] if len(line) > 3 else "",
                    "score": replay.result.scores[seat],
                    "place": replay.result.places[seat],
                }
