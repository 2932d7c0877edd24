"""When somebody dies, nobody is left behind."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.boxes import hear, of_store, run, start, wait_until
from workers.sandbox.arena import CHECKOUT, Arena, Own
from workers.sandbox.errors import SandboxError
from workers.sandbox.tiers import Plan

WORKER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from tests.hostile.boxes import groups, hear, start
from workers.sandbox.arena import Arena
from workers.sandbox.tiers import Plan
arena = Arena(Path(sys.argv[2]), Plan(sys.argv[3], own_user=sys.argv[4] == "True"), 3)
boxes = [start(arena, "print('here', flush=True)\\nwhile True: pass") for _ in range(4)]
print(*[hear(box) and box.pid for box in boxes], flush=True)
print(*groups(arena), flush=True)
sys.stdin.read()
"""


def test_a_worker_killed_at_once_leaves_no_process_and_no_group(store: Path, plan: Plan) -> None:
    arguments = [str(CHECKOUT), str(store), plan.tier, str(plan.own_user)]
    with subprocess.Popen(
        [sys.executable, "-c", WORKER, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as worker:
        assert worker.stdout
        pids = [int(pid) for pid in worker.stdout.readline().split()]
        assert len(pids) == 4
        assert set(pids) < set(of_store(store))
        groups = [Path(folder) for folder in worker.stdout.readline().decode().split()]
        assert all(folder.is_dir() for folder in groups)
        worker.kill()
    wait_until(lambda: not of_store(store))
    wait_until(lambda: not any(folder.parent.exists() for folder in groups))


def test_a_closed_arena_leaves_no_process(store: Path, plan: Plan) -> None:
    with Arena(store, plan, 3) as arena:
        boxes = [start(arena, "print('here', flush=True)\nwhile True: pass") for _ in range(4)]
        assert [hear(box) for box in boxes] == ["here\n"] * 4
    wait_until(lambda: not of_store(store))
    for box in boxes:
        with pytest.raises(SandboxError, match="died"):
            box.wait()


def test_a_lost_zygote_takes_its_bots_along_and_is_replaced(store: Path, plan: Plan) -> None:
    with Arena(store, plan, 500) as arena:
        box = start(arena, "print('here', flush=True)\nwhile True: pass")
        assert hear(box) == "here\n"
        lost = of_store(store)
        zygote = arena._zygotes[()]
        assert isinstance(zygote, Own)
        zygote.process.kill()
        wait_until(lambda: not set(lost) & set(of_store(store)))
        with pytest.raises(SandboxError) as error:
            box.wait()
        assert error.value.code == "arena_lost"
        assert run(arena, "print('again')")[0] == "again\n"
