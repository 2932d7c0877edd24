"""A word from one bot to another past the table: two bots of one mind, in real boxes side by side, meet at a futex.

Both have the same file mapped, which neither can write to. One waits there, and the other wakes whoever does; that it
woke somebody would be the word. Other ways are among the attempts of test_forbidden.py.
"""

import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.hostile.boxes import hear, hear_all, start, wait_until
from workers.sandbox import syscalls
from workers.sandbox.arena import Arena
from workers.sandbox.box import Box

FUTEX = syscalls.NUMBERS["futex"]
PLACES = {
    "of libc": "place = ctypes.cast(libc.write, ctypes.c_void_p)",
    "of a file that both map": (
        "libc.mmap.restype = ctypes.c_void_p\n"
        "place = ctypes.c_void_p(libc.mmap(None, 4096, 1, 1, os.open(os.__file__, os.O_RDONLY), 0))"
    ),
}
PYTHON = f"""
import ctypes, os, sys
libc = ctypes.CDLL(None)
listens = sys.stdin.readline() == "listen\\n"
PLACE
futex = lambda verb, number: libc.syscall({FUTEX}, place, verb, ctypes.c_uint(number), None, None, 0)
if listens:
    print("listening", flush=True)
    print(futex(0, ctypes.c_uint.from_address(place.value).value), flush=True)
    sys.stdin.read()
else:
    print(futex(1, 1))
"""


@pytest.mark.parametrize("place", PLACES)
def test_python_bots_do_not_meet_at_a_page(arena: Arena, place: str) -> None:
    if arena.tier == "pure" and place != "of libc":
        return  # it has no file to map
    source = PYTHON.replace("PLACE", PLACES[place])
    assert woken(lambda: start(arena, source)) == "-1\n"


def woken(a_bot: Callable[[], Box]) -> str:
    """How many the one could wake while the other listened, as it was told."""
    with ExitStack() as boxes:
        ear, mouth = (boxes.enter_context(a_bot()) for _ in range(2))
        os.write(ear.stdin, b"listen\n")
        assert hear(ear).startswith("listening\n")
        wait_until(lambda: sleeps(ear.pid))
        os.write(mouth.stdin, b"wake\n")
        return hear_all(mouth.stdout)


def sleeps(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"
