"""Makes the recorded games and the play-through again: `python -m tests.games.record`. A diff shows a rule change."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.core import Event, Seat
from engine.dice import Dice
from engine.game import AnyGame
from engine.games import GAMES
from engine.records import to_plain
from engine.referee import Prompt, Reply, Verdict, play
from engine.replay import Player, Replay, log, record

HERE = Path(__file__).parent
RECORDED, PLAYTHROUGHS = HERE / "recorded", HERE / "playthroughs"
GAMES_TO_RECORD: dict[str, dict[str, object]] = {
    "zaibatsu-2": {"players": 2},
    "zaibatsu-3": {"players": 3},
    "zaibatsu-4": {"players": 4},
    "zaibatsu-first": {"players": 3, "first": 2},
    "zaibatsu-carry": {"players": 2, "unsold": "carry"},
    "zaibatsu-closed": {"players": 4, "piles": "closed"},
    "zaibatsu-carry-closed": {"players": 3, "unsold": "carry", "piles": "closed"},
    "zaibatsu-faults": {"players": 3},
}


@dataclass
class Drawn:
    """All seats answer by drawing lots; where `careless`, some answers are illegal."""

    dice: Dice
    careless: bool = False

    def ask(self, prompts: Mapping[Seat, Prompt]) -> dict[Seat, Reply]:
        return {seat: self._reply(prompt) for seat, prompt in prompts.items()}

    def _reply(self, prompt: Prompt) -> Reply:
        if self.careless and self.dice.below(32) == 0:
            return Reply({"t": "bid", "amount": -1}, 1.5)
        return Reply(to_plain(prompt.question.draw(self.dice)), 0.5)

    def dismiss(self, seat: Seat) -> None:
        """Nobody is at the seat."""


def recorded(name: str) -> Replay:
    """The game of that name, played now."""
    game: AnyGame = GAMES[name.partition("-")[0]]
    options = game.read_options(GAMES_TO_RECORD[name])
    faulty = name.endswith("faults")
    absent = {2: Reply(verdict=Verdict.CRASHED, detail="did not start")} if faulty else {}
    played = play(game, options, name, Drawn(Dice.of(f"{name} answers"), faulty), absent=absent)
    players = [Player(f"drawn-{seat}") for seat in range(options.players)]
    return record(game, options, name, players, played)


def text(replay: Replay) -> str:
    """A play-through to read: one line for each event, secrets included."""
    return "".join(f"{line(event)}\n" for event in log(replay))


def line(event: Event) -> str:
    plain = to_plain(event)
    tag = plain.pop("t")
    return f"{tag:8}" + "  ".join(f"{name} {json.dumps(value)}" for name, value in plain.items() if value is not False)


def main() -> None:
    for name in GAMES_TO_RECORD:
        path = RECORDED / f"{name}.json"
        path.write_text(json.dumps(to_plain(recorded(name)), indent=None, separators=(",", ":")) + "\n")
    for game in GAMES:
        (PLAYTHROUGHS / f"{game}.txt").write_text(text(recorded(f"{game}-3")))


if __name__ == "__main__":
    main()
