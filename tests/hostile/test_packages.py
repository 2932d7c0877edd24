"""NumPy in the same boxes: there for the bots that ask for it, whole, alone, and with no thread of its own."""

import importlib.util
import os
from pathlib import Path

import pytest

from bots.languages import LANGUAGES
from tests.hostile.boxes import DEADLINE_S, SMALL, bundle, hear, hear_all
from tests.hostile.boxes import run as run_plain
from tests.hostile.test_layers_removed import weaken
from workers.sandbox.arena import Arena
from workers.sandbox.box import Box
from workers.sandbox.limits import Limits
from workers.sandbox.tiers import Plan

READS = LANGUAGES["numpy"].detect().reads  # the tests' own tools bring it
NEIGHBOURS = ("celery", "redis", "django", "scipy", "pytest", "workers", "tournaments")  # here, but not for bots


def start(arena: Arena, source: str, limits: Limits = SMALL, **modules: str) -> Box:
    return arena.spawn(bundle(arena, source, **modules), "bot.py", limits, packages=READS)


def run(arena: Arena, source: str, limits: Limits = SMALL, **modules: str) -> str:
    """Return all that it wrote."""
    with start(arena, source, limits, **modules) as box:
        output, errors = hear_all(box.stdout), hear_all(box.stderr)
        assert box.ended(DEADLINE_S)
    return output + errors


def test_a_bot_that_asks_for_numpy_has_it(arena: Arena) -> None:
    assert run(arena, "import numpy as np\nprint((np.ones((300, 300)) @ np.ones((300, 300)))[0, 0])") == "300.0\n"


def test_a_bot_that_does_not_ask_has_not(arena: Arena) -> None:
    assert "No module named 'numpy'" in run_plain(arena, "import numpy")[1]


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_what_lies_beside_numpy_cannot_be_imported(arena: Arena, name: str) -> None:
    assert importlib.util.find_spec(name)
    assert f"No module named '{name}'" in run(arena, f"import numpy, {name}")


def test_what_lies_beside_numpy_can_neither_be_listed_nor_read(arena: Arena) -> None:
    celery = Path(str(importlib.util.find_spec("celery").origin))  # type: ignore[union-attr]
    assert "Error" in run(arena, f"open({str(celery)!r}).read(); print('READ')").splitlines()[-1]
    assert "Error" in run(arena, f"import os; print('LISTED', os.listdir({READS[0]!r} + '/..'))").splitlines()[-1]


def test_no_more_is_told_of_the_way_to_numpy_where_there_is_no_landlock(
    store: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    if plan.tier == "namespaces":
        weaken(monkeypatch, "landlock.landlock_version = lambda: 0")
        with Arena(store, plan, 10) as bare:
            test_what_lies_beside_numpy_can_neither_be_listed_nor_read(bare)


def test_numpy_computes_in_the_one_thread_of_its_bot(arena: Arena) -> None:
    busy = "import numpy as np\nx = np.ones((700, 700))\nx @ x\nnp.linalg.inv(np.eye(200))\nprint('done', flush=True)"
    with start(arena, f"{busy}\ninput()") as box:
        assert hear(box) == "done\n"
        assert len(os.listdir(f"/proc/{box.pid}/task")) == 1  # noqa: PTH208 - the names are not wanted


def test_numpys_own_size_is_not_the_bots(arena: Arena) -> None:
    least = Limits(memory_mb=64)
    large = "import numpy as np\nx = np.ones((900, 900))\nprint((x @ x)[0, 0])"
    assert run(arena, large, least) == "900.0\n"
    assert "MemoryError" in run(arena, "import numpy as np\nnp.ones(25_000_000)", least)


def test_each_bot_throws_dice_of_its_own(arena: Arena) -> None:
    draw = "import numpy as np\nprint(np.random.random())"
    assert len({run(arena, draw) for _ in range(3)}) == 3


def test_what_a_bundle_brings_hides_numpy(arena: Arena) -> None:
    assert run(arena, "import numpy\nprint(numpy.NAME)", numpy="NAME = 'mine'") == "mine\n"


USES = """
import io, pickle, sys
import numpy as np
before = set(sys.modules)
x = np.random.default_rng(7).normal(size=(5, 5))
np.linalg.svd(x), np.einsum("ij,jk", x, x), np.fft.fft(x), np.median(x), np.unique(x), np.percentile(x, 50)
np.random.choice(3, p=[0.2, 0.3, 0.5]), np.pad([1], 1), np.gradient([1.0, 2.0, 3.0]), np.interp(1, [0, 1], [0, 1])
repr(x), str(np.dtype("i4,f4")), np.datetime64("2020-01-01"), np.ma.masked_less(x, 0).mean()
np.polyfit([1, 2], [3, 4], 1), np.strings.upper('a')
np.genfromtxt(io.StringIO("1 2")), np.loadtxt(io.StringIO("1 2")), pickle.loads(pickle.dumps(x))
file = io.BytesIO()
np.savez_compressed(file, x=x)
print(np.load(io.BytesIO(file.getvalue()))["x"].shape, sorted(set(sys.modules) - before))
"""


def test_all_that_is_often_used_is_loaded_ahead(arena: Arena) -> None:
    assert run(arena, USES) == "(5, 5) []\n"
