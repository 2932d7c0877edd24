"""Python bots at home are forked from one process that has loaded the SDK; nothing else about them may differ."""

import os
import select
import signal
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from bots import forked as forked_module
from bots.contest import Contestant, find_contestant, play_match, replay_of, surroundings
from bots.contest import Match as Played
from bots.forked import Forked, Server, Start, forking, started
from bots.process import Local, Process
from engine.games import GAMES
from engine.referee import PlatformFault
from engine.replay import write_replay

LEAVES_TRACES = """
import engine.dice, os, sys
print(hasattr(engine.dice, "trace"), os.environ.get("TRACE"), sys.argv, __name__, sys.path[0], file=sys.stderr)
engine.dice.trace, os.environ["TRACE"] = 1, "1"
"""


@pytest.fixture(scope="module")
def forked() -> Iterator[None]:
    with forking("zaibatsu", surroundings()):
        yield


def bot(folder: Path, text: str) -> Process:
    (folder / "bot.py").write_text(text)
    return one(folder, [sys.executable, str(folder / "bot.py")], {**surroundings(), "OWN": "own"})


def one(folder: Path, command: list[str], environment: Mapping[str, str]) -> Process:
    return started([Start(folder, command, environment)])[0]


def outcome_of(process: Process) -> tuple[str, int | None, int | None]:
    """Return all that it wrote on stdout and stderr, and how it ended."""
    output = ""
    for pipe in (process.stdout, process.stderr):
        while data := os.read(pipe, 1 << 16):
            output += data.decode()
    assert process.ended(5)
    end = process.wait()
    assert end.cpu_s > 0
    assert end.max_rss_kb > 5_000
    return output, end.code, end.signal


def both(folder: Path, text: str) -> list[tuple[str, int | None, int | None]]:
    """Return what a bot says by itself, and as a copy."""
    copied = bot(folder, text)
    assert isinstance(copied, Forked)
    return [outcome_of(Local(folder, "bot.py", environment={**surroundings(), "OWN": "own"})), outcome_of(copied)]


@pytest.mark.usefixtures("forked")
@pytest.mark.parametrize(
    "text",
    [
        "print('a line', end='')",
        "import os; print(os.environ['OWN'], os.getcwd(), os.getsid(0) == os.getpid(), hash('x'), __file__, __name__)",
        "import sys; print(sys.argv, sys.path, [n for n in vars() if n == '__spec__'])",
        "import sys; sys.exit(7)",
        "import sys; sys.exit('no')",
        "def f():\n    raise ValueError('bad')\nf()",
        "this is no Python",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        "import atexit; atexit.register(print, 'last')",
        "import threading, time; threading.Thread(target=lambda: (time.sleep(0.1), print('late'))).start()",
        "import sys; sys.excepthook = lambda kind, *_: print(kind.__name__, file=sys.stderr)\n1 / 0",
        "file = open('log', 'w'); file.write('kept'); print('wrote')",
        "import sys; sys.stdout.close()",
        "import os; print(sorted(os.listdir('/proc/self/fd')))",
    ],
)
def test_a_copy_says_and_ends_as_an_interpreter_of_its_own(tmp_path: Path, text: str) -> None:
    alone, copied = both(tmp_path, text)
    assert copied == alone
    if "log" in text:
        assert (tmp_path / "log").read_text() == "kept"


@pytest.mark.usefixtures("forked")
def test_no_copy_finds_what_another_left(tmp_path: Path) -> None:
    first, second = outcome_of(bot(tmp_path, LEAVES_TRACES)), outcome_of(bot(tmp_path, LEAVES_TRACES))
    assert first == second
    assert first[0].startswith("False None")


@pytest.mark.usefixtures("forked")
def test_a_module_that_the_bot_brings_is_its_own(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("mine = 1")
    alone, copied = both(tmp_path, "import random; print(random.mine)")
    assert copied == alone == ("1\n", 0, None)


@pytest.mark.usefixtures("forked")
def test_numbers_drawn_without_a_seed_differ(tmp_path: Path) -> None:
    drawn = {outcome_of(bot(tmp_path, "import random; print(random.random())"))[0] for _ in range(3)}
    assert len(drawn) == 3


@pytest.mark.usefixtures("forked")
def test_the_same_deals_are_played_in_the_same_way(tmp_path: Path) -> None:
    game = GAMES["zaibatsu"]
    options = game.read_options({"players": 3})
    forks = [find_contestant("zaibatsu", name, tmp_path) for name in ("random", "marginal", "blend")]
    interpreters = [replace(fork, command=[sys.executable, "-B", fork.command[1]]) for fork in forks]

    def replay(seated: list[Contestant]) -> bytes:
        played = play_match(game, options, "a deal", seated)
        for answer in played.answers:
            answer.ms = 0.0
        return write_replay(replay_of(game, options, seated, Played([0, 1, 2], "a deal", played)))

    assert replay(forks) == replay(forks) == replay(interpreters)


@pytest.mark.usefixtures("forked")
def test_what_cannot_start_is_an_error_and_the_next_starts(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    with pytest.raises(FileNotFoundError, match="gone"):
        one(gone, [sys.executable, str(gone / "bot.py")], surroundings())
    assert outcome_of(bot(tmp_path, "print(1)")) == ("1\n", 0, None)


@pytest.mark.usefixtures("forked")
def test_where_one_of_a_match_cannot_start_none_is_left(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("open('begun', 'w').close(); import time; time.sleep(600)")
    starts = [Start(folder, [sys.executable, str(folder / "bot.py")], {}) for folder in (tmp_path, tmp_path / "gone")]
    before = children_of_the_server()
    with pytest.raises(FileNotFoundError, match="gone"):
        started(starts)
    with pytest.raises(FileNotFoundError):
        started([starts[0], Start(tmp_path, ["/no/such/program"], {})])
    assert children_of_the_server() == before


def children_of_the_server() -> str:
    pid = forked_module._running[-1].process.pid
    return Path(f"/proc/{pid}/task/{pid}/children").read_text()


@pytest.mark.usefixtures("forked")
def test_the_bots_of_a_match_have_pipes_of_their_own_and_are_waited_for_together(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("print(input(), end='')")
    processes = started([Start(tmp_path, [sys.executable, str(tmp_path / "bot.py")], surroundings())] * 3)
    for number, process in enumerate(processes):
        os.write(process.stdin, b"%d\n" % number)
    assert [os.read(process.stdout, 9) for process in processes] == [b"0", b"1", b"2"]
    assert all(process.ended(5) for process in processes)
    for process in processes:
        process.kill()
    assert [process.wait().code for process in processes] == [0, 0, 0]


@pytest.mark.usefixtures("forked")
def test_a_bot_that_is_killed_at_its_start_is_gone(tmp_path: Path) -> None:
    for _ in range(5):
        process = bot(tmp_path, "import time; time.sleep(600)")
        process.kill()
        assert process.ended(5)
        assert process.wait().signal == signal.SIGKILL


@pytest.mark.usefixtures("forked")
def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    assert [outcome_of(bot(tmp_path, f"print({number})"))[0] for number in (1, 2)] == ["1\n", "2\n"]


@pytest.mark.usefixtures("forked")
def test_an_environment_may_be_large(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import os; print(len(os.environ['LARGE']))")
    environment = {**surroundings(), "LARGE": "x" * 1_000_000}
    assert outcome_of(one(tmp_path, [sys.executable, str(tmp_path / "bot.py")], environment))[0] == "1000000\n"


@pytest.mark.usefixtures("forked")
def test_other_commands_are_ordinary_processes(tmp_path: Path) -> None:
    assert outcome_of(one(tmp_path, ["/bin/echo", "hello"], surroundings())) == ("hello\n", 0, None)


def test_bots_end_with_whoever_started_them(tmp_path: Path) -> None:
    with forking("zaibatsu", surroundings()):
        process = bot(tmp_path, "import time; print('here', flush=True); time.sleep(600)")
        assert os.read(process.stdout, 4) == b"here"
        handle = os.pidfd_open(process.pid)
    assert select.select([handle], [], [], 5)[0]


def test_a_server_that_is_killed_is_a_fault_of_the_machine(tmp_path: Path) -> None:
    server = Server("zaibatsu", surroundings())
    (tmp_path / "bot.py").write_text("import time; time.sleep(600)")
    start = Start(tmp_path, [sys.executable, str(tmp_path / "bot.py")], surroundings())
    (process,) = server.start([start])
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    process.kill()
    assert process.ended(5)
    for _ in range(2):
        with pytest.raises(PlatformFault, match="was killed"):
            process.wait()
    with pytest.raises(PlatformFault, match="was killed"):
        server.start([start])
    server.close()


@pytest.mark.usefixtures("forked")
def test_a_start_takes_a_fraction_of_an_interpreters(tmp_path: Path) -> None:
    text = "import bots.protocol, engine.games, time; engine.games.GAMES['zaibatsu']; print(time.process_time())"
    copied = float(outcome_of(bot(tmp_path, text))[0])
    alone = float(outcome_of(Local(tmp_path, "bot.py"))[0])
    assert copied < alone / 3
