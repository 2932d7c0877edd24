"""Every test here runs once for each way of confining bots that works on this machine, for this user."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.boxes import groups, hear, of_store, start, title, wait_until, why_not
from workers.sandbox.arena import Arena, plans_down_to
from workers.sandbox.box import Box
from workers.sandbox.limits import Limits
from workers.sandbox.tiers import Plan

WORKING = [plan for plan in plans_down_to("pure") if not why_not(plan)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "plan" in metafunc.fixturenames:
        without = getattr(metafunc.module, "WITHOUT", ())  # tiers that are not what the module is about
        plans = [plan for plan in WORKING if plan.tier not in without]
        metafunc.parametrize("plan", plans, ids=title, scope="session")


@pytest.fixture
def store() -> Iterator[Path]:
    """A folder of bundles that other users may look into, as a worker's is."""
    with tempfile.TemporaryDirectory(prefix="boardroom-store-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture(scope="session")
def arena(plan: Plan) -> Iterator[Arena]:
    with tempfile.TemporaryDirectory(prefix="boardroom-store-") as folder:
        Path(folder).chmod(0o755)
        with Arena(Path(folder), plan, 500) as arena:
            yield arena


ECHO = "import sys\nfor line in sys.stdin:\n    print('echo', line, end='')\n"


@pytest.fixture(scope="session")
def next_door(arena: Arena) -> Iterator[Box]:
    with start(arena, ECHO, Limits()) as box:
        yield box


@pytest.fixture
def victim(next_door: Box) -> Iterator[int]:
    """The process number of an honest bot next door; it plays on through all that the others do."""
    yield next_door.pid
    os.write(next_door.stdin, b"still here\n")
    assert hear(next_door) == "echo still here\n"


@pytest.fixture
def nothing_left(arena: Arena, victim: int) -> Iterator[None]:
    """Check that nothing is left of what a bot did: no process, no control group, no file."""
    assert victim
    processes, present = set(of_store(arena.store)), groups(arena)
    yield
    wait_until(lambda: set(of_store(arena.store)) <= processes)
    assert groups(arena) == present
    assert [path for path in arena.store.glob("*/*") if path.suffix != ".py" or not path.is_file()] == []
