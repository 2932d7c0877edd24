"""A table of bots in WebAssembly: what `bots.table` is for processes, with fuel in place of clocks.

A turn is one message to a bot's runner and one back, so nothing here depends on when anything happens. A ladder's
clock keeps its meaning: its milliseconds are fuel, FUEL_PER_MS for each, and so are those in the replay.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Self

from bots.autopsy import autopsy, unfinished
from bots.notes import Notebook
from bots.pipes import KEPT, for_owner, tail
from bots.process import Exit
from bots.protocol import KB, Asked, Clock, End, Hello, ProtocolError, encode, quote, read_answer, read_ready
from bots.seated_bot import LEAVE_S
from bots.table import EVIDENCE, LAST_LINES, MORE_LINES, TOO_LONG, TOO_MUCH, Reader, Stopped
from engine.core import Seat
from engine.game import AnyGame, Options
from engine.records import to_plain
from engine.referee import PlatformFault, Prompt, Reply, Verdict
from engine.replay import Terms
from engine.sentences import Sentence, list_sentence
from workers.sandbox.wasm.pack import FUEL_PER_MS
from workers.sandbox.wasm.turns import ADDRESSABLE_MB, Hold, Program, Turn


@dataclass(slots=True)
class Bot:
    """One seat's runner, and what is known of the bot in it."""

    hold: Hold
    bank: int  # fuel left: for the start, then for the match
    budget: int = 0  # for the present turn
    limit_ms: int = 0  # what the clock allows for it
    spent: int = 0
    questions: int = 0
    begun: bytes = b""  # what it wrote in its last turn
    errors: bytes = b""
    complained: int = 0  # bytes on stderr
    notes: Notebook = field(default_factory=Notebook)
    end: Turn | None = None  # the turn in which it ended

    def allow(self, limit_ms: int) -> int:
        self.limit_ms, self.budget = limit_ms, min(limit_ms * FUEL_PER_MS, self.bank)
        return self.budget

    def settle(self, stopped: Callable[[], bool] = bool) -> Turn:
        """Wait for the turn's end and pay for it."""
        turn = self.hold.finish(self.budget, stopped)
        self.bank -= turn.fuel
        self.spent += turn.fuel
        self.errors = (self.errors + turn.err)[-KEPT:]
        self.complained += len(turn.err)
        self.notes.hear(turn.err)
        self.begun, self.end = turn.out, turn if turn.end else None
        return turn


class FuelTable:
    """Plays `engine.referee.Table` with one runner for each seat, but where there is None: there sits somebody whom
    others ask. As a context manager it leaves none behind."""

    def __init__(
        self,
        holds: Sequence[Hold | None],
        programs: Sequence[Program | None],
        game: AnyGame,
        options: Options,
        terms: Terms,
    ) -> None:
        self.stopped: Callable[[], bool] = bool  # whether the match is to end now
        self.game, self.options, self.terms, self.seats = game, options, terms, len(holds)
        self.programs = {seat: program for seat, program in enumerate(programs) if program}
        self.bots = {seat: Bot(hold, terms.start_ms * FUEL_PER_MS) for seat, hold in enumerate(holds) if hold}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the match -------------------------------------------------------------------------------------------------

    def start(self) -> dict[Seat, Reply]:
        """Greet all bots at once; the faults of those that did not get ready. Raises PlatformFault."""
        options, terms = to_plain(self.options), self.terms
        clock = Clock(terms.answer_ms, terms.bank_ms, terms.start_ms, terms.increment_ms)
        for seat, bot in self.bots.items():
            hello = Hello(self.game.name, self.game.version, seat, self.seats, options, clock, limits=announced(terms))
            bot.hold.start(
                self.programs[seat], terms.memory_mb, terms.output_kb, encode(hello), bot.allow(terms.start_ms)
            )
        replies = self._collect(self.bots, read_ready)
        for bot in self.bots.values():
            bot.bank = self.terms.bank_ms * FUEL_PER_MS
        return {seat: reply for seat, reply in replies.items() if reply.verdict is not Verdict.OK}

    def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]:
        """One reply for each prompt. Raises PlatformFault."""
        if self.stopped():
            raise Stopped
        for seat, prompt in prompts.items():
            bot = self.bots[seat]
            bot.questions += 1
            bot.notes.turn()
            if not bot.end:
                left_ms = bot.bank // FUEL_PER_MS
                message = Asked(bot.questions, prompt.question, prompt.view, prompt.events, left_ms)
                bot.hold.go_on(encode(message), bot.allow(self.terms.answer_ms))
        return self._collect(prompts, read_answer)

    def dismiss(self, seat: Seat) -> None:
        """The seat will not be asked again: its runner is killed."""
        self.bots[seat].hold.leave()

    def end(self, places: list[int], scores: list[int], leave_s: float = LEAVE_S) -> None:
        """Tell those still here how it ended, give them a moment to say something, and close the table."""
        last = encode(End(places, scores))
        staying = [bot for bot in self.bots.values() if not bot.end and bot.hold.process]
        with suppress(PlatformFault):  # the match is played, whatever becomes of them
            for bot in staying:
                bot.hold.go_on(last, bot.allow(round(leave_s * 1000)), last=True)
            for bot in staying:
                bot.settle()
        self.close()

    def close(self) -> None:
        with ExitStack() as all_of_them:
            for bot in self.bots.values():
                all_of_them.callback(bot.hold.leave)

    def stderr(self, seat: Seat) -> str:
        """The end of what the seat's bot wrote on stderr, for its owner."""
        bot = self.bots[seat]
        return for_owner(bot.errors, bot.complained, self.terms.stderr_kb)

    def notes(self, seat: Seat) -> list[tuple[int, str]]:
        """Texts that the seat's bot wrote on stderr, by the number of its question, for its owner."""
        return self.bots[seat].notes.pages()

    def start_ms(self, seat: Seat) -> float | None:
        """Milliseconds of the clock that the seat's bot has spent, asked when it has just got ready."""
        return self.bots[seat].spent / FUEL_PER_MS

    def complained(self, seat: Seat) -> int:
        """Bytes that the seat's bot wrote on stderr."""
        return self.bots[seat].complained

    def exit_of(self, seat: Seat) -> Exit | None:
        """How the seat's bot ended, once it has."""
        end = self.bots[seat].end
        return Exit(end.code, None, self.cpu_s(seat), 0) if end else None

    def cpu_s(self, seat: Seat) -> float:
        """Seconds of the clock that the seat's bot has spent."""
        return self.bots[seat].spent / FUEL_PER_MS / 1000

    def took_s(self, seat: Seat) -> float:
        """Seconds that the seat's bot took to answer: it cannot wait."""
        return self.cpu_s(seat)

    def memory_mb(self, seat: Seat) -> float:
        """The most memory the seat's runner used, once it is gone."""
        return self.bots[seat].hold.peak_kb / 1024

    # --- one exchange ----------------------------------------------------------------------------------------------

    def _collect(self, seats: Iterable[Seat], read: Reader) -> dict[Seat, Reply]:
        return {seat: self._reply(self.bots[seat], read) for seat in seats}

    def _reply(self, bot: Bot, read: Reader) -> Reply:
        if bot.end:  # it ended after its last answer
            return Reply(None, 0.0, *self._loss(bot, bot.end))
        turn = bot.settle(self.stopped)
        ms = turn.fuel / FUEL_PER_MS
        line, line_end, more = turn.out.partition(b"\n")
        if turn.end == "fuel":
            return Reply(None, ms, Verdict.TIMED_OUT, self._evidence(bot, self._overspent(bot)))
        if turn.end == "output":
            most = f"{self.terms.output_kb * KB:,}"
            return Reply(None, ms, Verdict.OUTPUT_LIMIT, Sentence(TOO_MUCH, most=most))
        if len(line) >= (longest := self.terms.line_kb * KB):
            return Reply(None, ms, Verdict.OUTPUT_LIMIT, Sentence(TOO_LONG, most=f"{longest:,}"))
        if turn.end and not line_end:
            return Reply(None, ms, *self._loss(bot, turn))
        if line_end:
            bot.bank += self.terms.increment_ms * FUEL_PER_MS
        try:
            return Reply(read(_one_line(line, line_end, more)), ms)
        except ProtocolError as error:
            return Reply(None, ms, Verdict.BAD_PROTOCOL, error.reason)

    def _overspent(self, bot: Bot) -> str:
        if bot.budget < bot.limit_ms * FUEL_PER_MS:
            return Sentence("used up its time for the whole match")
        return Sentence("used more than the %(limit)s s that are allowed", limit=f"{bot.limit_ms / 1000:g}")

    def _loss(self, bot: Bot, turn: Turn) -> tuple[Verdict, str]:
        """Why the bot is gone."""
        if turn.end == "trap":
            return Verdict.CRASHED, self._evidence(
                bot, Sentence("did what is not possible here: %(why)s", why=turn.why)
            )
        spent_s = bot.spent / FUEL_PER_MS / 1000
        end = Exit(turn.code, None, spent_s, 0)
        verdict, reason = autopsy(end, tail(bot.errors, EVIDENCE), is_ready=bot.questions > 0)
        return verdict, self._evidence(bot, reason)

    def _evidence(self, bot: Bot, reason: str) -> str:
        lines = [reason, *unfinished(bot.begun, self.terms.line_kb * KB)]
        last = tail(bot.errors, EVIDENCE)
        return list_sentence([*lines, Sentence(LAST_LINES), last] if last else lines, Sentence("none"), "\n")


def announced(terms: Terms) -> dict[str, int]:
    """Limits that bots are told: none that a second play could not tell them again."""
    memory_mb = min(terms.memory_mb, ADDRESSABLE_MB)
    output = {"line_kb": terms.line_kb, "output_kb": terms.output_kb}
    return {"memory_mb": memory_mb, "threads": 1, "files_mb": 0, "temp_mb": 0, **output}


def _one_line(line: bytes, line_end: bytes, more: bytes) -> bytes:
    """The line a bot answered with. Raises ProtocolError if it wrote anything else."""
    if more:
        raise ProtocolError(Sentence(MORE_LINES, line=quote(more)))
    if line_end:
        return line
    if not line:
        raise ProtocolError(Sentence("wrote nothing and then waited for the next question"))
    sentence = "wrote only %(line)s, without an end of line, and then waited for the next question"
    raise ProtocolError(Sentence(sentence, line=quote(line)))
