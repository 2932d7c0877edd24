"""A run in several processes says what one in a single process says, and does not lose what a process had to do."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.launcher.processes import ROOT, until
from tests.side_by_side.waiting import Waiting

PLUGINS = ("-p", "tests.side_by_side.plugin", "-p", "no:cacheprovider", "-p", "no:faulthandler")
COMMAND = (sys.executable, "-m", "pytest", "-c", "/dev/null", "-ra", *PLUGINS)

EVERY_END = """
import os, signal, pytest, warnings

def test_passes(tmp_path, capfd): os.system("echo heard"); assert capfd.readouterr().out == "heard\\n"
def test_fails(): print("said before"); assert [1, 2] == [1, 3]
def test_is_skipped(): pytest.skip("no moon")
@pytest.mark.xfail
def test_is_expected_to_fail(): assert 0
def test_warns(): warnings.warn("odd")
@pytest.fixture
def broken(): raise OSError("no cup")
def test_errs(broken): pass
"""
DEADLY = """
import os, signal

def test_before(): pass
def test_leaves(): os._exit(3)
def test_between(): pass
def test_is_killed(): os.kill(os.getpid(), signal.SIGKILL)
def test_after(): pass
"""


def start(folder: Path, *options: str, **sources: str) -> subprocess.Popen[str]:
    for name, source in sources.items():
        (folder / f"test_{name}.py").write_text(source)
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    command = [*COMMAND, "--rootdir", str(folder), *options, str(folder)]
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)


def run(folder: Path, *options: str, **sources: str) -> tuple[int, str]:
    with start(folder, *options, **sources) as process:
        said = process.communicate()[0]
    return process.returncode, said


def without_times(said: str) -> list[str]:
    lines = re.sub(r"in \d+\.\d+s|={3,}|\[ *\d+%\]|/process-0|pytest-\d+", "", said).splitlines()
    return [line for line in lines if not line.startswith(("processes: ", "test_ends.py ", "......"))]


def test_the_report_is_that_of_one_process(tmp_path: Path) -> None:
    code, alone = run(tmp_path, "--junitxml=alone.xml", ends=EVERY_END)
    together = run(tmp_path, "--junitxml=together.xml", "--processes", "2", ends=EVERY_END)
    assert code == together[0] == 1
    for said in (alone, together[1]):
        assert "said before" in said
        assert "1 failed, 2 passed, 1 skipped, 1 xfailed, 1 warning, 1 error in" in said
    summaries = [said[said.index("short test summary") :] for said in (alone, together[1])]
    assert without_times(summaries[0]) == without_times(summaries[1])
    written = [(tmp_path / name).read_text() for name in ("alone.xml", "together.xml")]
    counts = [re.search(r'errors="\d+" failures="\d+" skipped="\d+" tests="\d+"', text) for text in written]
    assert counts[0]
    assert counts[1]
    assert counts[0][0] == counts[1][0]


def test_a_process_that_dies_fails_its_test_alone(tmp_path: Path) -> None:
    code, said = run(tmp_path, "--processes", "2", deadly=DEADLY)
    assert code == 1
    assert "2 failed, 3 passed in" in said
    for name, end in (("leaves", "exit code 3"), ("is_killed", "signal SIGKILL")):
        assert f"FAILED test_deadly.py::test_{name}" in said
        assert f"\nThe process of this test ended with {end}.\n" in said


def test_it_stops_at_the_first_failure_if_it_is_told_so(tmp_path: Path) -> None:
    slow = "import pytest, time\n@pytest.mark.parametrize('n', range(50))\ndef test_it(n): time.sleep(0.05)"
    code, said = run(tmp_path, "-x", "--processes", "2", a="def test_it(): assert 0", slow=slow)
    assert code == 1
    assert "stopping after 1 failures" in said
    assert "1 failed" in said
    assert int((re.search(r"(\d+) passed", said) or "00")[1]) < 50


INTERRUPTED = """
import os, pathlib, pytest, time

@pytest.fixture(scope="session", autouse=True)
def cup():
    path = pathlib.Path(f"cup-{os.getpid()}")
    path.touch()
    yield
    path.rename(f"washed-{os.getpid()}")
@pytest.mark.parametrize("n", range(2))
def test_waits(n, cup):
    pathlib.Path(f"waits-{n}").touch()
    time.sleep(60)
"""


def test_what_was_set_up_is_taken_down_when_the_run_is_interrupted(tmp_path: Path) -> None:
    with start(tmp_path, "--processes", "2", waits=INTERRUPTED) as process:
        until(lambda: len([*tmp_path.glob("waits-*")]) == 2)
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert process.returncode == pytest.ExitCode.INTERRUPTED
    assert len([*tmp_path.glob("washed-*")]) == 2


def test_a_process_keeps_to_its_file_while_there_are_others() -> None:
    waiting = Waiting([*"aaabbcccc"])
    first, second = waiting.take(None), waiting.take(None)
    assert first
    assert second
    assert (first[1], second[1]) == (0, 3)
    given = [waiting.take(first[0]) for _ in range(2)]
    assert [taken and taken[1] for taken in given] == [1, 2]
    third = waiting.take(first[0])  # that of `c`, for `a` is empty
    assert third
    assert third[1] == 5
    assert [taken and taken[1] for taken in (waiting.take(second[0]), waiting.take(second[0]))] == [4, 8]
    waiting.give_back([1])
    assert [taken and taken[1] for taken in (waiting.take(None), waiting.take(third[0]))] == [1, 6]
    assert waiting.take(None)
    assert waiting.take(None) is None
