"""Bots that take all they can get: each is stopped at its limit, or killed, and the victim next door plays on."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.boxes import DEADLINE_S, SMALL, hear, run, start
from workers.sandbox.arena import Arena
from workers.sandbox.limits import MB, Limits

pytestmark = pytest.mark.usefixtures("nothing_left")


def counted(arena: Arena, source: str, limits: Limits = SMALL) -> Any:
    """Return what a bomb says it got."""
    output, errors, _ = run(arena, source, limits=limits)
    assert output, errors
    return json.loads(output)


def test_a_fork_bomb_makes_no_process(arena: Arena) -> None:
    bomb = "import os\nmade = 0\nfor _ in range(100):\n    try: made += 1 if os.fork() else os._exit(0)\n"
    assert counted(arena, bomb + "    except OSError: pass\nprint(made)") == 0


def test_a_daemon_cannot_be_left_behind(arena: Arena) -> None:
    daemon = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(1000)\n"
    _, complaints, end = run(arena, daemon)
    assert (end.code, "PermissionError" in complaints) == (1, True)


THREADS = """
import threading, time
made = 0
try:
    while True: threading.Thread(target=time.sleep, args=(1000,), daemon=True).start(); made += 1
except (RuntimeError, MemoryError): print(made, flush=True)
"""


def test_a_thread_bomb_stops_at_the_limit(arena: Arena) -> None:
    assert counted(arena, THREADS) == (SMALL.threads - 1 if arena.counts_threads else 0)


@pytest.mark.parametrize("take", ["bytearray(1 << 20)", "mmap.mmap(-1, 1 << 20)", "'x' * (1 << 20)"])
def test_a_memory_bomb_stops_at_the_limit(arena: Arena, take: str) -> None:
    bomb = f"import mmap\nhoard = []\ntry:\n    while True: hoard.append({take})\nexcept (MemoryError, OSError): pass\n"
    taken = counted(arena, bomb + "n = len(hoard); hoard = None; print(n)")
    assert 50 < taken < SMALL.memory_mb


DISK = """
import os
path, written = os.environ.get("TMPDIR", "."), 0
try:
    while True:
        with open(f"{path}/{written}", "wb") as file: written += file.write(bytes(1 << 18))
except OSError: print(written)
"""


def test_the_temporary_folder_fills_at_its_limit(arena: Arena) -> None:
    written = counted(arena, DISK)
    assert 0 < written <= SMALL.temp_mb * MB if arena.tier == "namespaces" else written == 0


INODES = """
import os
path, made = os.environ.get("TMPDIR", "."), 0
try:
    while True: open(f"{path}/{made}", "wb").close(); made += 1
except OSError: print(made)
"""


def test_empty_files_run_out_too(arena: Arena) -> None:
    made = counted(arena, INODES)
    assert 0 < made <= 1024 if arena.tier == "namespaces" else made == 0


def test_a_pipe_bomb_stops_at_the_open_files(arena: Arena) -> None:
    bomb = "import os\npipes = []\ntry:\n    while True: pipes += os.pipe(); os.write(pipes[-1], bytes(65536))\n"
    assert counted(arena, bomb + "except OSError: print(len(pipes))") < SMALL.open_files


def test_a_large_file_kills_or_fails(arena: Arena) -> None:
    limits = Limits(memory_mb=200, temp_mb=16, files_mb=1)
    bomb = "import os\nwith open(os.environ.get('TMPDIR', '.') + '/file', 'wb') as file: file.write(bytes(1 << 21))"
    _, complaints, end = run(arena, bomb, limits=limits)
    assert end.code == 1
    assert "File too large" in complaints or "Permission denied" in complaints


def test_endless_processor_time_ends_by_itself(arena: Arena) -> None:
    deaf = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\nwhile True: pass"
    _, _, end = run(arena, deaf, limits=Limits(cpu_s=1))
    assert end.signal == signal.SIGKILL
    assert 0.5 < end.cpu_s < 2


STUBBORN = {
    "loops": "while True: pass",
    "loops deaf": "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\nwhile True: pass",
    "sleeps": "import time\ntime.sleep(1000)",
    "stops itself": "import os, signal, time\ntry: os.kill(os.getpid(), signal.SIGSTOP)\n"
    "except OSError: pass\ntime.sleep(1000)",
    "closes everything": "import os, time\nos.closerange(0, 3)\ntime.sleep(1000)",
    "floods its output": "while True: print('x' * 10000)",
    "floods its errors": "import sys\nwhile True: print('x' * 10000, file=sys.stderr)",
    "spins in threads": "import threading\ndef spin():\n    while True: pass\n"
    "try:\n    for _ in range(5): threading.Thread(target=spin).start()\nexcept RuntimeError: pass\nspin()",
}


@pytest.mark.parametrize("habit", STUBBORN)
def test_a_kill_ends_a_bot_that(arena: Arena, habit: str) -> None:
    with start(arena, "print('here', flush=True)\n" + STUBBORN[habit]) as box:
        assert hear(box).startswith("here")
        box.kill()
        assert box.ended(DEADLINE_S)
        assert box.wait().signal == signal.SIGKILL
    assert not Path(f"/proc/{box.pid}").exists()
