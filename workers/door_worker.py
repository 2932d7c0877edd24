"""`python3 manage.py worker --site https://boardroom.example --token T`: match workers that come in by the door.

One process a core, and those for practices. They need the site's address and a token, open connections to it alone, and
know no broker.
"""

import argparse
import logging
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import Event

from bots.process import share_one_core
from engine.records import RecordError, to_plain
from workers import capacity, logs, priority
from workers.addresses import BadSetting
from workers.bundles import LeaseOver
from workers.door_client import Away, Door, Stop, TooLong, checked_site, pause
from workers.door_words import PATH, Answer, Word
from workers.heartbeat import Heartbeat
from workers.match import Kit, report_match
from workers.orders import TAG, Held, MatchOrder, Order, Report, Sized, read_order, refuse_order
from workers.outfit import make_kit, refuse_secrets, worker_offers
from workers.report_sizes import messages, sized
from workers.sandbox.errors import SandboxError
from workers.set_progress import SetProgress
from workers.turn_orders import Turn, TurnOrder, read_turn, turn_kind
from workers.turns import play_turn

VOIDS_IN_A_ROW = 3  # then this worker is likely what is wrong
STOPPED, CANNOT_START = 3, 2  # exit codes: the site refuses it, or something is missing here

log = logging.getLogger(__name__)


@dataclass(slots=True)
class DoorWorker:
    """Plays what it is given until it is to leave. `over`: matches for which the site waits no more."""

    door: Door
    kit: Kit
    over: set[int] = field(default_factory=set)
    stopped: list[Stop] = field(default_factory=list)  # why the site refused it while it played

    @property
    def leaving(self) -> Event:
        return self.door.leaving

    def work(self) -> None:
        """Raises Stop."""
        try:
            self.leaving.wait(pause(0))  # many may be started at once
            answer = self.door.ask("acquire")
            while answer and not self.leaving.is_set():
                answer = self._apart(answer.order) if answer.order else self._ask_again(answer)
        finally:
            self._say_that_it_leaves()

    def _apart(self, plain: object) -> Answer | None:
        """Play an order; a fault of our own ends this order only, and the site gives it to another. Raises Stop."""
        try:
            return self.play(plain)
        except Stop:
            raise
        except Exception:
            log.exception("this worker failed")
            return self.door.ask("acquire")

    def _ask_again(self, answer: Answer) -> Answer | None:
        if answer.why:
            log.warning("resting: %s", answer.why)
        self.leaving.wait(max(answer.ask_again, 0.3) * (0.5 + pause(0)))
        return None if self.leaving.is_set() else self.door.ask("acquire")

    def _say_that_it_leaves(self) -> None:
        try:
            self.door.say("abort", reason="it leaves")
        except (Away, Stop) as error:
            log.warning("%s", error)

    def play(self, plain: object) -> Answer | None:
        """Play an order, and return what the site answers to the last report. Raises Stop."""
        return self._play_turn(read_turn(plain)) if turn_kind(plain) else self._play_set(plain)

    def _play_turn(self, order: TurnOrder) -> Answer | None:
        """Play a turn, and say so every ten seconds. One of a practice may be answered by the next within a second."""
        is_over, turn = Event(), Turn.of(order)
        with (
            logs.log_about(**{turn.kind: turn.number, "turn": turn.turn}),
            Heartbeat([turn], partial(self._tell_turn, is_over)) as heartbeat,
        ):
            self.kit.is_over = is_over.is_set
            try:
                report = play_turn(order, self.kit)
            finally:
                self.kit.is_over = bool
            heartbeat.end(turn)
        if self.stopped:
            raise self.stopped[0]
        if report is None:
            return self.door.ask("acquire")
        more = not self.leaving.is_set()
        try:
            answer = self.door.ask("report", reports=[sized(report).plain], more=more)
        except TooLong as refused:
            log.error("%s", refused)
            void = to_plain(turn.given_back(self.kit.worker, str(refused)))
            answer = self.door.ask("report", reports=[void], more=more)
        if answer:
            self._hear(answer)
        return answer

    def _tell_turn(self, is_over: Event, turn: Turn) -> None:
        """Raises Away."""
        try:
            answer = self.door.say("report", reports=[to_plain(turn.begun(self.kit.worker))])
        except Stop as stop:
            self.stopped.append(stop)
            is_over.set()
            return
        if answer.turn_over:
            is_over.set()

    def _play_set(self, plain: object) -> Answer | None:
        try:
            order = read_order(plain)
        except RecordError as error:
            log.error("order refused: %s", error)
            return self._hand_in([sized(report) for report in refuse_order(plain, self.kit.worker, str(error))])
        self.over.clear()
        progress = SetProgress(order.matches, self._tell)
        with progress:
            for match in order.matches:
                with logs.log_about(match=match.match, lease=match.lease):
                    report = self._settle(order, match, progress)
                    progress.end(match, sized(report) if report else None)
        if self.stopped:
            raise self.stopped[0]
        answer = self._hand_in(progress.ended)
        if self.kit.voids >= VOIDS_IN_A_ROW:
            raise Stop(f"{self.kit.voids} matches were void in a row: the last lines above say why")
        return answer

    def _settle(self, order: Order, match: MatchOrder, progress: SetProgress) -> Report | None:
        """The report of a match, or None if nobody waits for one."""
        if self._is_over(match):
            return None
        leaves = "the worker is leaving" if self.leaving.is_set() or self.kit.voids >= VOIDS_IN_A_ROW else ""
        if reason := leaves or capacity.capacity_refusal(order.bots_use(len(match.seats)), capacity.this_machine()):
            return Report(match.match, match.lease, self.kit.worker, "returned", reason, secret=match.secret)
        progress.begin()
        self.kit.is_over = lambda: self._is_over(match)
        try:
            report = report_match(order, match, self.kit)
        except LeaseOver:
            log.info("dropped: its lease is over")
            return None
        finally:
            self.kit.is_over = bool
        log.info("%s in %.1f s%s", report.outcome, report.seconds, report.reason and f": {report.reason}")
        self.kit.voids = self.kit.voids + 1 if report.outcome == "void" else 0
        return report

    def _is_over(self, match: MatchOrder) -> bool:
        return match.match in self.over or bool(self.stopped)

    def _tell(self, reports: Sequence[Sized], in_hand: Sequence[MatchOrder]) -> None:
        """Raises Away."""
        held = [to_plain(Held(match.match, match.lease, match.secret)) for match in in_hand]
        for message in messages(reports) or [[]]:
            try:
                answer = self.door.say("report", reports=[word.plain for word in message], held=held)
            except TooLong:
                return  # the end of the set deals with it
            except Stop as stop:
                self.stopped.append(stop)
                return
            self._hear(answer)

    def _hand_in(self, reports: Sequence[Sized]) -> Answer | None:
        """Hand in what is left at the end of a set, and take the next. Raises Stop."""
        parts, answer = messages(reports) or [[]], None
        for number, message in enumerate(parts, 1):
            more = number == len(parts) and not self.leaving.is_set()
            answer = self._report([word.plain for word in message], more=more)
            if answer:
                self._hear(answer)
        return answer

    def _report(self, reports: list[object], *, more: bool) -> Answer | None:
        try:
            return self.door.ask("report", reports=reports, more=more)
        except TooLong as refused:
            log.error("%s", refused)
            void = [
                Report(plain["match"], plain["lease"], "", "void", str(refused), secret=plain["secret"])
                for plain in reports
                if isinstance(plain, dict)
            ]
            return self.door.ask("report", reports=[to_plain(report) for report in void], more=more)

    def _hear(self, answer: Answer) -> None:
        self.over.update(answer.over)
        for match, reason in answer.refused.items():
            log.warning("the site refuses the report of %s: %s", match, reason)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser("manage.py worker", description="Play matches for a site, by its address alone.")
    environment = os.environ.get
    parser.add_argument("--site", default=environment("SITE_URL", ""), help="its address; or in SITE_URL")
    parser.add_argument("--token", default=environment("WORKER_TOKEN", ""), help="made there; or in WORKER_TOKEN")
    cores = os.cpu_count() or 1
    parser.add_argument(
        "--processes", type=int, default=cores, help="one plays one match at a time; default: %(default)s"
    )
    parser.add_argument(
        "--practices", type=int, default=0, help="so many more, for practices of its space; default: %(default)s"
    )
    options = parser.parse_args(arguments)
    try:
        logs.configure()
        refuse_secrets(os.environ)
        site = checked_site(options.site)
        if not options.token:
            raise BadSetting("it needs --token, which `manage.py fleet token` makes on the site")
        for name, least in (("processes", 0 if options.practices else 1), ("practices", 0)):
            if not least <= getattr(options, name) <= 64:
                raise BadSetting(f"--{name} is a number from {least} to 64")
        if options.processes + options.practices > 1:
            return start_several(options.processes, options.practices, site, options.token)
        return work(site, options.token, practices=bool(options.practices))
    except (OSError, ValueError, SandboxError) as error:
        print(f"This match worker cannot start: {error}", file=sys.stderr)
        return CANNOT_START
    except Stop as stop:
        print(f"This match worker ends: {stop}", file=sys.stderr)
        return STOPPED


def work(site: str, token: str, *, practices: bool = False) -> int:
    """Raises Stop, and what is wrong with this machine."""
    if not practices:  # whoever practises waits for the answers
        priority.lower()
    if core := os.environ.get("WORKER_CORE"):
        share_one_core(int(core))
    process = f"{os.getpid()}-{secrets.token_hex(4)}"
    kit = make_kit(f"door/{process}", f"{site}{PATH}", token)
    try:
        with leaving_at_signals() as leaving:
            word = Word(process, TAG, worker_offers(kit), practices=practices)
            DoorWorker(Door(site, token, leaving, word), kit).work()
    finally:
        kit.arena.close()
    return 0


@contextmanager
def leaving_at_signals() -> Iterator[Event]:
    """The first SIGTERM or Ctrl-C ends the worker after the match in hand, the second at once."""
    leaving = Event()

    def obey(*_: object) -> None:
        if leaving.is_set():
            os._exit(1)  # the sandbox sees that this process is gone, and every bot dies with it
        leaving.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, obey)
    yield leaving


def start_several(count: int, practices: int, site: str, token: str) -> int:
    """One on each core, and those for practices; all end once one does. Returns the worst exit code."""
    known = {**os.environ, "SITE_URL": site, "WORKER_TOKEN": token}
    command = [sys.executable, "-m", "workers.door_worker"]
    one, other = ([*command, "--processes", str(n), "--practices", str(1 - n)] for n in (1, 0))
    cores = [str(number % (os.cpu_count() or 1)) for number in range(count)]
    children = [subprocess.Popen(one, env=known | {"WORKER_CORE": core}) for core in cores]
    children += [subprocess.Popen(other, env=known) for _ in range(practices)]
    leaving = Event()  # a second signal would end them at once

    def end(*_: object) -> None:
        for child in children:
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
        leaving.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, lambda *_: leaving.set())  # a terminal tells all of them
    while all(child.poll() is None for child in children):
        time.sleep(0.2)
    if not leaving.is_set():
        end()
    codes = {child.wait() for child in children}
    return max(map(abs, codes - {-signal.SIGTERM}), default=0)  # one that had not begun to listen ends by the signal


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
