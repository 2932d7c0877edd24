"""Who sits at the other seats of a Gymnasium environment.

`random` draws a legal answer and `default` gives the one that stands in for none; a function is given an observation
and returns an action; any other text is a bot: a sample's name, a file or a folder, which plays in a process of its
own by the protocol of the site, without a sandbox.
"""

import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from bots.contest import ContestError, find_contestant, surroundings
from bots.environments.course import Course
from bots.environments.encoding import Encoding, EnvironmentRefused
from bots.environments.tensors import Observation, observation
from bots.process import Local
from bots.protocol import Clock
from bots.table import ProcessTable
from engine.core import IllegalAction, Question, Seat
from engine.dice import Dice
from engine.records import Record
from engine.referee import Prompt, Verdict

Policy = Callable[[Observation], int]
Opponent = str | Policy
WITHIN: Final = ("random", "default")
NO_DICE: Final = Dice(b"")  # before a match begins


class Opponents:
    """One match after the other. `close` ends the processes of the bots."""

    def __init__(self, encoding: Encoding, by_seat: Mapping[Seat, Opponent], dice: Dice = NO_DICE) -> None:
        """Raises EnvironmentRefused where a bot cannot be played."""
        self.encoding, self.by_seat, self.dice = encoding, by_seat, dice
        self.folder = ExitStack()
        bots = {
            seat: opponent for seat, opponent in by_seat.items() if isinstance(opponent, str) and opponent not in WITHIN
        }
        try:
            self.bots = {
                seat: find_contestant(encoding.game.name, opponent, self._store()) for seat, opponent in bots.items()
            }
        except ContestError as error:
            self.folder.close()
            raise EnvironmentRefused(error.code, str(error)) from None
        self.table: ProcessTable | None = None
        self.faults: list[tuple[Seat, str]] = []
        self.unheard, self.gone = dict[Seat, list[Any]](), set[Seat]()

    def _store(self) -> Path:
        return Path(self.folder.enter_context(tempfile.TemporaryDirectory(prefix="boardroom-")))

    def begin(self, seed: str) -> Course:
        """A new match, with new processes."""
        self.leave()
        course = Course.begin(self.encoding, seed, listen=bool(self.bots))
        self.dice, self.unheard, self.gone = Dice.of(f"{seed} opponents"), dict[Seat, list[Any]](), set[Seat]()
        if self.bots:
            self._seat_bots()
        return course

    def _seat_bots(self) -> None:
        self.unheard = {seat: [] for seat in self.bots}
        processes = [
            Local(bot.folder, "", bot.command, environment={**surroundings(), **bot.variables})
            if (bot := self.bots.get(seat))
            else None
            for seat in range(self.encoding.options.players)
        ]
        self.table = ProcessTable(processes, self.encoding.game, self.encoding.options, Clock())
        for seat, reply in self.table.start().items():
            self._fault(seat, reply.verdict, reply.detail)

    def answer(self, course: Course) -> None:
        """The one decision that is due, by whoever sits there."""
        opponent, seat = self.by_seat[course.seat], course.seat
        if seat in self.unheard:
            course.give(self._bots_answer(course, seat))
        elif callable(opponent):
            action = int(opponent(observation(course, seat)))
            if not course.may(action):
                raise EnvironmentRefused(
                    "illegal_opponent", f"the opponent at seat {seat} gave {action}, which is masked"
                )
            course.act(action)
        else:
            course.give(course.question.draw(self.dice) if opponent == "random" else course.question.default())

    def _bots_answer(self, course: Course, seat: Seat) -> Record:
        """Return what the bot answers, or the default for a fault, as on a site."""
        game = self.encoding.game
        question: Question[Record] = course.question
        for event in course.match.hear():
            for hearer in self.unheard:
                seen = event.seen_by(hearer)
                self.unheard[hearer] += [seen] if seen is not None else []
        if seat in self.gone or not self.table:
            return question.stand_in()
        events, self.unheard[seat] = self.unheard[seat], []
        reply = self.table.ask({seat: Prompt(question, game.see(course.match.at, seat), events)})[seat]
        if reply.verdict is not Verdict.OK:
            self._fault(seat, reply.verdict, reply.detail)
            return question.default()
        try:
            return course.match.read(seat, reply.action)
        except IllegalAction as illegal:
            self.faults.append((seat, illegal.reason))
            return question.default()

    def _fault(self, seat: Seat, verdict: Verdict, detail: str) -> None:
        self.faults.append((seat, f"{verdict.value}: {detail}"))
        if verdict is not Verdict.BAD_PROTOCOL and self.table:
            self.gone.add(seat)
            self.table.dismiss(seat)

    def leave(self) -> None:
        """The processes of the match are over."""
        table, self.table, self.faults = self.table, None, []
        if table:
            table.close()

    def close(self) -> None:
        self.leave()
        self.folder.close()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle who sits where, and the dice; bots are looked for again. Raises EnvironmentRefused while they play."""
        if self.table:
            raise EnvironmentRefused("bots_play", "a match against bots cannot be pickled or copied before it is over")
        return Opponents, (self.encoding, self.by_seat, self.dice)
