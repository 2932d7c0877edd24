"""C and C++, by GCC or Clang: all source files of a bundle make one program."""

import shlex
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from bots.languages.language import PROGRAM, Language, Missing, Tool, ask, find_program

SYSTEM = ("/usr", "/usr/local", "/")  # their libraries can be read by all that is run
# In a box a program loads no library (macOS, where bots play at home alone, has none to link in their place). Before
# glibc 2.34 a C++ program without all of pthread crashes in `std::thread`; since then there is nothing in it.
STATIC = ("-static", "-Wl,--whole-archive", "-lpthread", "-Wl,--no-whole-archive") if sys.platform == "linux" else ()
HEADERS = ("/usr/include", "/usr/local/include")


class C(Language):
    name, title = "c", "C"
    endings: tuple[str, ...] = (".c",)
    trial = b'#include <stdio.h>\n#include <math.h>\nint main(void) { puts(sqrt(4) == 2 ? "ready" : "wrong"); }\n'
    remedy = "Install a C compiler and a C library to link statically. Debian: apt-get install gcc libc6-dev"
    built = alone = True
    commands = ("gcc", "clang")
    standard = "gnu17"

    def detect(self) -> Tool:
        command = find_program(*self.commands)
        version = ask(command, "--version").partition("\n")[0]
        if not version:
            raise Missing(f"{command} does not say its version")
        return Tool(command, version, tuple(sorted(_reads((command, find_program("as"), find_program("ld"))))))

    def build(self, tool: Tool, folder: str, sources: Sequence[str], program: str) -> list[str]:
        flags = [f"-std={self.standard}", "-O2", "-pthread", f"-I{folder}", "-o", program]
        return [tool.command, *flags, *(f"{folder}/{source}" for source in sources), "-lm", *STATIC]

    def steps(self, command: Sequence[str], temporary: str) -> list[list[str]]:
        """The commands that the compiler's driver would start, with the linker in place of its wrapper."""
        output = ask(command[0], "-###", *command[1:], TMPDIR=temporary)
        lines = [line for line in output.splitlines() if line.startswith(" ") and not line.startswith(" (")]
        steps = [shlex.split(line) for line in lines]
        return [[_program(step[0]), *map(_plain, step[1:])] for step in steps]

    def run(self, tool: Tool, folder: str, entry: str, memory_mb: int | None = None) -> list[str]:  # noqa: ARG002
        return [f"{folder}/{PROGRAM}"]


class CPlusPlus(C):
    name, title = "c++", "C++"
    endings = (".cpp", ".cc", ".cxx")
    trial = b'#include <iostream>\nint main() { std::cout << "ready" << std::endl; }\n'
    remedy = "Install a C++ compiler and libraries to link statically. Debian: apt-get install g++"
    commands = ("g++", "clang++")
    standard = "gnu++20"


def _program(name: str) -> str:
    return find_program("ld" if Path(name).name == "collect2" else name)


def _plain(argument: str) -> str:
    """The driver also puts a backslash before a dollar, which `shlex` leaves there."""
    return argument.replace("\\$", "$")


def _reads(commands: Iterable[str]) -> set[str]:
    """Return where these programs are installed, and the system's headers."""
    folders = {folder for folder in HEADERS if Path(folder).is_dir()}
    for command in commands:
        for place in (Path(command).parent, Path(command).resolve().parent):
            folders.add(str(place if str(place.parent) in SYSTEM else place.parent))
    return folders
