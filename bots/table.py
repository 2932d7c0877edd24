"""A table of processes: greets the bots, asks them, keeps their clocks and says what went wrong.

One thread, one poll loop, raw reads and writes. Only CPU time decides; wall time ends those that sleep, and a stall of
the host voids the attempt instead (PlatformFault).
"""

import select
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from types import MappingProxyType, TracebackType
from typing import Self

from bots.autopsy import autopsy, unfinished
from bots.cpu_time import Meter
from bots.pipes import for_owner
from bots.poll_loop import STALL_S, Loop
from bots.process import OUTSIDE, Exit, Process
from bots.protocol import (
    KB,
    Asked,
    Clock,
    End,
    Hello,
    Output,
    ProtocolError,
    encode,
    quote,
    read_answer,
    read_ready,
)
from bots.seated_bot import LEAVE_S, Leaver, SeatedBot
from bots.stolen_time import measure_delays
from engine.core import Seat
from engine.game import AnyGame, Options
from engine.records import to_plain
from engine.referee import PlatformFault, Prompt, Reply, Verdict
from engine.sentences import Sentence, list_sentence

WAITING_S = 30.0  # wall time that the bots of one match may let others wait without computing, all together
MOST_WAITING_S, LEAST_WAITING_S = 10.0, 5.0  # of it for one of them
SETTLE_S = 0.05  # in which a bot that has answered wrongly writes the rest of it
END_S = 1.0  # to end after its pipes have: a busy machine takes its time, and a crash is told by its exit code
EVIDENCE = 12  # lines of stderr in a fault's detail
USUAL = Output()
UNLIMITED: Mapping[str, int] = MappingProxyType({})

NO_ANSWER = "gave no answer for %(waited)s s and used %(used)s s of CPU time; %(limit)s s are allowed"
NO_BYTE = (
    "gave no answer for %(waited)s s and used %(used)s s of CPU time; %(limit)s s are allowed; "
    "not one byte came: end each line, and flush it"
)
WAITED = (
    "kept all waiting for %(waited)s s of this match without computing, %(mean)s s at each of its answers; "
    "%(limit)s s are allowed in all"
)
WAITED_TO_START = (
    "kept all waiting for %(waited)s s of this match without computing, %(start)s s of them until it was ready; "
    "%(limit)s s are allowed in all"
)
OVERSPENT = "used %(used)s s of CPU time; %(limit)s s are allowed"
TOO_LONG = "wrote a line of more than %(most)s bytes"
TOO_MUCH = "wrote more than %(most)s bytes in one match"
MORE_LINES = "wrote more than one line: %(line)s after its answer; print to stderr instead"
CLOSED_OUTPUT = "closed its standard output and kept running"
CLOSED_INPUT = "closed its standard input and kept running"
NOISE = "It had written %(line)s before it was asked; print to stderr instead."
UNFLUSHED = "%(count)s bytes came only when its input ended; flush after each line. They are: %(line)s"
USED = "It used %(used)s s of CPU time and %(memory)s MB of memory in all."
LAST_LINES = "Its last lines on stderr:"  # what follows is the bot's own

Reader = Callable[[bytes], object]


class Stopped(PlatformFault):
    """The match was ended before its end: there is no more time for it, or nobody waits for it."""


def guard_s(cpu_limit_s: float) -> float:
    """The fair wall time that goes with a limit of CPU time: far above it, so that only bots that sleep reach it."""
    return 5 * cpu_limit_s + 5


def waiting_s(seats: int) -> float:
    """Return the wall time that one of so many bots may let a match wait without computing."""
    return min(MOST_WAITING_S, max(LEAST_WAITING_S, WAITING_S / max(1, seats)))


class ProcessTable:
    """Plays `engine.referee.Table` with one process for each seat. As a context manager it leaves none behind."""

    def __init__(
        self,
        processes: Sequence[Process | None],
        game: AnyGame,
        options: Options,
        clock: Clock,
        output: Output = USUAL,
        limits: Mapping[str, int] = UNLIMITED,
    ) -> None:
        """Take over processes just started, by seat; on PlatformFault they stay the caller's. A seat with None is
        answered for by the caller.

        `limits` are enforced by the sandbox; here they are only sent to the bots.
        """
        self.game, self.options, self.clock, self.output = game, options, clock, output
        self.limits = {**limits, "line_kb": output.line_kb, "output_kb": output.output_kb}
        self.stopped: Callable[[], bool] = bool  # whether the match is to end now
        self._loop, self._kept_before = Loop(), measure_delays()
        self.seats = len(processes)
        self.bots = {seat: SeatedBot(process, output) for seat, process in enumerate(processes) if process}
        for bot in self.bots.values():
            self._loop.watch(bot.wire.stdout, select.POLLIN, bot.wire.receive)
            self._loop.watch(bot.wire.stderr, select.POLLIN, bot.wire.overhear)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    # --- the match -------------------------------------------------------------------------------------------------

    def start(self) -> dict[Seat, Reply]:
        """Greet all bots at once; the faults of those that did not get ready. Raises PlatformFault."""
        options = to_plain(self.options)
        for seat, bot in self.bots.items():
            hello = Hello(self.game.name, self.game.version, seat, self.seats, options, self.clock, limits=self.limits)
            bot.meter.begin(self.clock.start_ms / 1000)
            self._send(bot, encode(hello))
        replies = self._collect(self.bots, self.clock.start_ms / 1000, read_ready)
        for bot in self.bots.values():
            bot.meter.bank_s = self.clock.bank_ms / 1000
        return {seat: reply for seat, reply in replies.items() if reply.verdict is not Verdict.OK}

    def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]:
        """One reply for each prompt. Raises PlatformFault."""
        self._loop.turn(0)
        for seat, prompt in prompts.items():
            bot = self.bots[seat]
            bot.noise, bot.wire.received = bot.wire.received, b""
            bot.questions += 1
            bot.wire.notes.turn()
            left_ms = round(bot.meter.begin() * 1000)
            self._send(bot, encode(Asked(bot.questions, prompt.question, prompt.view, prompt.events, left_ms)))
        return self._collect(prompts, self.clock.answer_ms / 1000, read_answer)

    def dismiss(self, seat: Seat) -> None:
        """The seat will not be asked again: its process is killed."""
        self._bury(self.bots[seat])

    def end(self, places: list[int], scores: list[int], leave_s: float = LEAVE_S) -> None:
        """Tell those still here how it ended, give them a moment to leave, and close the table.

        They may compute for `leave_s`, but sleep for LEAVE_S.
        """
        staying = [bot for bot in self.bots.values() if bot.exit is None]
        for bot in staying:
            bot.process.note_memory()
            self._send(bot, encode(End(places, scores)))
            self._loop.unwatch(bot.wire.stdin)
            bot.wire.hang_up()
        self._let_leave(staying, leave_s)
        self.close()

    def close(self) -> None:
        """Kill the processes that still run, and reap all."""
        for bot in self.bots.values():
            if bot.exit is None:
                bot.process.kill()  # all at once: dying takes each a while
        with ExitStack() as all_of_them:
            for bot in self.bots.values():
                all_of_them.callback(self._bury, bot)

    def stderr(self, seat: Seat) -> str:
        """The end of what the seat's bot wrote on stderr, for its owner."""
        wire = self.bots[seat].wire
        return for_owner(wire.errors, wire.complained, self.output.stderr_kb)

    def notes(self, seat: Seat) -> list[tuple[int, str]]:
        """Return what the seat's bot wrote on stderr, by the number of its question, for its owner."""
        return self.bots[seat].wire.notes.pages()

    def start_ms(self, seat: Seat) -> float | None:
        """CPU time that the seat's process took to get ready; None where another's clock is not told."""
        return self.bots[seat].process.cpu_s() * 1000 if OUTSIDE else None

    def complained(self, seat: Seat) -> int:
        """Bytes that the seat's bot wrote on stderr."""
        return self.bots[seat].wire.complained

    def exit_of(self, seat: Seat) -> Exit | None:
        """How the seat's process ended, once it is gone."""
        return self.bots[seat].exit

    def cpu_s(self, seat: Seat) -> float:
        """CPU seconds of the seat's process, once it is gone."""
        end = self.bots[seat].exit
        return end.cpu_s if end else 0.0

    def took_s(self, seat: Seat) -> float:
        """Seconds that the seat's bot took to answer, waiting included, once it is gone."""
        return self.bots[seat].took_s

    def memory_mb(self, seat: Seat) -> float:
        """The most memory the seat's process used, once it is gone."""
        end = self.bots[seat].exit
        return end.max_rss_kb / 1024 if end else 0.0

    # --- one exchange ----------------------------------------------------------------------------------------------

    def _send(self, bot: SeatedBot, line: bytes) -> None:
        bot.wire.unsent += line
        if bot.wire.send():
            self._loop.watch(bot.wire.stdin, select.POLLOUT, bot.wire.send)
        bot.process.resume()

    def _collect(self, seats: Iterable[Seat], limit_s: float, read: Reader) -> dict[Seat, Reply]:
        replies: dict[Seat, Reply] = {}
        waiting = list(seats)
        self._loop.begin()
        while waiting:
            self._loop.tick()
            if self.stopped():
                raise Stopped
            for seat in tuple(waiting):
                if reply := self._look(self.bots[seat], limit_s, read):
                    replies[seat] = reply
                    waiting.remove(seat)
        return replies

    def _look(self, bot: SeatedBot, limit_s: float, read: Reader) -> Reply | None:
        """The bot's reply, if it is there or will never be."""
        wire, meter = bot.wire, bot.meter
        used_s = meter.used_s()
        if used_s > limit_s and not self._excused(used_s, limit_s, self._loop.kept.stolen_s):
            return self._expel(bot, Verdict.TIMED_OUT, Sentence(OVERSPENT, used=f"{used_s:.2f}", limit=f"{limit_s:g}"))
        if used_s > meter.bank_s and not self._excused(used_s, meter.bank_s, self._loop.kept.stolen_s):
            return self._expel(bot, Verdict.TIMED_OUT, Sentence("used up its CPU time for the whole match"))
        line, newline, surplus = wire.received.partition(b"\n")
        if len(line) >= (longest := self.output.line_kb * KB):
            return self._expel(bot, Verdict.OUTPUT_LIMIT, Sentence(TOO_LONG, most=f"{longest:,}"))
        if wire.total > wire.most:
            return self._expel(bot, Verdict.OUTPUT_LIMIT, Sentence(TOO_MUCH, most=f"{wire.most:,}"))
        if newline:
            return self._take(bot, line, surplus, read)
        if wire.closed or wire.broken:
            return self._lose(bot)
        return self._wake(bot, limit_s)

    def _take(self, bot: SeatedBot, line: bytes, surplus: bytes, read: Reader) -> Reply:
        """The reply that it has written; it is stopped until its next question."""
        reply = self._read(bot, line, surplus, read)
        if reply.verdict is not Verdict.OK:
            self._settle(bot)
        bot.process.pause()
        return reply

    def _settle(self, bot: SeatedBot) -> None:
        """Drop what else a bot writes with a wrong line, which would be taken for its next answer."""
        deadline = time.monotonic() + SETTLE_S
        while time.monotonic() < deadline and not bot.wire.closed:
            self._loop.turn(10)
        bot.wire.received = b""

    def _read(self, bot: SeatedBot, line: bytes, surplus: bytes, read: Reader) -> Reply:
        ms = bot.meter.end() * 1000
        bot.meter.bank_s += self.clock.increment_ms / 1000
        noise, bot.noise, bot.wire.received = bot.noise, b"", b""
        if noise:
            reason = Sentence("wrote %(line)s before it was asked; print to stderr instead", line=quote(noise))
        elif surplus:
            reason = Sentence(MORE_LINES, line=quote(surplus))
        else:
            try:
                return Reply(read(line), ms)
            except ProtocolError as error:
                reason = error.reason
        return Reply(None, ms, Verdict.BAD_PROTOCOL, reason)

    def _wake(self, bot: SeatedBot, limit_s: float) -> Reply | None:
        """No answer yet: end a bot that sleeps, unless this process itself stood still."""
        waited_s = bot.meter.waited_s()
        longest_s = guard_s(limit_s)
        idle_s = self._idle_s(bot)
        if waited_s < longest_s and idle_s < waiting_s(self.seats):
            return None
        if self._loop.stalled_s:
            raise PlatformFault(f"the host stood still for {self._loop.stalled_s:.1f} s while a bot was asked")
        since = self._loop.kept
        is_idle = idle_s >= waiting_s(self.seats)
        if not is_idle and self._excused(waited_s, longest_s, since.stolen_s + since.starved_s):
            return None
        unflushed = b"" if bot.wire.received else self._last_words(bot)
        allowed_s = waiting_s(self.seats) if is_idle else longest_s
        is_silent = not bot.wire.received and not unflushed
        reason: str = self._waited(bot, waited_s, idle_s, allowed_s, is_silent=is_silent)
        if unflushed:
            reason = f"{reason}\n{Sentence(UNFLUSHED, count=f'{len(unflushed):,}', line=quote(unflushed))}"
        return self._expel(bot, Verdict.TIMED_OUT, reason)

    def _idle_s(self, bot: SeatedBot) -> float:
        """Return the seconds that it let the match wait, without what the machine kept from it or from us."""
        if (idle_s := bot.meter.idle_s(waiting_s(self.seats))) < waiting_s(self.seats):
            return idle_s
        since = measure_delays().since(self._kept_before)
        return idle_s - since.stolen_s - since.starved_s - since.delayed_s - self._loop.stalls_s

    def _waited(self, bot: SeatedBot, waited_s: float, idle_s: float, limit_s: float, *, is_silent: bool) -> Sentence:
        """Return how long it let the match wait, and how long is allowed."""
        start, *answers = bot.meter.waits or [0.0]
        filled = {"waited": f"{idle_s:.1f}", "limit": f"{limit_s:g}"}
        if bot.questions == 0 or waited_s > idle_s / 2:
            filled |= {"waited": f"{waited_s:.1f}", "used": f"{bot.meter.used_s():.2f}"}
            return Sentence(NO_BYTE if is_silent else NO_ANSWER, **filled)
        if not answers or start > idle_s / 2:
            return Sentence(WAITED_TO_START, start=f"{start:.1f}", **filled)
        return Sentence(WAITED, mean=f"{sum(answers) / len(answers):.1f}", **filled)

    def _last_words(self, bot: SeatedBot) -> bytes:
        """End the input of a bot that sleeps, and return what it writes then: most programs flush when they leave."""
        self._loop.unwatch(bot.wire.stdin)
        bot.wire.hang_up()
        self._let_leave([bot], LEAVE_S)
        words, bot.wire.received = bot.wire.received, b""
        return words

    def _excused(self, measured_s: float, limit_s: float, kept_s: float) -> bool:
        """Whether a bot is over its limit only by what the machine kept from all. Too much of that is our fault."""
        if measured_s - kept_s > limit_s:
            return False
        if kept_s > STALL_S and measured_s > 2 * limit_s:
            raise PlatformFault(f"the machine kept {kept_s:.1f} s from all while a bot was asked")
        return True

    # --- ends ------------------------------------------------------------------------------------------------------

    def _let_leave(self, bots: Iterable[SeatedBot], leave_s: float) -> None:
        """Wait until the bots have ended their output, or have had time to."""
        leavers = [Leaver(bot, Meter(bot.process), time.monotonic()) for bot in bots]
        while leavers := [leaver for leaver in leavers if leaver.may_stay(leave_s)]:
            self._loop.turn(10)

    def _lose(self, bot: SeatedBot) -> Reply:
        """Return why the bot's pipes have ended, after finding out whether it has."""
        if not bot.process.ended(END_S):
            closed = CLOSED_OUTPUT if bot.wire.closed else CLOSED_INPUT
            return self._expel(bot, Verdict.CRASHED, Sentence(closed))
        ms = bot.meter.used_s() * 1000
        end = self._bury(bot)
        verdict, reason = autopsy(end, bot.wire.tail(lines=80, characters=8_000), is_ready=bot.questions > 0)
        return Reply(None, ms, verdict, self._evidence(bot, reason))

    def _expel(self, bot: SeatedBot, verdict: Verdict, reason: str) -> Reply:
        ms = bot.meter.used_s() * 1000
        self._bury(bot)
        return Reply(None, ms, verdict, self._evidence(bot, reason))

    def _evidence(self, bot: SeatedBot, reason: str) -> str:
        """Return for a bot that is gone: why, what it began or wrote unasked, what it used, and the end of its
        stderr."""
        end = self._bury(bot)
        lines = [reason, *unfinished(bot.wire.received, self.output.line_kb * KB)]
        if bot.noise:
            lines.append(Sentence(NOISE, line=quote(bot.noise)))
        lines.append(Sentence(USED, used=f"{end.cpu_s:.2f}", memory=f"{end.max_rss_kb / 1024:.0f}"))
        if tail := bot.wire.tail(EVIDENCE):
            lines += [Sentence(LAST_LINES), tail]
        return list_sentence(lines, Sentence("none"), "\n")

    def _bury(self, bot: SeatedBot) -> Exit:
        """Kill the process if need be, reap it and close its pipes."""
        if not bot.killed:
            bot.killed, bot.took_s = True, bot.meter.took_s()
            for fd in (bot.wire.stdin, bot.wire.stdout, bot.wire.stderr):
                self._loop.unwatch(fd)
            bot.process.kill()
            bot.process.ended(LEAVE_S)
            bot.wire.drain()
        if bot.exit is None:
            bot.exit = bot.process.wait()
        return bot.exit
