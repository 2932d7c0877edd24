"""CPU time of each seat's decisions, as numbers and as the bars of a small SVG."""

from dataclasses import dataclass
from typing import Final

from engine.replay import Replay
from tournaments.models import Seat

WIDTH: Final = 200
HEIGHT: Final = 30
WIDEST: Final = 8  # a bar with the room beside it
MOST_BARS: Final = 100  # of more decisions, the slowest of each run of them is drawn


@dataclass(frozen=True, slots=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    slowest: bool


@dataclass(frozen=True, slots=True)
class Timing:
    """In CPU milliseconds. `slowest_at`: the moment in which that decision was asked for."""

    seat: Seat
    answers: int
    mean_ms: float
    slowest_ms: float
    slowest_at: int | None
    bars: list[Bar]


def timing(replay: Replay, seat: Seat) -> Timing:
    lines = enumerate(replay.answers)
    times = [(line[2], at) for at, line in lines if isinstance(line, list) and line[0] == seat.number]
    if not times:
        return Timing(seat, 0, 0.0, 0.0, None, [])
    slowest, at = max(times, key=lambda each: each[0])
    every = [ms for ms, _ in times]
    return Timing(seat, len(times), sum(every) / len(every), slowest, at, bars_of(every))


def bars_of(times: list[float]) -> list[Bar]:
    run = -(-len(times) // MOST_BARS)
    drawn = [max(times[at : at + run]) for at in range(0, len(times), run)]
    most, step = max(drawn) or 1.0, min(WIDEST, WIDTH / len(drawn))
    heights = [round(max(0.5, HEIGHT * ms / most), 1) for ms in drawn]
    slowest = drawn.index(max(drawn))
    return [
        Bar(round(at * step, 1), HEIGHT - height, round(max(0.5, step * 0.8), 1), height, at == slowest)
        for at, height in enumerate(heights)
    ]
