"""The supervisor: what dies is started again, what is stopped leaves nothing, what is orphaned dies."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tournaments.ops.launcher.processes import ROOT, descendants, still_there, until
from tournaments.ops.launcher.processes import site_programs, worker_programs
from tournaments.ops.launcher.subprocess_group import Program
from tournaments.ops.launcher.supervisor import Supervisor
from workers.identity import proven

SITE = {
    "DATABASE_URL": "postgresql://x",
    "SECRET_KEY": "x",
    "REDIS_URL": "redis://x",
    "WORKER_TOKEN": "x",
    "PATH": "/bin",
}


@pytest.fixture
def supervisor() -> Iterator[Supervisor]:
    supervisor = Supervisor()
    yield supervisor
    supervisor.stop()


def shell(folder: Path, script: str, name: str = "child", stop_order: int = 0, stop_timeout: float = 5.0) -> Program:
    log = folder / f"{name}.log"
    return Program(name, ("sh", "-c", script), dict(os.environ), log, stop_order=stop_order, stop_timeout=stop_timeout)


def pids(supervisor: Supervisor) -> list[int]:
    return [child.process.pid for child in supervisor.children]


def restarts(supervisor: Supervisor) -> int:
    supervisor.tend()
    return supervisor.restarts


def test_a_child_that_dies_is_started_again(supervisor: Supervisor, tmp_path: Path) -> None:
    supervisor.start([shell(tmp_path, "exec sleep 60")])
    (first,) = pids(supervisor)
    os.kill(first, signal.SIGKILL)
    until(lambda: restarts(supervisor) == 1, what="a restart")
    assert pids(supervisor) != [first]


def test_a_child_that_keeps_dying_waits_longer_each_time_and_is_named(supervisor: Supervisor, tmp_path: Path) -> None:
    supervisor.start([shell(tmp_path, "echo once more; exit 1", name="sick"), shell(tmp_path, "exec sleep 60")])
    pauses = list[float]()

    def died_often() -> bool:
        supervisor.tend()
        sick = supervisor.children[0]
        if sick.due and sick.deaths > len(pauses):
            pauses.append(sick.due - sick.started)
        return sick.deaths == 4

    until(died_often, what="the fourth death")
    assert pauses == sorted(pauses)
    assert [program.name for program in supervisor.unstable()] == ["sick"]
    assert (tmp_path / "sick.log").read_text().count("once more") == 4


def test_what_a_dead_child_left_behind_goes_with_it(supervisor: Supervisor, tmp_path: Path) -> None:
    supervisor.start([shell(tmp_path, "sleep 60 & echo started; wait")])
    until(lambda: "started" in (tmp_path / "child.log").read_text(), what="the grandchild")
    (first,) = pids(supervisor)
    left = descendants(first)
    os.kill(first, signal.SIGKILL)
    until(lambda: restarts(supervisor) == 1, what="a restart")
    assert left
    assert not still_there(left)


def test_they_leave_in_order(supervisor: Supervisor, tmp_path: Path) -> None:
    script = "trap 'echo {} >> order; exit' TERM; echo ready; while :; do sleep 0.02; done"
    names = ["server", "web", "worker"]
    supervisor.start(
        shell(tmp_path, f"cd {tmp_path}; {script.format(name)}", name, stop_order=9 - 3 * number)
        for number, name in enumerate(names)
    )
    until(lambda: all((tmp_path / f"{name}.log").read_text() for name in names), what="the start of all")
    supervisor.stop()
    assert (tmp_path / "order").read_text().split() == ["worker", "web", "server"]


def test_whoever_will_not_leave_is_killed(supervisor: Supervisor, tmp_path: Path) -> None:
    supervisor.start([shell(tmp_path, "trap '' TERM; echo ready; while :; do sleep 0.1; done", stop_timeout=0.3)])
    until((tmp_path / "child.log").read_text, what="its start")
    processes = descendants(os.getpid()).keys() & set(pids(supervisor))
    supervisor.stop()
    assert processes
    assert not processes & descendants(os.getpid()).keys()


SUPERVISE = """
import os, sys, time
from pathlib import Path
from tournaments.ops.launcher.subprocess_group import Program
from tournaments.ops.launcher.supervisor import Supervisor
supervisor = Supervisor()
supervisor.start([Program("child", ("sleep", "600"), dict(os.environ), Path(sys.argv[1]))])
print("ready", flush=True)
time.sleep(600)
"""


def test_children_die_with_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SUPERVISE, str(tmp_path / "log")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        children = descendants(process.pid)
        process.kill()
    assert children
    until(lambda: not still_there(children), what="the end of the orphans")


def test_a_match_worker_is_told_nothing_of_the_database_or_the_sites_secret(tmp_path: Path) -> None:
    site, workers = site_programs(SITE, tmp_path, 8000), worker_programs(SITE, tmp_path, 3)
    assert all(program.environment.keys() >= {"DATABASE_URL", "SECRET_KEY"} for program in site)
    assert [program.name for program in workers] == ["worker-1", "worker-2", "worker-3", "practices"]
    for program in workers:
        assert not program.environment.keys() & {"DATABASE_URL", "SECRET_KEY"}
        assert proven(program.environment["WORKER_TOKEN"], SITE["WORKER_TOKEN"]) == program.name
        assert program.environment["REDIS_URL"] == "redis://x"
