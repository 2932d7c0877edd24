"""A moment of a match as lines of a terminal, and as JSON."""

from collections.abc import Iterator, Mapping
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

from bots.viewer.key_moments import percent
from bots.viewer.replay_index import Reel, Still
from engine.records import canonical

WIDEST, NARROWEST = 120, 40  # columns
BAR = 24  # characters of the longest bar
OWN = ("game", "opts", "options", "seat")  # of a view: the same in every one of a match


def still_lines(reel: Reel, still: Still) -> Iterator[str]:
    width = max(NARROWEST, min(WIDEST, get_terminal_size().columns))
    last = reel.ats[-1]
    asked = ", ".join(reel.names[seat] for seat in still.to_answer)
    yield f"{still.scene} | {still.at} of {last} answers | {f'to answer: {asked}' if asked else 'the end'}"
    yield ""
    yield from wrap(still.says, width)
    yield ""
    yield from seat_lines(reel, still)
    for line in still.told:
        yield from wrap(line.text, width, initial_indent="* " if line.kind in ("key", "bad") else "> ")
    if still.view is not None:
        yield ""
        yield from of_view(still.view, width)


def seat_lines(reel: Reel, still: Still) -> Iterator[str]:
    """Return a line for each seat: its chance of winning, and a bar of what it has by the count of a site's chart."""
    most, widest = max(*still.worth, 1.0), max(map(len, reel.names))
    for seat, (name, worth) in enumerate(zip(reel.names, still.worth, strict=True)):
        bar = "#" * round(BAR * max(0.0, worth) / most)
        chance = f" {percent(still.chances[seat]):>5}" if still.chances else ""
        yield f"{seat} {name:<{widest}} {chance} {worth:>8g} {reel.unit} {bar}".rstrip()


def of_view(view: Mapping[str, Any], width: int) -> Iterator[str]:
    """Return what a bot at the seat was sent, a field a line."""
    yield f"What seat {view.get('seat', '?')} may know:"
    for name, value in view.items():
        if name not in OWN:
            yield from wrap(f"{name}: {canonical(value)}", width, initial_indent="  ", subsequent_indent="      ")


def plain_of(reel: Reel, step: int | None) -> dict[str, Any]:
    head = {"game": reel.replay.game, "names": reel.names, "unit": reel.unit, "answers": reel.ats[-1]}
    if step is None:
        return {**head, "moments": [moment_of(reel, place) for place in range(len(reel.ats))]}
    still = reel.still(step)
    lines = [{"text": line.text, "kind": line.kind} for line in still.told]
    stood = {"worth": still.worth, "chances": still.chances, "to_answer": still.to_answer, "told": lines}
    view = {} if still.view is None else {"view": still.view}
    return {**head, "at": still.at, "scene": still.scene, "says": still.says, **stood, **view}


def moment_of(reel: Reel, place: int) -> dict[str, Any]:
    step = reel.ats[place]
    lines = [{"text": line.text, "kind": line.kind} for line in reel.told_at(step)]
    chances = reel.outline.chances[place] if reel.outline.chances else None
    return {
        "at": step,
        "scene": reel.scene_at(step).title,
        "worth": reel.outline.worth[place],
        "chances": chances,
        "told": lines,
    }
