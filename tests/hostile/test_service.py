"""The arena as a service: boxes that are killed, timed and told of over a socket, and end with their worker."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.cpu_time import Meter
from tests.hostile.boxes import DEADLINE_S, SMALL, bundle, hear, names, of_store, run, start, wait_until
from tests.hostile.test_matches import ATTACKS, HONEST, late, play
from tests.hostile.test_programs import SHELL
from workers.sandbox.arena import CHECKOUT, Arena
from workers.sandbox.errors import SandboxError
from workers.sandbox.far import connect
from workers.sandbox.program import Program

WORKER = """
import sys
from pathlib import Path
from tests.hostile.boxes import hear, start
from workers.sandbox.far import connect
arena = connect(sys.argv[1], Path(sys.argv[2]))
boxes = [start(arena, "print('here', flush=True)\\nwhile True: pass") for _ in range(3)]
print(*[hear(box).strip() for box in boxes], flush=True)
sys.stdin.read()
"""


@pytest.fixture
def served(store: Path) -> Iterator[str]:
    """The address of a service on the store."""
    path = str(store / "arena.sock")
    command = [sys.executable, "-m", "workers.sandbox.service", path, str(store)]
    with subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE) as service:
        assert service.stdout
        assert b"serves at" in service.stdout.readline()
        yield path
        service.kill()
    wait_until(lambda: not zygotes(store))


def zygotes(store: Path) -> list[int]:
    return [pid for pid in of_store(store) if names(Path(f"/proc/{pid}"), "zygote")]


@pytest.fixture
def far(served: str, store: Path) -> Iterator[Arena]:
    with connect(served, store) as arena:
        yield arena


def test_bots_of_a_service_are_as_all_others(far: Arena) -> None:
    assert far.tier in ("namespaces", "landlock")
    assert run(far, "print(input().upper())", "hello\n")[0] == "HELLO\n"
    assert run(far, "raise SystemExit(3)")[2].code == 3
    program = Program((SHELL, "-c", "echo from a shell"), reads=(SHELL,))
    with far.spawn(bundle(far, ""), "bot.py", SMALL, program) as box:
        assert hear(box) == "from a shell\n"


def test_its_clocks_are_read_without_seeing_the_process(far: Arena) -> None:
    spin = "import time\nprint('here', flush=True)\ninput()\nwhile time.process_time() < 0.3: pass\n"
    spin += "print('done')\ninput()"
    with start(far, spin) as box:
        box.pid = 0
        hear(box)
        meter = Meter(box)  # type: ignore[arg-type]  # its end has the same fields
        os.write(box.stdin, b"\n")
        assert hear(box) == "done\n"
        assert 0.2 < meter.used_s() < 0.35
        assert box.cpu_s() == pytest.approx(0.3, abs=0.03)
        assert box.delay_s() >= 0


def test_it_is_killed_over_its_life_line(far: Arena) -> None:
    with start(far, "print('here', flush=True)\nwhile True: pass") as box:
        hear(box)
        box.kill()
        assert box.ended(DEADLINE_S)
        assert box.wait().signal == signal.SIGKILL


@pytest.mark.parametrize(
    "attack",
    ["endless loop, deaf", "memory bomb", "x32 call", "endless stderr"],
)
def test_a_match_goes_on_there_too(far: Arena, attack: str) -> None:
    line, verdicts = ATTACKS[attack]
    result = play(far, [HONEST, late(line), HONEST]).result
    assert result.verdicts[1] in verdicts
    assert (result.verdicts[0], result.verdicts[2]) == ("ok", "ok")


def test_a_worker_that_is_killed_leaves_no_bot(served: str, store: Path) -> None:
    command = [sys.executable, "-c", WORKER, served, str(store)]
    with subprocess.Popen(command, cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdout
        assert worker.stdout.readline().split() == [b"here"] * 3
        assert zygotes(store)
        worker.kill()
    wait_until(lambda: not zygotes(store))


def test_a_service_that_is_not_there_is_refused(served: str, store: Path) -> None:
    with pytest.raises(SandboxError) as error:
        connect(f"{served}.gone", store)
    assert error.value.code == "arena_lost"


def test_noise_at_the_door_harms_nobody(served: str, store: Path) -> None:
    for noise in (b"", b"hello", b"[]", b'{"reads": 7}'):
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as guest:
            guest.connect(served)
            guest.send(noise)
    with connect(served, store) as arena:
        assert run(arena, "print('fine')")[0] == "fine\n"
