"""What an arena promises to those who run bots in it."""

import os
import threading
import time
from pathlib import Path

import pytest

from tests.hostile.boxes import DEADLINE_S, SMALL, bundle, hear, hear_all, run, start
from workers.sandbox.arena import Arena
from workers.sandbox.errors import SandboxError
from workers.sandbox.limits import Limits
from workers.sandbox.tiers import Plan


def code_of(error: pytest.ExceptionInfo[SandboxError]) -> str:
    assert str(error.value).endswith(".")
    return error.value.code


def test_a_bot_that_raises_shows_its_own_lines_and_ends_with_1(arena: Arena) -> None:
    _, complaints, end = run(arena, "def move():\n    return 1 / 0\n\nmove()\n")
    assert (end.code, end.signal) == (1, None)
    assert "ZeroDivisionError" in complaints
    assert complaints.count("File ") == 2
    assert "workers" not in complaints


def test_a_bot_that_does_not_parse_shows_where(arena: Arena) -> None:
    _, complaints, end = run(arena, "import os\ndef move(:\n")
    assert (end.code, 'bot.py", line 2' in complaints, "SyntaxError" in complaints) == (1, True, True)


@pytest.mark.parametrize(("leave", "code"), [("", 0), ("sys.exit(7)", 7), ("sys.exit('so')", 1), ("os._exit(3)", 3)])
def test_a_bot_ends_with_its_own_code(arena: Arena, leave: str, code: int) -> None:
    assert run(arena, f"import os, sys\n{leave}")[2].code == code


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("print('a line', end='')", "a line"),
        ("import atexit; atexit.register(print, 'last')", "last\n"),
        ("import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.1), print('late'))).start()", "late\n"),
        ("import sys; sys.stdout.close()", ""),
        ("import os; file = os.fdopen(os.dup(1), 'w'); file.write('kept')", "kept"),
        ("class Last:\n    def __del__(self): print('gone')\nlast = Last(); last.itself = last", "gone\n"),
    ],
)
def test_a_bot_that_ends_has_said_all_that_it_would_say_elsewhere(arena: Arena, source: str, expected: str) -> None:
    output, complaints, end = run(arena, source)
    assert (output, complaints, end.code) == (expected, "", 0)


def test_a_crash_of_the_interpreter_is_its_signal(arena: Arena) -> None:
    assert run(arena, "import ctypes; ctypes.string_at(0)")[2].signal == 11


def test_text_is_utf8_and_lines_are_sent_at_once(arena: Arena) -> None:
    with start(arena, "import sys\nprint(input().upper())\nsys.stdin.read()") as box:
        os.write(box.stdin, "zażółć €\n".encode())
        assert hear(box) == "ZAŻÓŁĆ €\n"


def test_a_bundle_brings_its_own_modules_before_all_others(arena: Arena) -> None:
    name = bundle(arena, "import cards, heapq\nprint(cards.NAME, heapq.NAME)", cards="NAME = 'a'", heapq="NAME = 'b'")
    with arena.spawn(name, "bot.py", SMALL) as box:
        assert hear(box) == "a b\n"


def test_the_engine_and_the_kit_are_there_and_the_rest_of_the_project_is_not(arena: Arena) -> None:
    tries = "for name in ('engine.core', 'bots', 'workers', 'tournaments'):\n    try: importlib.import_module(name)\n"
    output, _, _ = run(arena, f"import importlib\n{tries}    except ImportError: print(name)")
    assert output.split() == ["workers", "tournaments"]


def test_nothing_of_the_zygote_is_among_the_modules_of_a_bot(arena: Arena) -> None:
    output, _, _ = run(arena, "import sys\nprint(*(name for name in sys.modules if name.startswith('workers')), '.')")
    assert output.split() == ["."]


def test_the_standard_library_works(arena: Arena) -> None:
    names = "bz2, ctypes, decimal, hashlib, lzma, random, sqlite3, statistics, unicodedata, zlib"
    ask = f"import {names}\nprint(sqlite3.connect(':memory:').execute('select 1').fetchone()[0])"
    assert run(arena, ask)[:2] == ("1\n", "")
    loop = (
        "import asyncio\nasync def one():\n    await asyncio.sleep(0.001)\n    done = asyncio.Event()\n"
        "    asyncio.get_running_loop().call_soon_threadsafe(done.set)\n    await done.wait()\n    return 1\n"
        "print(asyncio.run(one()) * asyncio.run(one()))"
    )
    output, errors, _ = run(arena, loop)
    assert output == "1\n" if arena.tier != "pure" else "No module named 'asyncio'" in errors


def test_no_two_bots_draw_the_same_lots(arena: Arena) -> None:
    assert (
        run(arena, "import random; print(random.random())")[0] != run(arena, "import random; print(random.random())")[0]
    )


def test_an_ended_bot_keeps_its_clock_until_it_is_waited_for(arena: Arena) -> None:
    with start(arena, "sum(range(10 ** 6))") as box:
        hear_all(box.stdout)
        assert box.ended(DEADLINE_S)
        used = time.clock_gettime((~box.pid << 3) | 2)
        end = box.wait()
    assert 0 < used <= end.cpu_s + 0.02
    assert end.max_rss_kb > 5000
    with pytest.raises(OSError, match=r"Invalid argument|No such process"):
        time.clock_gettime((~box.pid << 3) | 2)


def test_killing_and_waiting_twice_is_harmless(arena: Arena) -> None:
    box = start(arena, "import time; time.sleep(1000)")
    box.kill()
    box.kill()
    assert box.wait() == box.wait()
    box.kill()


def test_an_end_of_a_pipe_can_be_taken_over(arena: Arena) -> None:
    with start(arena, "print('kept')") as box:
        taken, box.stdout = box.stdout, -1
        box.ended(DEADLINE_S)
    assert os.read(taken, 100) == b"kept\n"
    os.close(taken)


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_no_descriptor_stays_open(arena: Arena) -> None:
    before = open_descriptors()
    for _ in range(5):
        run(arena, "pass")
    assert open_descriptors() == before


def test_threads_share_an_arena(arena: Arena) -> None:
    outputs: list[str] = []
    seats = [threading.Thread(target=lambda n=n: outputs.append(run(arena, f"print({n})")[0])) for n in range(8)]
    for seat in seats:
        seat.start()
    for seat in seats:
        seat.join()
    assert sorted(outputs) == [f"{n}\n" for n in range(8)]


NOT_BUNDLES = ["absent bot.py", ".. bot.py", " bot.py", "a/b bot.py", "link bot.py", "real no.py"]
NOT_ENTRIES = ["real ../real/bot.py", "real /etc/passwd", "real ", "real ."]


@pytest.mark.parametrize("path", [*NOT_BUNDLES, *NOT_ENTRIES])
def test_a_bundle_that_is_not_in_the_store_is_refused(arena: Arena, path: str) -> None:
    (arena.store / "real").mkdir(exist_ok=True)
    (arena.store / "real" / "bot.py").touch()
    if not (arena.store / "link").is_symlink():
        (arena.store / "link").symlink_to("real")
    name, entry = path.split(" ")
    with pytest.raises(SandboxError) as error:
        arena.spawn(name, entry, SMALL)
    assert code_of(error) == "no_such_entry"


def test_a_bot_that_cannot_be_confined_is_our_fault_and_does_not_run(arena: Arena) -> None:
    name = bundle(arena, "print('ran')")
    with arena._lock:
        box = arena._zygotes[()].spawn(f"{name}-gone", "bot.py", SMALL)
    assert hear_all(box.stdout) == ""
    for _ in range(2):
        with pytest.raises(SandboxError) as error:
            box.wait()
        assert code_of(error) == "box_not_built"


def test_the_smallest_limits_are_enough_to_start(arena: Arena) -> None:
    least = Limits(memory_mb=64, threads=1, files_mb=0, open_files=16, temp_mb=1, cpu_s=1)
    assert run(arena, "import json, random; from engine import core; print('here')", limits=least)[0] == "here\n"


@pytest.mark.parametrize(
    "limits", [{"memory_mb": 1}, {"threads": 0}, {"temp_mb": 0}, {"cpu_s": -1}, {"open_files": 1.5}]
)
def test_limits_out_of_range_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(SandboxError) as error:
        Limits(**limits)
    assert code_of(error) == "limit_out_of_range"


def test_a_tier_that_does_not_exist_is_refused(store: Path) -> None:
    with pytest.raises(SandboxError) as error:
        Arena.start(store, minimum="castle")
    assert code_of(error) == "unknown_tier"


def test_a_new_zygote_takes_over_while_old_bots_play_on(plan: Plan, store: Path) -> None:
    with Arena(store, plan, bots_per_zygote=3) as arena:
        boxes = [start(arena, f"print({n}, flush=True)\ninput()\nprint('end')") for n in range(6)]
        assert len(arena._retired) >= 1
        for n, box in enumerate(boxes):
            with box:
                assert hear(box) == f"{n}\n"
                os.write(box.stdin, b"\n")
                assert hear_all(box.stdout) == "end\n"
        assert list(store.glob("self-test-*")) == []


def test_the_strongest_way_that_works_is_taken(store: Path, plan: Plan) -> None:
    with Arena.start(store, minimum=plan.tier) as arena:
        assert arena.tier in ("namespaces", plan.tier)
