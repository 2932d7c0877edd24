"""Looking at processes from outside: who descends from whom, who is still there, and waiting until it is so."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.patience import looks

ROOT = Path(__file__).resolve().parents[4]
ADDRESSES = (
    *("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "WORKER_TOKEN", "DJANGO_SETTINGS_MODULE"),
    "TEST_PROCESS",  # tests that are run by a test are nobody's part
)


def until(condition: Callable[[], object], seconds: float = 30.0, what: str = "it") -> None:
    """Return soon after the condition holds; fail when it does not in time."""
    assert any(condition() for _ in looks(seconds)), f"{what} did not happen within {seconds:.0f} s"


def living() -> dict[int, tuple[int, str]]:
    """Parent and command of every process that is not a zombie."""
    output = subprocess.run(
        ["ps", "-axww", "-o", "pid=,ppid=,stat=,command="], check=True, capture_output=True, text=True
    )
    lines = (line.split(None, 3) for line in output.stdout.splitlines())
    return {int(line[0]): (int(line[1]), line[3]) for line in lines if len(line) == 4 and "Z" not in line[2]}


def descendants(ancestor: int) -> dict[int, str]:
    """The commands of all children of a process, and of theirs."""
    processes, commands, fresh = living(), dict[int, str](), {ancestor}
    while fresh:
        fresh = {pid for pid, (parent, _) in processes.items() if parent in fresh}
        commands |= {pid: processes[pid][1] for pid in fresh}
    return commands


def still_there(before: dict[int, str]) -> dict[int, str]:
    processes = living()
    return {pid: command for pid, command in before.items() if pid in processes and processes[pid][1] == command}


def bare_environment(**more: str) -> dict[str, str]:
    """This one, without what points to the servers of the tests."""
    return {name: value for name, value in os.environ.items() if name not in ADDRESSES} | more
