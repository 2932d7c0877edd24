"""A whole site at play, and what each part of it spends on a match: processor time, and commands of the broker."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.db import connection

from tests.bench.ledger import seconds_of, until
from tournaments.core.broker import queues
from tournaments.models import Result
from tournaments.ops.launcher.first_processes import free_port
from tournaments.ops.launcher.processes import site_programs, worker_programs
from tournaments.ops.launcher.subprocess_group import spawn_program, stop

OWN = ("recorder", "dispatcher")  # parts that are processes of ours; the others are servers
PARTS = (*OWN, "database", "broker")


@dataclass(frozen=True, slots=True)
class Spent:
    """On one match, in milliseconds of processor time by part; `commands` are the broker's."""

    ms: Mapping[str, float]
    commands: float
    matches: int

    @property
    def total(self) -> float:
        return sum(self.ms.values())

    def __str__(self) -> str:
        return ", ".join(f"{part} {self.ms[part]:.1f}" for part in PARTS) + f" ms; {self.commands:.0f} commands"


def watch(crew: Mapping[str, int], matches: int) -> Spent:
    """Watch the site while so many more matches are recorded."""
    before, asked, before_count = readings(crew), commands(), Result.objects.count()
    until(lambda: Result.objects.count() >= before_count + matches)
    after, played = readings(crew), Result.objects.count() - before_count
    spent = {part: 1000 * (after[part] - before[part]) / played for part in before}
    return Spent(spent, (commands() - asked) / played, played)


@contextmanager
def at_play(folder: Path, workers: int) -> Iterator[dict[str, int]]:
    """The whole site with so many match workers, once each has had the time to begin. Process ids by name."""
    port = free_port(0)
    environment = {**os.environ, "SITE_URL": f"http://127.0.0.1:{port}"}
    programs = [*site_programs(environment, folder, port), *worker_programs(environment, folder, workers)]
    running = [(program, spawn_program(program)) for program in programs]
    try:
        before = Result.objects.count()
        until(lambda: Result.objects.count() > before + workers)
        yield {program.name: process.pid for program, process in running}
    finally:
        stop(running)


def readings(crew: Mapping[str, int]) -> dict[str, float]:
    """Seconds of each part so far."""
    seconds = {part: seconds_of(crew[part]) for part in OWN}
    return {**seconds, "database": database_seconds(), "broker": broker_seconds()}


def database_seconds() -> float:
    """Return the seconds of all processes of the server that we are connected to."""
    backend = Path(f"/proc/{connection.connection.info.backend_pid}/stat").read_text()
    server = int(backend.rpartition(")")[2].split()[1])
    children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    return seconds_of(server) + sum(seconds_of(int(child)) for child in children)


def broker_seconds() -> float:
    info = queues.broker().info("cpu")
    return float(sum(info[f"used_cpu_{mode}"] for mode in ("sys", "user")))


def commands() -> int:
    return int(queues.broker().info("stats")["total_commands_processed"])
