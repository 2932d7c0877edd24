"""A bot runs while it is asked, and at no other time: so it takes no core from others, nor speaks to them."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from bots.process import Local
from bots.protocol import Clock
from bots.table import ProcessTable
from engine.games.zaibatsu import ZAIBATSU, Options
from engine.referee import Prompt, Reply, Verdict
from tests.hostile.boxes import SMALL, bundle, hear, of_store, start, wait_until
from tests.hostile.test_groups import PYTHON, refused
from tests.hostile.test_service import far, served
from workers.sandbox.arena import Arena
from workers.sandbox.box import Box
from workers.sandbox.program import Program

__all__ = ["far", "served"]  # fixtures
OPTIONS = Options(players=2, first=0)
# Ways to compute while others are asked: the answer is out, and the next question is not there yet.
THINKS_ON = "while not select.select([0], [], [], 0)[0]: pass"
IN_A_THREAD = "threading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start()"
BOT = """
import json, os, select, sys, threading
for line in iter(lambda: os.read(0, 1 << 16), b""):
    kind = json.loads(line)["t"]
    if kind == "end": break
    os.write(1, b'{"t":"ready"}\\n' if kind == "hello" else b'{"action":{}}\\n')
    if kind == "question":
        THINK
os._exit(7)
"""


@contextmanager
def seated(arena: Arena, think: str) -> Iterator[tuple[ProcessTable, list[Box]]]:
    """Two of these at a table, greeted."""
    name = bundle(arena, BOT.replace("THINK", think))
    with ExitStack() as started:
        boxes = [started.enter_context(arena.spawn(name, "bot.py", SMALL)) for _ in range(2)]
        table = ProcessTable(boxes, ZAIBATSU, OPTIONS, Clock())  # type: ignore[arg-type]  # their ends have the same fields
        started.pop_all()
    with table:
        assert table.start() == {}
        yield table, boxes


def ask(table: ProcessTable, seat: int) -> Reply:
    """Ask the first question of a match."""
    match = ZAIBATSU.start(OPTIONS, "seed")
    return table.ask({seat: Prompt(match.questions[0], ZAIBATSU.see(match.at, 0), [])})[seat]


def states(pid: int) -> set[str]:
    """Return the states of all its threads: T is stopped."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return {(task / "stat").read_text().rpartition(")")[2].split()[0] for task in tasks}


def check_that_only_the_asked_compute(arena: Arena, think: str) -> None:
    with seated(arena, think) as (table, boxes):
        for seat in (0, 1, 0):
            assert ask(table, seat).verdict is Verdict.OK
            wait_until(lambda: all(states(box.pid) == {"T"} for box in boxes))
        used_s = boxes[0].cpu_s()
        assert ask(table, 1).verdict is Verdict.OK
        assert boxes[0].cpu_s() == used_s
        table.end([1, 2], [1, 0])
        assert [table.bots[seat].exit.code for seat in (0, 1)] == [7, 7]  # type: ignore[union-attr]  # both have left


def test_a_bot_does_not_compute_while_others_are_asked(arena: Arena) -> None:
    check_that_only_the_asked_compute(arena, THINKS_ON)


def test_nor_does_a_thread_of_it(arena: Arena) -> None:
    if arena.counts_threads:
        check_that_only_the_asked_compute(arena, IN_A_THREAD)


def test_nor_does_a_bot_in_another_container(far: Arena) -> None:
    check_that_only_the_asked_compute(far, THINKS_ON)


def test_a_bot_that_is_stopped_is_killed_with_its_match(arena: Arena) -> None:
    with seated(arena, THINKS_ON) as (table, _):
        assert ask(table, 0).verdict is Verdict.OK
    assert table.exit_of(0).signal == signal.SIGKILL  # type: ignore[union-attr]  # it is over


FORKING = "import os, sys\nos.fork()\nprint('here', flush=True)\nwhile True: pass"


def test_all_processes_of_a_bot_are_stopped_and_go_on_together(arena: Arena) -> None:
    if refused(arena):
        return
    program = Program((PYTHON, "-I", "-S", "-c", FORKING, "stopped-mark"), reads=(PYTHON,), forks=True)
    with arena.spawn(bundle(arena, ""), "bot.py", SMALL, program) as box:
        while len(both := of_store(Path("stopped-mark"))) < 2:
            hear(box)
        box.pause()
        wait_until(lambda: [states(pid) for pid in both] == [{"T"}, {"T"}])
        box.resume()
        wait_until(lambda: [states(pid) for pid in both] == [{"R"}, {"R"}])


def test_stopping_and_going_on_harm_no_bot_that_is_gone(arena: Arena) -> None:
    with start(arena, "pass") as box:
        assert box.ended(20)
        box.pause()
        box.resume()
        assert box.wait().code == 0
    box.pause()
    box.resume()


LATE = """
import json, os, sys
for count, line in enumerate(sys.stdin):
    if count == 1:
        os.write(1, b"what I think\\n")
        sum(range(2_000_000))
    os.write(1, b'{"t":"ready"}\\n' if count == 0 else b'{"action":{"number":%d}}\\n' % count)
"""


def test_what_comes_with_a_wrong_line_is_not_taken_for_the_next_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.table.SETTLE_S", 1.0)  # however busy the machine
    (tmp_path / "bot.py").write_text(LATE)
    with ProcessTable([Local(tmp_path, "bot.py")], ZAIBATSU, OPTIONS, Clock()) as table:
        assert table.start() == {}
        replies = [ask(table, 0) for _ in range(3)]
    assert [reply.verdict for reply in replies] == [Verdict.BAD_PROTOCOL, Verdict.OK, Verdict.OK]
    assert [reply.action for reply in replies] == [None, {"number": 2}, {"number": 3}]
