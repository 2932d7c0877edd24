"""The log of a match in plain sentences, told by playing its replay again."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine.core import Event
from engine.referee import STANDS_IN
from engine.replay import Replay, advance, playback
from tournaments.pages.stories import gigabucks, kaiju, network, shangzhou, zaibatsu
from tournaments.pages.stories.story import Chapter, Line, listed

Part = Line | Chapter | None
Teller = Callable[[Event, Sequence[str]], Part]
TELLERS: Final[Mapping[str, Teller]] = {
    "zaibatsu": zaibatsu.tell,
    "kaiju": kaiju.tell,
    "shangzhou": shangzhou.tell,
    "gigabucks": gigabucks.tell,
    "network": network.tell,
}


def tell(replay: Replay) -> list[Chapter]:
    """The chapters of a match. Raises ReplayError if this engine cannot play it."""
    names, teller = names_of(replay), TELLERS[replay.game]
    run = playback(replay)
    told: list[Part] = [teller(event, names) for event in run.match.hear()]
    told += [
        Line(f"{names[int(seat)]} did not start ({why}) and forfeits.", "bad") for seat, why in replay.absent.items()
    ]
    gone = {int(seat) for seat in replay.absent}
    while not run.match.over:
        before = run.step
        advance(replay, run)
        told += _faults(replay.answers[before : run.step], names, gone)
        told += [teller(event, names) for event in run.match.hear()]
    return _bind([*told, *_end(replay, names)])


def names_of(replay: Replay) -> list[str]:
    """What the seats are called: the bots' names, and the seat's number where a bot plays itself."""
    names = [player.name for player in replay.players]
    return [name if names.count(name) == 1 else f"{name} (seat {seat})" for seat, name in enumerate(names)]


def _faults(answers: Sequence[Any], names: Sequence[str], gone: set[int]) -> list[Line]:
    """Faults among the answers of one step. That a seat is `gone` is told once."""
    lines = []
    for seat, _, _, *fault in answers:
        if fault == [STANDS_IN] and seat not in gone:
            gone.add(seat)
            lines.append(Line(f"{names[seat]} has forfeited; from here on the default answers for it.", "bad"))
        elif fault and fault != [STANDS_IN]:
            lines.append(Line(f"{names[seat]} is at fault ({fault[0]}), and the default answers for it.", "bad"))
    return lines


def _end(replay: Replay, names: Sequence[str]) -> list[Line]:
    out = listed([name for name, forfeit in zip(names, replay.result.forfeits, strict=True) if forfeit])
    winners = [name for name, place in zip(names, replay.result.places, strict=True) if place == 1]
    lines = [Line(f"The last place is for {out}, by forfeit.", "bad")] if out else []
    return [*lines, Line(f"{listed(winners)} {'wins' if len(winners) == 1 else 'share the win'}.", "key")]


def _bind(told: Sequence[Part]) -> list[Chapter]:
    chapters = [Chapter("Before the first round")]
    for part in told:
        if isinstance(part, Chapter):
            chapters.append(part)
        elif part:
            chapters[-1].lines.append(part)
    return [chapter for chapter in chapters if chapter.lines]
