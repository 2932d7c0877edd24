"""One bot at one seat of many matches, the others answered by lot; and what it did there, question by question."""

import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Literal, Protocol

from bots.process import Exit
from bots.table import LAST_LINES, USED
from engine import referee
from engine.core import Question, Seat
from engine.dice import Dice
from engine.game import AnyGame, Options
from engine.records import Record, RecordError, show, to_plain
from engine.referee import Prompt, Reply, Verdict
from engine.sentences import Sentence, list_sentence, listed_parts

# What becomes of the bot's answers: they count, or another legal one does by lot (which leads to positions that no good
# bot comes to), or now and then the question's default does, as after a fault.
Way = Literal["own", "drawn", "defaulted"]
DEFAULTED_EVERY = 3
LEAVE_S = 1.0  # of CPU time, which Python needs to take apart what it has imported
# A file of the bot: its folder is `/bot` in the sandbox, and at home called by a hash.
OWN = r"(?:/bot|/[0-9a-f]{64}\.[\w.]+)/"
PYTHON_FRAME = re.compile(rf'File "[^"\n]*?{OWN}([^"\n]+)", line (\d+)')
OTHER_FRAME = re.compile(rf"{OWN}([^\s:()]+):(\d+)")
NEVER_OUT = 1_000_000  # strikes: an illegal answer is noted, and the bot asked on


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and what came back. `fault` is empty, or the verdict with its evidence in `detail`."""

    kind: str
    ms: float
    action: object
    fault: str
    detail: str
    after_replaced: bool = False  # whether an answer of its own had been replaced before


@dataclass(slots=True)
class Sitting:
    """A match. `start_ms` is CPU time until it was ready; None where the system does not tell another's clock."""

    options: dict[str, Any]
    seed: str
    seat: Seat
    way: Way
    asked: list[Asked] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)
    start_ms: float | None = None
    start_fault: str = ""
    memory_mb: float = 0.0
    cpu_s: float = 0.0
    stderr_bytes: int = 0
    end: Exit | None = None
    is_cut: bool = False  # its time was up in the middle, and nothing more was asked

    @property
    def is_gone(self) -> bool:
        """Whether its process ended, or was ended, before the match."""
        return bool(self.start_fault) or any(
            question.fault and question.fault not in referee.MENDABLE for question in self.asked
        )


class Seated(Protocol):
    """A table with the bot's process at its seat, and nobody at the others. Methods that ask it raise PlatformFault."""

    def start(self) -> Mapping[Seat, Reply]: ...

    def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]: ...

    def dismiss(self, seat: Seat) -> None: ...

    def end(self, places: list[int], scores: list[int], leave_s: float = 0) -> None:
        """Tell the bot how it ended; it may compute for so long to leave."""
        ...

    def close(self) -> None: ...

    def start_ms(self, seat: Seat) -> float | None:
        """CPU time until it was ready."""
        ...

    def cpu_s(self, seat: Seat) -> float: ...

    def memory_mb(self, seat: Seat) -> float: ...

    def complained(self, seat: Seat) -> int:
        """Bytes that it wrote on stderr."""
        ...

    def exit_of(self, seat: Seat) -> Exit | None: ...


Place = Callable[[Options, Seat], AbstractContextManager[Seated]]  # how the bot is started, at that seat


class Late(Exception):
    """The time for all is up: this match is left here."""


class Company:
    """`engine.referee.Table` with the bot at its seat, and the lot at the others."""

    def __init__(self, table: Seated, sitting: Sitting, until: float) -> None:
        self.table, self.sitting, self.until = table, sitting, until
        self.dice = Dice.of(f"{sitting.seed} company")
        self.is_replaced = False

    def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]:
        seat = self.sitting.seat
        replies = {
            other: Reply(to_plain(prompts[other].question.draw(self.dice))) for other in prompts if other != seat
        }
        if seat in prompts:
            if monotonic() > self.until:
                raise Late
            replies[seat] = self._judged(prompts[seat], self.table.ask({seat: prompts[seat]})[seat])
        return replies

    def dismiss(self, seat: Seat) -> None:
        if seat == self.sitting.seat:
            self.table.dismiss(seat)

    def _judged(self, prompt: Prompt, reply: Reply) -> Reply:
        fault, detail = answer_fault(prompt.question, reply)
        asked = Asked(prompt.question.tag, reply.ms, reply.action, fault, detail, self.is_replaced)
        self.sitting.asked.append(asked)
        self.sitting.prompts.append(prompt)
        if fault and fault not in referee.MENDABLE:
            return reply
        other = self._instead(prompt.question)
        if fault or other is not None:
            self.is_replaced = True
            return Reply(to_plain(other or prompt.question.default()), reply.ms)
        return reply

    def _instead(self, question: Question[Record]) -> Record | None:
        if self.sitting.way == "drawn":
            return question.draw(self.dice)
        if self.sitting.way == "defaulted" and len(self.sitting.asked) % DEFAULTED_EVERY == 0:
            return question.default()
        return None


def answer_fault(question: Question[Record], reply: Reply) -> tuple[str, str]:
    if reply.verdict is not Verdict.OK:
        return reply.verdict.value, in_brief(reply.detail)
    try:
        reason = question.error(question.read(reply.action))
    except RecordError as error:
        reason = error.reason
    return (Verdict.ILLEGAL_ANSWER.value, f"{reason}; given {show(reply.action, 200)}") if reason else ("", "")


def in_brief(detail: str) -> str:
    """Return a fault without what the bot used and wrote last, and with its own line in which an exception ended it."""
    parts, written = listed_parts(detail, "\n"), detail.partition(f"\n{LAST_LINES}\n")[2]
    own = parts[: parts.index(LAST_LINES)] if LAST_LINES in parts else parts
    lines = [line for line in own if not line.startswith(USED.partition("%")[0])] or [""]
    is_by_exception = bool(written) and lines[0].endswith(written.rstrip().rpartition("\n")[2].strip())
    if is_by_exception and (frame := _last_frame(written)):
        lines[0] = Sentence("in line %(line)s of %(path)s it %(reason)s", line=frame[2], path=frame[1], reason=lines[0])
    return list_sentence(lines, Sentence("none"), "\n")


def _last_frame(written: str) -> re.Match[str] | None:
    """Return the file of the bot, and its line, that a traceback ends in: Python's names that last, others first."""
    frames = list(PYTHON_FRAME.finditer(written))
    return frames[-1] if frames else OTHER_FRAME.search(written)


def sit(place: Place, game: AnyGame, sitting: Sitting, until: float) -> Sitting:
    """Play the match, unless it takes longer than `until` on the monotonic clock. Raises PlatformFault."""
    options = game.read_options(sitting.options)
    with place(options, sitting.seat) as table:
        try:
            if is_there(table, sitting):
                company = Company(table, sitting, until)
                played = referee.run_match(game, options, sitting.seed, company, strikes=NEVER_OUT)
                table.end(played.result.places, played.result.scores, LEAVE_S)
        except Late:
            sitting.is_cut = True
        measured(table, sitting)
    return sitting


def repeat_sitting(place: Place, game: AnyGame, sitting: Sitting, until: float) -> Sitting:
    """A fresh process is told and asked exactly the same. Raises PlatformFault."""
    repeated = Sitting(sitting.options, sitting.seed, sitting.seat, sitting.way)
    with place(game.read_options(sitting.options), sitting.seat) as table:
        for prompt in sitting.prompts if is_there(table, repeated) else ():
            if monotonic() > until:
                repeated.is_cut = True
                break
            reply = table.ask({sitting.seat: prompt})[sitting.seat]
            fault, detail = answer_fault(prompt.question, reply)
            repeated.asked.append(Asked(prompt.question.tag, reply.ms, reply.action, fault, detail))
            if repeated.is_gone:
                break
    return repeated


def is_there(table: Seated, sitting: Sitting) -> bool:
    """Whether the bot has started."""
    absent = table.start()
    for reply in absent.values():
        sitting.start_fault = f"{reply.verdict.value}: {in_brief(reply.detail)}"
    sitting.start_ms = None if absent else table.start_ms(sitting.seat)
    return not absent


def measured(table: Seated, sitting: Sitting) -> None:
    """Note what the bot's process used, after the table is closed."""
    table.close()
    seat = sitting.seat
    sitting.memory_mb, sitting.cpu_s = table.memory_mb(seat), table.cpu_s(seat)
    sitting.stderr_bytes, sitting.end = table.complained(seat), table.exit_of(seat)
