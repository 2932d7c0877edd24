"""Any program that brings all it needs: an executable for Linux into which no library is loaded."""

import platform
import struct
import sys

from bots.archive import BundleError
from bots.languages.language import Language, Missing, Tool

MAGIC = b"\x7fELF"
HEADER = struct.Struct("<4s5B7x2HI3QI6H")  # of a 64-bit file, little-endian
SEGMENT = struct.Struct("<2I6Q")
WIDE, LITTLE, VERSION = 2, 1, 1
PROGRAM, PROGRAM_ANYWHERE = 2, 3  # kinds of files; the second is loaded at any address
LOADED, INTERPRETER = 1, 3  # kinds of segments; an interpreter is what loads the libraries of a program
READ_AND_EXECUTE = 5
MACHINES = {"x86_64": 62, "aarch64": 183}

# By machine: write(1, what stands behind these instructions, 6), then exit(0).
INSTRUCTIONS = {
    "x86_64": "b801000000 bf01000000 488d3510000000 ba06000000 0f05 b83c000000 31ff 0f05",
    "aarch64": "200080d2 e1000010 c20080d2 080880d2 010000d4 a80b80d2 000080d2 010000d4",
}


def trial(machine: str) -> bytes:
    """The smallest program of a machine that says "ready": one segment, which holds the whole file."""
    if machine not in MACHINES:
        return b""
    code = bytes.fromhex(INSTRUCTIONS[machine]) + b"ready\n"
    begin, address = HEADER.size + SEGMENT.size, 0x400000
    kind = (MAGIC, WIDE, LITTLE, VERSION, 0, 0, PROGRAM, MACHINES[machine], VERSION)
    header = HEADER.pack(*kind, address + begin, HEADER.size, 0, 0, HEADER.size, SEGMENT.size, 1, 0, 0, 0)
    size = begin + len(code)
    return header + SEGMENT.pack(LOADED, READ_AND_EXECUTE, 0, address, address, size, size, 4096) + code


class Static(Language):
    name, title = "static", "any static Linux executable"
    trial = trial(platform.machine())
    alone = True
    remedy = "Needs Linux on an x86-64 or 64-bit ARM processor."

    def detect(self) -> Tool:
        if sys.platform != "linux" or platform.machine() not in MACHINES:
            raise Missing(f"this is {sys.platform} on {platform.machine()}")
        return Tool("", f"Linux on {platform.machine()}")

    def run(self, tool: Tool, folder: str, entry: str, memory_mb: int | None = None) -> list[str]:  # noqa: ARG002
        return [f"{folder}/{entry}"]

    def entries(self) -> list[str]:
        return ["bot"]

    def need(self, entry: bytes) -> str:
        return f"static-{machine_of(entry)}"

    def offer(self) -> str:
        return f"static-{platform.machine()}"


def machine_of(data: bytes) -> str:
    """The machine that a static executable is for. Raises BundleError (`not_static`)."""
    if not data.startswith(MAGIC) or len(data) < HEADER.size:
        raise _refused("it does not begin as an executable for Linux (ELF)")
    _, width, order, _, _, _, kind, number, _, _, segments, _, _, _, size, count, *_ = HEADER.unpack_from(data)
    machine = next((name for name, machine_number in MACHINES.items() if machine_number == number), None)
    if (width, order) != (WIDE, LITTLE) or machine is None:
        raise _refused(f"it is for another machine; {' and '.join(MACHINES)} are known")
    if kind not in (PROGRAM, PROGRAM_ANYWHERE):
        raise _refused("it is an object file or a memory dump, not a program")
    if size != SEGMENT.size or not count or segments + size * count > len(data):
        raise _refused("its table of segments is not where its header says")
    if any(SEGMENT.unpack_from(data, segments + size * n)[0] == INTERPRETER for n in range(count)):
        raise _refused("it loads libraries when it starts; link it with -static")
    return machine


def _refused(reason: str) -> BundleError:
    return BundleError("not_static", f"the program cannot be taken: {reason}")
