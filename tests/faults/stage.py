"""The whole platform on stage: servers, web, dispatchers, recorders and match workers, all to be struck at will."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event, Timer

from tests.faults.disk import Disk
from tests.faults.relay import Relay
from tests.faults.stepped import FOLDER, SKEW, TWICE
from tests.faults.steps import Trap
from tournaments.ops.launcher.data_dir import Data
from tournaments.ops.launcher.embedded_server import Server
from tournaments.ops.launcher.processes import site_programs, worker_programs
from tournaments.ops.launcher.server_start import log_tail
from tournaments.ops.launcher.subprocess_group import Program, end_group, spawn_program, stop

STEPPED = ("-m", "tests.faults.stepped")
TICK = 0.04
STARTS = 6.0  # seconds until a program is sure to listen to signals
ENDS_BY_ITSELF = ("web", "worker")  # granian when its child was killed; a worker when all it plays is void


@dataclass(slots=True)
class Stage:
    """`home` has the data folder of an `up` as its subfolder `data`, on `disk` if there could be one."""

    home: Path
    data: Data
    port: int
    disk: Disk | None
    programs: dict[str, Program] = field(default_factory=dict)
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    born: dict[str, float] = field(default_factory=dict)
    relays: dict[str, Relay] = field(default_factory=dict)
    later: list[tuple[float, str]] = field(default_factory=list)  # whom to restart, and when
    timers: list[Timer] = field(default_factory=list)
    away: dict[str, float] = field(default_factory=dict)  # servers, and until when they are left so
    sessions: set[int] = field(default_factory=set)  # of every process that was ever started
    trouble: list[str] = field(default_factory=list)
    also: list[Callable[[], None]] = field(default_factory=list)  # what else is to be tended

    @property
    def site(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def trap(self) -> Trap:
        return Trap(self.home)

    @property
    def servers(self) -> dict[str, Server]:
        return {"postgres": self.data.postgres, "valkey": self.data.valkey}

    def build(self, workers: int, copies: int) -> None:
        """Build all programs, as `up` starts them but for the wrapping, with `copies` dispatchers and recorders."""
        self.trap.make()
        (self.home / "tmp").mkdir()
        variables = {**os.environ, "SITE_URL": self.site, FOLDER: str(self.home), "TMPDIR": str(self.home / "tmp")}
        for program in site_programs(variables, self.data.folder, self.port):
            for number in range(1 if program.name == "web" else copies):
                self._add(f"{program.name}-{number + 1}", program)
        for program in worker_programs(variables, self.data.folder, workers):
            relay = self.relays[program.name] = Relay(self.home / f"{program.name}.sock", self.data.valkey.socket)
            told_it = {**program.environment, "REDIS_URL": relay.url, "WORKER_NAME": program.name, TWICE: "1"}
            told_it = {name: value for name, value in told_it.items() if name != "WORKER_CORE"}
            self._add(program.name, replace(program, environment=told_it | {FOLDER: str(self.home)}))

    def _add(self, name: str, program: Program) -> None:
        log = program.log.with_name(f"{name}.log")
        self.programs[name] = replace(program, name=name, log=log, command=wrapped(name, program.command))

    def open(self) -> None:
        for name in self.programs:
            self.start(name)

    def start(self, name: str, **environment: str) -> None:
        program = self.programs[name]
        process = spawn_program(replace(program, environment={**program.environment, **environment}))
        self.running[name], self.born[name] = process, time.monotonic()
        self.sessions.add(process.pid)

    def names(self, kind: str) -> list[str]:
        return [name for name in (*self.programs, *self.servers) if name.partition("-")[0] == kind]

    def web_sessions(self) -> set[int]:
        return {self.running[name].pid for name in self.names("web") if name in self.running}

    def process(self, name: str) -> subprocess.Popen[bytes]:
        process = self.servers[name].process if name in self.servers else self.running[name]
        assert process
        return process

    def signal(self, name: str, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            self.process(name).send_signal(number)

    def restart(self, name: str) -> None:
        """Restart it in good order, as an operator would."""
        if name in self.servers:
            self.servers[name].start()
            return
        stop([(self.programs[name], self.running[name])])
        self.start(name)

    def after(self, seconds: float, act: Callable[[], None]) -> None:
        """Act in a thread of its own: this one may be waiting for the very server that is to be woken."""
        timer = Timer(seconds, act)
        timer.daemon = True
        timer.start()
        self.timers.append(timer)

    def restart_after(self, seconds: float, name: str) -> None:
        self.later.append((time.monotonic() + seconds, name))

    def wounded(self) -> bool:
        """Whether something is still to be undone."""
        self.timers = [timer for timer in self.timers if timer.is_alive()]
        return bool(self.timers or self.later)

    def tend(self) -> None:
        """Call this often: revive what has died, and do what else is to be done."""
        self.revive()
        for act in self.also:
            act()

    def revive(self) -> None:
        """Restart what is due, and start again what has died, as any supervisor does."""
        now = time.monotonic()
        due = [entry for entry in self.later if entry[0] <= now]
        self.later = [entry for entry in self.later if entry[0] > now]
        for _, name in due:
            self.restart(name)
        for name, process in list(self.running.items()):
            if process.poll() is not None:
                self._replace(name, process)
        for name, server in self.servers.items():
            if server.process and server.process.poll() is not None and self._may_start(name, now):
                server.start()

    def _may_start(self, name: str, now: float) -> bool:
        full = self.disk is not None and os.statvfs(self.data.folder).f_bfree == 0
        return not full and now >= self.away.get(name, 0)

    def _replace(self, name: str, process: subprocess.Popen[bytes]) -> None:
        if process.returncode != -signal.SIGKILL and not name.startswith(ENDS_BY_ITSELF):
            output = log_tail(self.programs[name].log)
            self.trouble.append(f"{name} ended by itself, with code {process.returncode}:\n{output}")
        end_group(process)
        self.start(name)

    def until(self, what: str, look: Callable[[], bool], seconds: float) -> float:
        """How long it took. Raises AssertionError, with the logs, if it was not within so many seconds."""
        began, pause = time.monotonic(), Event()
        while not look():
            self.tend()
            assert time.monotonic() - began < seconds, f"{self.logs()}\n{what}: not within {seconds:g} s"
            pause.wait(TICK)
        return time.monotonic() - began

    def logs(self) -> str:
        logs = sorted((self.data.folder / "logs").glob("*.log"))
        return "\n".join(f"--- {log.name}\n{log.read_text(errors='replace')[-2000:]}" for log in logs)

    def leave(self) -> dict[str, int]:
        """End all but the servers in good order; return the exit codes. All have started: a signal in the middle of
        its first lines ends any program."""
        youngest = max(self.born.values())
        self.until("all to have started", lambda: time.monotonic() - youngest > STARTS, 2 * STARTS)
        codes: dict[str, int] = {}
        for kind in ("dispatcher", "worker", "recorder", "web"):
            names = self.names(kind)
            stop([(self.programs[name], self.running[name]) for name in names])
            codes |= {name: self.running.pop(name).returncode for name in names}
        return codes

    def close(self) -> None:
        for process in self.running.values():
            end_group(process)
        for server in self.servers.values():
            server.stop()
        for relay in self.relays.values():
            relay.close()


def wrapped(name: str, command: tuple[str | Path, ...]) -> tuple[str | Path, ...]:
    """The same program, in a process that can be made to end at a step."""
    kind = name.partition("-")[0]
    if kind == "web":
        return (*command[:-1], "tests.faults.web:application")
    if kind == "dispatcher":
        return (command[0], *STEPPED, "django", "dispatch")
    numbered = tuple(f"{name}@%h" if part == "recorder@%h" else part for part in command[2:])
    return (command[0], *STEPPED, *numbered)


def skewed(seconds: float) -> Mapping[str, str]:
    return {SKEW: str(seconds)}
