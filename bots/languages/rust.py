"""Rust, with its standard library alone: the entry is the root of one crate, and `mod` names the other files."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from bots.languages.c import C
from bots.languages.language import Missing, Tool, ask, find_program
from bots.languages.static import HEADER, INTERPRETER, SEGMENT

FLAGS = ("--edition=2021", "-Copt-level=2", "--crate-name=bot", "--crate-type=bin", "-Awarnings")
STATIC = ("-Ctarget-feature=+crt-static", "-Crelocation-model=static") if sys.platform == "linux" else ()
LINKED = ("-lpthread", "-lm")


class Rust(C):
    """The compiler would start a linker with what it has made. In a box none of them may start another, so it makes an
    object of the bot, then an archive of the standard library as an empty crate needs it, and C's linker is next."""

    name, title = "rust", "Rust"
    endings = (".rs",)
    trial = (
        b'fn main() { let it: Vec<i32> = vec![3, 4]; println!("{}", if it[1] == 4 { "ready" } else { "wrong" }); }\n'
    )
    remedy = "Install Rust and a linker. Debian: apt-get install rustc gcc libc6-dev"

    def detect(self) -> Tool:
        linker = C().detect()
        root = Path(ask(find_program("rustc"), "--print", "sysroot"))
        command = str(root / "bin" / "rustc")  # what is on the path may be rustup
        reads = {*linker.reads, str(root / "lib"), command} if str(root) != "/usr" else {*linker.reads, *_of_debian()}
        return Tool(command, ask(command, "--version"), tuple(sorted(reads)))

    def entries(self) -> list[str]:
        return [*super().entries(), "src/main.rs"]

    def build(self, tool: Tool, folder: str, sources: Sequence[str], program: str) -> list[str]:
        entry = [f"{folder}/{source}" for source in sources[:1]]
        return [tool.command, *FLAGS, *STATIC, "-o", program, *entry]

    def steps(self, command: Sequence[str], temporary: str) -> list[list[str]]:
        compiler, *flags, _, program, entry = command
        bot, library = f"{temporary}/bot.o", f"{temporary}/libstd.a"
        shared = [flag for flag in flags if not flag.startswith("--crate")]
        linker = [find_program(*self.commands), "-static", "-o", program, f"-Wl,{bot}", f"-Wl,{library}", *LINKED]
        root = Path(compiler).parents[1]
        start = [_loader(compiler), "--library-path", f"{root}/lib", compiler, f"--sysroot={root}"]
        return [
            [*start, *flags, "--emit=obj", "-Ccodegen-units=1", "-o", bot, entry],
            [*start, *shared, "--crate-type=staticlib", "--crate-name=std_alone", "-o", library, os.devnull],
            *super().steps(linker, temporary),
        ]


def _of_debian() -> list[str]:
    """Return where a compiler that is installed among the system's programs has its libraries."""
    return [str(path) for path in Path("/usr/lib").glob("rustlib")]


def _loader(program: str) -> str:
    """Return what loads the compiler's libraries: by itself it looks for them beside itself, and a box has no /proc to
    say where that is."""
    data = Path(program).read_bytes()[:4096]
    *_, segments, _, _, _, size, count, _, _, _ = HEADER.unpack_from(data)
    for place in range(segments, segments + size * count, size):
        kind, _, offset, _, _, length, _, _ = SEGMENT.unpack_from(data, place)
        if kind == INTERPRETER:
            return data[offset : offset + length].rstrip(b"\0").decode()
    raise Missing(f"{program} is no program that loads libraries")
