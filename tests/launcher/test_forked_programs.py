"""Programs that are forks of `up`: they run as their commands would, and nothing of `up` goes on in them."""

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.launcher.processes import ROOT, descendants, living, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every program is started by its command")
STARTS = """
import os, sys
from pathlib import Path
from tournaments.launcher import forked_programs
from tournaments.launcher.subprocess_group import Program
program = Program("it", (sys.executable, *sys.argv[2:]), dict(os.environ), Path(sys.argv[1]))
child = forked_programs.start(program)
print(child.pid, flush=True)
sys.exit(child.wait())
"""
SLEEPS = "import threading; print('begun', flush=True); threading.Event().wait(60)"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "it.log"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return tmp_path / "script.py"


def parent(log: Path, *command: str | Path, **more: str) -> subprocess.Popen[str]:
    """A process of its own, for this one has threads; it forks the program and ends as that does."""
    return subprocess.Popen(
        [sys.executable, "-c", STARTS, str(log), *map(str, command)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), **more},
    )


@pytest.fixture
def sleeping(log: Path, script: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    script.write_text(SLEEPS)
    with parent(log, script, "one", "two") as process:
        assert process.stdout
        child = int(process.stdout.readline())
        until(lambda: log.exists() and "begun" in log.read_text(), what="the start of the script")
        yield process, child
        process.kill()
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)


@pytest.mark.parametrize(("ends", "code"), [("sys.exit(3)", 3), ("sys.exit('why')", 1), ("1 / 0", 1), ("pass", 0)])
def test_it_gets_its_arguments_and_ends_with_its_own_code(ends: str, code: int, log: Path, script: Path) -> None:
    script.write_text(f"import sys\nprint(__name__, sys.argv[1:], flush=True)\n{ends}\n")
    with parent(log, script, "a", "b c") as process:
        assert process.wait(30) == code
    assert log.read_text().startswith("__main__ ['a', 'b c']\n")
    assert ("why" in log.read_text(), "ZeroDivisionError" in log.read_text()) == ("'why'" in ends, "/ 0" in ends)


def test_a_module_runs_as_python_would_run_it(log: Path) -> None:
    with parent(log, "-m", "this") as process:
        assert process.wait(30) == 0
    assert "Zen of Python" in log.read_text()


def test_it_has_its_own_name_session_and_signals(sleeping: tuple[subprocess.Popen[str], int]) -> None:
    process, child = sleeping
    assert "script.py" in living()[child][1]
    assert "forked_programs" not in living()[child][1]
    assert os.getsid(child) == child
    os.kill(child, signal.SIGTERM)
    assert process.wait(30) == -signal.SIGTERM % 256


def test_it_ends_with_its_parent(sleeping: tuple[subprocess.Popen[str], int]) -> None:
    process, child = sleeping
    process.kill()
    process.wait()
    until(lambda: child not in living(), what="the end of the fork")


def test_where_threads_send_traces_it_is_started_by_its_command(log: Path, script: Path) -> None:
    script.write_text("import sys; print('django' in sys.modules, sys.orig_argv[1:2])")
    with parent(log, script, SENTRY_DSN="https://key@example.org/1") as process:
        assert process.wait(30) == 0
    assert str(script) in log.read_text()


def test_what_a_fork_inherits_is_closed_and_a_stop_leaves_nothing(log: Path, script: Path, tmp_path: Path) -> None:
    """The lock of the data folder ends with `up`, whatever its children do."""
    holds = "import fcntl, sys; held = open(sys.argv.pop(1), 'w'); fcntl.flock(held, fcntl.LOCK_EX)"
    script.write_text(SLEEPS)
    lock = tmp_path / "lock"
    command = [sys.executable, "-c", f"{holds}\n{STARTS}", str(lock), str(log), str(script)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        until(lambda: log.exists() and "begun" in log.read_text(), what="the start of the script")
        known = descendants(process.pid)
        with lock.open() as mine, pytest.raises(BlockingIOError):
            fcntl.flock(mine, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        with lock.open() as mine:
            fcntl.flock(mine, fcntl.LOCK_EX | fcntl.LOCK_NB)
        until(lambda: not known.keys() & living().keys(), what="the end of the fork")
