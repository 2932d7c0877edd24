"""The recorded games and play-throughs. `python3 -m tests.games.record` makes them again; a diff shows a rule change.

Tests that look at what happens in a recorded game share one walk through it: `events_in`.
"""

import gzip
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.core import Event, Seat
from engine.dice import Dice
from engine.game import AnyGame
from engine.games import GAMES
from engine.records import to_plain
from engine.referee import Prompt, Reply, Verdict, run_match
from engine.replay import Player, Replay, log, read_replay, record, verify, write_replay
from tests.games import (
    gigabucks_recordings,
    kaiju_recordings,
    network_recordings,
    shangzhou_recordings,
    zaibatsu_recordings,
)
from tests.games.recording import Recording

HERE = Path(__file__).parent
RECORDED, PLAYTHROUGHS = HERE / "recorded", HERE / "playthroughs"
RECORDINGS: dict[str, Recording] = {
    **zaibatsu_recordings.RECORDINGS,
    **kaiju_recordings.RECORDINGS,
    **shangzhou_recordings.RECORDINGS,
    **gigabucks_recordings.RECORDINGS,
    **network_recordings.RECORDINGS,
}


def recordings_of(game: str) -> list[str]:
    """Return the names of a game's recordings; the first of them is also the play-through."""
    return [name for name in RECORDINGS if name.partition("-")[0] == game]


@dataclass
class Players:
    """All seats answer as the recording says."""

    recording: Recording
    dice: Dice

    def ask(self, prompts: Mapping[Seat, Prompt]) -> dict[Seat, Reply]:
        return {seat: self._reply(prompt) for seat, prompt in prompts.items()}

    def _reply(self, prompt: Prompt) -> Reply:
        if self.recording.faults and self.dice.below(32) == 0:
            return Reply({"t": "bid", "amount": -1}, 1.5)
        return Reply(to_plain(self.recording.policy(prompt.question, self.dice)), 0.5)

    def dismiss(self, seat: Seat) -> None:
        """Do nothing: nobody is at the seat."""


def recorded(name: str) -> Replay:
    """The game of that name, played now."""
    game: AnyGame = GAMES[name.partition("-")[0]]
    recording = RECORDINGS[name]
    options = game.read_options(recording.options)
    gone = {options.players - 1: Reply(verdict=Verdict.CRASHED, detail="did not start")} if recording.faults else {}
    played = run_match(game, options, name, Players(recording, Dice.of(f"{name} answers")), absent=gone)
    players = [Player(f"drawn-{seat}") for seat in range(options.players)]
    return record(game, options, name, players, played)


@cache
def replay_of(name: str) -> Replay:
    """The recorded game of that name, as its file has it."""
    return read_replay((RECORDED / f"{name}.json").read_bytes())


@cache
def events_in(name: str) -> tuple[Event, ...]:
    """Return the events of a recorded game, which is verified before."""
    verify(replay_of(name))
    return tuple(log(replay_of(name)))


def text(events: Iterable[Event]) -> str:
    """A play-through to read: one line for each event, secrets included."""
    return "".join(f"{line(event)}\n" for event in events)


def line(event: Event) -> str:
    plain = to_plain(event)
    tag = plain.pop("t")
    return f"{tag:8}" + "  ".join(f"{name} {json.dumps(value)}" for name, value in plain.items() if value is not False)


def main(*games: str) -> None:
    for game in games or GAMES:
        names = recordings_of(game)
        for name in names:
            (RECORDED / f"{name}.json").write_bytes(gzip.decompress(write_replay(recorded(name))) + b"\n")
        (PLAYTHROUGHS / f"{game}.txt").write_text(text(log(recorded(names[0]))))


if __name__ == "__main__":
    main(*sys.argv[1:])
