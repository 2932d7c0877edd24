"""One bot at one seat of many matches, the others answered by lot; and what it did there, question by question."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from bots.contest import Contestant, closed, surroundings
from bots.interrupts import held
from bots.process import Exit, Local
from bots.protocol import Clock
from bots.table import ProcessTable
from engine import referee
from engine.core import Question, Seat
from engine.dice import Dice
from engine.game import AnyGame, Options
from engine.records import Record, RecordError, show, to_plain
from engine.referee import Prompt, Reply, Verdict

# What becomes of the bot's answers: they count, or another legal one does by lot (which leads to positions that no good
# bot comes to), or now and then the question's default does, as after a fault.
Way = Literal["own", "drawn", "defaulted"]
DEFAULTED_EVERY = 3
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

    @property
    def is_gone(self) -> bool:
        """Whether its process ended, or was ended, before the match."""
        return bool(self.start_fault) or any(each.fault and each.fault not in referee.MENDABLE for each in self.asked)


class Company:
    """`engine.referee.Table` with the bot at its seat, and the lot at the others."""

    def __init__(self, table: ProcessTable, sitting: Sitting) -> None:
        self.table, self.sitting = table, sitting
        self.dice = Dice.of(f"{sitting.seed} company")
        self.is_replaced = False

    def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]:
        seat = self.sitting.seat
        replies = {each: Reply(to_plain(prompts[each].question.draw(self.dice))) for each in prompts if each != seat}
        if seat in prompts:
            replies[seat] = self._judged(prompts[seat], self.table.ask({seat: prompts[seat]})[seat])
        return replies

    def dismiss(self, seat: Seat) -> None:
        if seat == self.sitting.seat:
            self.table.dismiss(seat)

    def _judged(self, prompt: Prompt, reply: Reply) -> Reply:
        fault, detail = fault_of(prompt.question, reply)
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


def fault_of(question: Question[Record], reply: Reply) -> tuple[str, str]:
    if reply.verdict is not Verdict.OK:
        return reply.verdict.value, reply.detail
    try:
        reason = question.error(question.read(reply.action))
    except RecordError as error:
        reason = error.reason
    return (Verdict.ILLEGAL_ANSWER.value, f"{reason}; given {show(reply.action, 200)}") if reason else ("", "")


def sit(bot: Contestant, game: AnyGame, options: Options, seed: str, seat: Seat, way: Way, clock: Clock) -> Sitting:
    """Play one match. Raises PlatformFault."""
    sitting = Sitting(to_plain(options), seed, seat, way)
    with seated(bot, game, options, seat, clock) as table:
        absent = begun(table, sitting)
        if not absent:
            played = referee.play(game, options, seed, Company(table, sitting), strikes=NEVER_OUT)
            table.end(played.result.places, played.result.scores)
        measured(table, sitting)
    return sitting


def again(bot: Contestant, game: AnyGame, options: Options, sitting: Sitting, clock: Clock) -> Sitting:
    """A fresh process is told and asked exactly the same. Raises PlatformFault."""
    repeated = Sitting(sitting.options, sitting.seed, sitting.seat, sitting.way)
    with seated(bot, game, options, sitting.seat, clock) as table:
        for prompt in [] if begun(table, repeated) else sitting.prompts:
            reply = table.ask({sitting.seat: prompt})[sitting.seat]
            fault, detail = fault_of(prompt.question, reply)
            repeated.asked.append(Asked(prompt.question.tag, reply.ms, reply.action, fault, detail))
            if repeated.is_gone:
                break
    return repeated


@contextmanager
def seated(bot: Contestant, game: AnyGame, options: Options, seat: Seat, clock: Clock) -> Iterator[ProcessTable]:
    """With the bot's process, which is not left behind, whenever a signal comes."""
    with ExitStack() as at_the_end:
        with held():
            processes: list[Local | None] = [None] * options.players
            processes[seat] = Local(bot.folder, "", bot.command, environment=surroundings())
            table = ProcessTable(processes, game, options, clock)
            at_the_end.callback(closed, table)
        yield table


def begun(table: ProcessTable, sitting: Sitting) -> bool:
    """Whether the bot is absent."""
    absent = table.start()
    for reply in absent.values():
        sitting.start_fault = f"{reply.verdict.value}: {reply.detail}"
    process = table.bots[sitting.seat].process
    if not absent and isinstance(process, Local):
        sitting.start_ms = process.cpu_s() * 1000
    return bool(absent)


def measured(table: ProcessTable, sitting: Sitting) -> None:
    """After the table is closed: what its process used."""
    table.close()
    bot = table.bots[sitting.seat]
    sitting.memory_mb, sitting.cpu_s = table.memory_mb(sitting.seat), table.cpu_s(sitting.seat)
    sitting.stderr_bytes, sitting.end = bot.wire.complained, bot.exit
