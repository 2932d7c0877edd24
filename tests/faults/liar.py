"""A match worker that lies: in every match it puts another answer, a legal one, in the place of a bot's first.

Its replays hold when they are played again: they tell of a match that could have been. It is otherwise a real worker.
"""

import runpy
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import referee
from engine.core import Seat
from engine.records import to_plain
from engine.referee import Prompt, Reply

honest = referee.seat_referee


@dataclass(slots=True)
class Lies:
    """The table, but for one answer."""

    table: Any
    lied: list[Seat] = field(default_factory=list)

    def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]:
        return {seat: self._instead(prompts[seat], seat, reply) for seat, reply in self.table.ask(prompts).items()}

    def dismiss(self, seat: Seat) -> None:
        self.table.dismiss(seat)

    def _instead(self, prompt: Prompt, seat: Seat, reply: Reply) -> Reply:
        other = to_plain(prompt.question.default())
        if self.lied or reply.action is None or reply.action == other:
            return reply
        self.lied.append(seat)
        return Reply(other, reply.ms)


def seat(game: Any, options: Any, seed: str, table: Any, strikes: int) -> referee.Referee:
    return honest(game, options, seed, Lies(table), strikes)


if __name__ == "__main__":
    referee.seat_referee = seat
    runpy.run_module("workers", run_name="__main__", alter_sys=True)
