"""Control groups: what they bound, what they tell, and that none is left."""

import json
import signal
import sys
from itertools import count
from pathlib import Path

import pytest

from tests.hostile.boxes import SMALL, groups, hear, of_store, start, wait_until
from tests.hostile.test_programs import run
from workers.sandbox import cgroups
from workers.sandbox.arena import Arena
from workers.sandbox.cgroups import Tree
from workers.sandbox.errors import SandboxError
from workers.sandbox.limits import Exit, Limits
from workers.sandbox.program import Program
from workers.sandbox.tiers import Plan

PYTHON = str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
MARKS = (f"mark-{n}" for n in count())


def refused(arena: Arena) -> bool:
    """Return whether forking is refused: where there is no group, no more than that can be asked."""
    if "cgroup" in arena.extras and arena.tier != "pure":
        return False
    with pytest.raises(SandboxError, match=r"no cgroup can count them|Python alone"):
        with_forks(arena, "")
    return True


def with_forks(arena: Arena, source: str, mark: str = "", limits: Limits = SMALL) -> tuple[str, str, Exit]:
    return run(arena, Program((PYTHON, "-I", "-S", "-c", source, mark), reads=(PYTHON,), forks=True), limits=limits)


BOMB = """
import os, time
made = 0
try:
    while True:
        if os.fork() == 0:
            os.closerange(0, 3)
            time.sleep(1000)
        made += 1
except OSError: print(made, flush=True)
"""


def test_a_fork_bomb_stops_at_the_limit_and_its_processes_go_with_it(arena: Arena) -> None:
    if refused(arena):
        return
    mark = next(MARKS)
    output, _, end = with_forks(arena, BOMB, mark)
    assert (json.loads(output), end.code) == (SMALL.threads - 1, 0)
    wait_until(lambda: of_store(Path(mark)) == [])


HUNGRY = """
import os, signal
for _ in range(4):
    if os.fork() == 0:
        os.closerange(0, 3)
        hoard = b'x' * (120 << 20)
        signal.pause()
print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
"""


def test_memory_is_bounded_for_all_processes_of_a_bot_together(arena: Arena) -> None:
    if refused(arena):
        return
    output, _, end = with_forks(arena, HUNGRY)
    assert output in ("", f"{-signal.SIGKILL}\n")  # the kernel may choose the parent
    assert end.ran_out


def test_a_bot_within_its_memory_is_not_accused(arena: Arena) -> None:
    if refused(arena):
        return
    assert not with_forks(arena, "x = b'x' * (100 << 20)")[2].ran_out


def test_a_bot_has_a_group_while_it_lives(arena: Arena) -> None:
    before = groups(arena)
    with start(arena, "print('here', flush=True)\ninput()") as box:
        hear(box)
        during = [group for group in groups(arena) if group not in before]
        assert bool(during) == ("cgroup" in arena.extras)
        assert all(str(box.pid) in (group / "cgroup.procs").read_text().split() for group in during)
    assert groups(arena) == before


def test_a_closed_arena_leaves_no_group(plan: Plan, store: Path) -> None:
    with Arena(store, plan, 500) as arena:
        boxes = [start(arena, "print('here', flush=True)\nwhile True: pass") for _ in range(4)]
        assert [hear(box) for box in boxes] == ["here\n"] * 4
        its_own = {group.parent for group in groups(arena)}
        assert bool(its_own) == ("cgroup" in arena.extras)
    assert not any(group.exists() for group in its_own)
    for box in boxes:
        with pytest.raises(SandboxError, match="died"):
            box.wait()


def test_groups_of_a_dead_arena_are_swept_by_the_next_and_those_of_a_living_one_are_not(arena: Arena) -> None:
    with start(arena, "print('here', flush=True)\ninput()") as box:
        hear(box)
        for living in groups(arena):
            dead = living.parents[1] / f"{cgroups.PREFIX}dead-{living.parent.name}"
            (dead / "bot-1").mkdir(parents=True)
            cgroups.sweep(dead.parent)
            assert not dead.exists()
            assert living.exists()


def test_a_worker_that_was_moved_down_makes_its_groups_where_it_came_from(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = {
        "/proc/self/cgroup": f"0::/unit/{cgroups.CROWD}\n",
        "/proc/self/mountinfo": "30 29 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n",
        "/sys/fs/cgroup/unit/cgroup.controllers": "cpu memory pids\n",
    }
    monkeypatch.setattr(cgroups, "read_control", machine.get)
    assert cgroups.own_trees() == [Tree(Path("/sys/fs/cgroup/unit"), ("memory", "pids"), unified=True)]
