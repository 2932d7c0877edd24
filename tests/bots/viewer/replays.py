"""The recorded games whose boards are drawn, and all that can be seen of them."""

from collections.abc import Iterator
from functools import cache

from bots.viewer.player import Perspective
from engine.games import GAMES
from engine.replay import Replay, advance, playback, read_replay
from tests.games.record import RECORDED, recordings_of

NAMES = [name for game in GAMES for name in recordings_of(game)]


@cache
def replay_of(name: str) -> Replay:
    return read_replay((RECORDED / f"{name}.json").read_bytes())


def perspectives(replay: Replay) -> list[Perspective]:
    """Everybody's: who knows all, who knows what is public, each seat."""
    seats = len(replay.players)
    return [Perspective.everything(seats), Perspective(), *map(Perspective.of, range(seats))]


def positions(replay: Replay, step: int) -> Iterator[object]:
    """Yield every `step`-th position of the match, and the last."""
    run = playback(replay)
    moment = 0
    while not run.match.over:
        if moment % step == 0:
            yield run.match.at
        advance(replay, run)
        moment += 1
    yield run.match.at
