"""`boardroom watch`: a match in the terminal, moment by moment, or as a file for the browser."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import click

from bots.command.errors import KitError
from bots.command.film_file import beside, opened, write_film
from bots.command.note_file import by_moment, read_notes
from bots.command.options import json_option
from bots.command.output import print_text, to_stdout
from bots.command.replay_file import seat_in, sound
from bots.command.still_text import plain_of, still_lines
from bots.command.terminal_keys import pressed
from bots.viewer.replay_index import Reel
from engine.replay import Replay

KEYS = "→ ← a moment on, back   ↓ ↑ the key moment after, before   Home End   digits then Enter: that moment   q leaves"
FORWARD, BACK, NEXT_MARK, MARK_BEFORE = ("\x1b[C", " ", "l"), ("\x1b[D", "h"), ("\x1b[B", "j"), ("\x1b[A", "k")
FIRST, LAST, LEAVE = ("\x1b[H", "\x1bOH", "\x1b[1~", "g"), ("\x1b[F", "\x1bOF", "\x1b[4~", "G"), ("q", "\x1b", "\x04")
ENTER = ("\r", "\n")


@click.command(
    epilog="\b\nExamples:\n  boardroom watch match-42.json\n  boardroom watch match-42.json --at 30 --seat 1\n"
    "  boardroom watch match-42.json --list | less\n  boardroom watch match-42.json --json > film.json\n"
    "  boardroom watch match-42.json --browser\n  boardroom watch match-42.json --html film.html --at 30"
)
@click.argument("replay", type=click.Path(path_type=Path))
@click.option("--at", "moment", type=click.IntRange(0), help="The moment after so many answers, and no other.")
@click.option("--seat", type=click.IntRange(0), help="As this seat saw it, from 0, with its view.")
@click.option("--list", "as_list", is_flag=True, help="The whole log; so it is without a terminal, too.")
@click.option("--browser", is_flag=True, help="Open it in the browser, as the site shows it; no network is needed.")
@click.option("--html", type=click.Path(path_type=Path), help="The file for that; default: beside REPLAY.")
@click.option("--notes", type=click.Path(path_type=Path), help="What its bots wrote: from play --notes, or a site.")
@json_option
def command(
    replay: Path,
    moment: int | None,
    seat: int | None,
    as_list: bool,
    browser: bool,
    html: Path | None,
    notes: Path | None,
    as_json: bool,
) -> None:
    """Show the match in REPLAY: the board in words, how the seats stand, and what happened.

    In a terminal keys go from moment to moment. With --at one moment is printed, with --list the log of all.

    With --html it is written as one file for the browser, with the boards and all that the site's viewer has; with
    --browser that is opened too. --at and --seat then say where it begins.
    """
    original = sound(replay)
    if moment is not None and moment > len(original.answers):
        raise KitError(
            "bad_moment", f"the replay has {len(original.answers)} answers; there is no moment after {moment}"
        )
    if browser or html:
        if notes:
            raise click.UsageError("--notes are for the terminal; leave them out, or --browser and --html.")
        if as_list:
            raise click.UsageError("--list is for the terminal; leave it out, or --browser and --html.")
        show_film(original, html or beside(replay), seat, moment, opens=browser, as_json=as_json)
        return
    reel = Reel(original, None if seat is None else seat_in(original, seat))
    written = by_moment(read_notes(notes, original), reel.ats, seat) if notes else {}
    if as_json:
        to_stdout({**plain_of(reel, moment), **({"notes": written} if notes else {})})
    elif moment is not None:
        print_text("\n".join(told_at(reel, moment, written)))
    elif as_list or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for line in listing(reel, written):
            print_text(line)
    else:
        Viewing(reel, written).run()


def told_at(reel: Reel, step: int, written: Mapping[int, Sequence[str]]) -> Iterator[str]:
    """Return a moment in lines, with what bots wrote as they came to it."""
    still = reel.still(step)
    yield from still_lines(reel, still)
    yield from (f"~ {note}" for note in written.get(still.at, ()))


def show_film(original: Replay, out: Path, seat: int | None, step: int | None, *, opens: bool, as_json: bool) -> None:
    write_film(original, out, None if seat is None else seat_in(original, seat), step)
    if opens:
        opened(out)
    if as_json:
        to_stdout({"html": str(out), "opened": opens})
    else:
        print_text(f"{out} holds the match, for any browser" if not opens else f"{out} is open in the browser")


def listing(reel: Reel, written: Mapping[int, Sequence[str]]) -> Iterator[str]:
    """The log, chapter by chapter. A key moment has a star, a fault an exclamation mark, a bot's note a wave."""
    unread = dict(written)
    leads = {mark.at: mark.text for mark in reel.marks if mark.kind in ("lead", "swing")}
    for scene in reel.outline.scenes:
        if scene.lines:
            yield f"{scene.title}"
        for number, line in enumerate(scene.lines):
            for step in [step for step in unread if step <= line.at]:
                yield from (f"{step:>6} ~ {note}" for note in unread.pop(step))
            yield f"{line.at:>6} {sign_of(line.kind)} {line.text}"
            is_last = number + 1 == len(scene.lines) or scene.lines[number + 1].at != line.at
            if is_last and (lead := leads.pop(line.at, None)):
                yield f"{line.at:>6} * {lead}"
    for step, notes in unread.items():
        yield from (f"{step:>6} ~ {note}" for note in notes)


def sign_of(kind: str) -> str:
    return {"key": "*", "bad": "!"}.get(kind, " ")


class Viewing:
    """Somebody before a terminal, who goes from moment to moment."""

    def __init__(self, reel: Reel, written: Mapping[int, Sequence[str]]) -> None:
        self.reel, self.written, self.at, self.typed = reel, written, 0, ""

    def run(self) -> None:
        with closing(pressed()) as keys:
            for key in keys:
                if key in LEAVE:
                    return
                self.press(key)
                self.show()

    def show(self) -> None:
        click.clear()
        print_text("\n".join(told_at(self.reel, self.at, self.written)))
        print_text(f"\n{KEYS}\n{self.typed}")

    def press(self, key: str) -> None:
        if key.isdecimal():
            self.typed += key
            return
        ats, last = self.reel.ats, self.reel.ats[-1]
        marks = [mark.at for mark in self.reel.marks]
        if key in ENTER and self.typed:
            self.at = min(int(self.typed), last)
        elif key and (key in FORWARD or key in ENTER):
            self.at = next((step for step in ats if step > self.at), last)
        elif key in BACK:
            self.at = max((step for step in ats if step < self.at), default=0)
        elif key in NEXT_MARK:
            self.at = next((step for step in marks if step > self.at), last)
        elif key in MARK_BEFORE:
            self.at = max((step for step in marks if step < self.at), default=0)
        elif key in FIRST or key in LAST:
            self.at = 0 if key in FIRST else last
        self.typed = ""
