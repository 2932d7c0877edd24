"""Building a bot in the sandbox, once for each worker's folder of bundles and each version of the compiler.

A compiler's driver starts other programs, which a box allows only where a cgroup can count them. So the driver is
asked, outside and before it has read a line, what it would start; those programs run one after the other, each in a
box of its own, and meet in one folder that they may write. Their CPU time adds up exactly, and only it decides.

What comes of a build stands beside the bundle: its files and the program, or in their place a Python file that says
what the compiler said and is gone. A build that fails is its author's fault and is not tried again.
"""

import os
import select
import shutil
import stat
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import monotonic

from bots.bundle import maker, place, source_files
from bots.languages import MOST_ADDED, PROGRAM, Language, Tool
from bots.table import Stopped
from workers.sandbox.arena import Arena
from workers.sandbox.box import Box
from workers.sandbox.errors import SandboxError
from workers.sandbox.limits import Exit, Limits
from workers.sandbox.program import BUNDLE, WRITES, Program

FAILED = ".failed.py"
LIMITS = Limits(memory_mb=1024, files_mb=32, temp_mb=32, cpu_s=30)  # of one program; all share the CPU time
PATIENCE_S = 600.0  # wall time of one program: it would take a machine that stands still
MOST_SAID, MOST_LINES, LONGEST_LINE = 1 << 20, 40, 300
MOST_WRITTEN = 256 << 20  # bytes on the disk, by all programs of a build together
SMALLEST = 4096  # bytes that any file counts for, so that their number has an end too
GLANCE_S = 0.2  # how often that is looked at while a program runs


@dataclass(frozen=True, slots=True)
class Build:
    """What is built, of which folder of the arena's store, and by what; until it is stopped."""

    arena: Arena
    bundle: str
    entry: str
    language: Language
    tool: Tool
    stopped: Callable[[], bool] = bool


class BuildFailed(Exception):
    """The bot's fault: what the compiler said, and then why there is no program."""


def build_program(build: Build) -> Path:
    """The folder with the program, or with the file `FAILED`. Raises SandboxError, Missing or OSError: ours;
    and Stopped."""
    store = build.arena.store
    home = store / f"{build.bundle}.{_how(build)}"
    if home.is_dir():
        return home
    source = store / build.bundle
    files = {path.relative_to(source).as_posix(): path.read_bytes() for path in source.rglob("*") if path.is_file()}
    writes = Path(tempfile.mkdtemp(prefix=f".new-{maker()}", dir=store))
    writes.chmod(0o777)  # each program runs as a user of its own
    try:
        return place({**files, PROGRAM: _program(build, files, writes)}, home, PROGRAM)
    except BuildFailed as failure:
        return place({FAILED: f"raise SystemExit({str(failure)!a})\n".encode()}, home)
    finally:
        shutil.rmtree(writes, ignore_errors=True)


def _how(build: Build) -> str:
    """The hash of all that a build depends on besides its sources: the compiler, and what we ask of it."""
    command = " ".join([build.tool.version, *build.language.build(build.tool, "", (), "")])
    return sha256(command.encode()).hexdigest()[:12]


def _program(build: Build, files: Mapping[str, bytes], writes: Path) -> bytes:
    folder, program = str(build.arena.store / build.bundle), writes / PROGRAM
    named = source_files(build.language, list(files), build.entry)
    command = build.language.build(build.tool, folder, named, str(program))
    left = float(LIMITS.cpu_s)
    for step in build.language.steps(command, str(writes)):
        argv = [argument.replace(folder, BUNDLE).replace(str(writes), WRITES) for argument in step]
        limits = replace(LIMITS, cpu_s=max(1, round(left)))
        output, end = _run(build, named[0], Program(tuple(argv), build.tool.reads, writes=writes.name), limits)
        left -= end.cpu_s
        if (full := _full(writes)) or end.code != 0 or len(output) > MOST_SAID or left <= 0:
            reason = _reason(Path(argv[0]).name, output, end, left, full=full)
            raise BuildFailed(f"{_first_lines(output, build, writes)}{reason}")
    made = _made(program)
    if len(made) > (most := MOST_ADDED + sum(map(len, files.values()))):
        raise BuildFailed(f"The bot could not be built: its program has {len(made):,} bytes; {most:,} are allowed.")
    return made


def _run(build: Build, entry: str, program: Program, limits: Limits) -> tuple[bytes, Exit]:
    if build.stopped():
        raise Stopped
    with build.arena.spawn(build.bundle, entry, limits, program) as box:
        os.close(box.stdin)
        box.stdin = -1
        deadline, full = monotonic() + PATIENCE_S, partial(_full, build.arena.store / (program.writes or ""))
        output = listen(box, PATIENCE_S, lambda: build.stopped() or full())
        while len(output) <= MOST_SAID and not full() and not box.ended(GLANCE_S):
            if build.stopped():
                raise Stopped
            if monotonic() > deadline:
                sentence = f"A build did not end in {PATIENCE_S:g} s, of which the CPU time is bounded."
                raise SandboxError("build_stuck", sentence)
    return output, box.wait()


def _full(folder: Path) -> bool:
    """Whether a build has written more than it may. Each file of it is limited by the kernel, and nothing else is."""
    taken = 0
    for inside, folders, files in os.walk(folder):
        for name in (*folders, *files):
            with suppress(FileNotFoundError):
                taken += max(SMALLEST, (Path(inside) / name).lstat().st_blocks * 512)
    return taken > MOST_WRITTEN


def listen(box: Box, patience_s: float, enough: Callable[[], bool] = lambda: False) -> bytes:
    """The output of a box on both pipes, until they are closed, it wrote too much, patience ends or it is enough."""
    output, deadline, open_ends = b"", monotonic() + patience_s, {box.stdout, box.stderr}
    poll = select.poll()
    for end in open_ends:
        poll.register(end, select.POLLIN)
    while open_ends and len(output) <= MOST_SAID and (left := deadline - monotonic()) > 0 and not enough():
        for end, _ in poll.poll(min(left, GLANCE_S) * 1000):
            output += (more := os.read(end, 65536))
            if not more:
                poll.unregister(end)
                open_ends.discard(end)
    return output


def _first_lines(output: bytes, build: Build, writes: Path) -> str:
    """The lines for the author, without the paths of this machine or of the box."""
    text = output.decode("utf-8", "replace")
    for path in (f"{build.arena.store / build.bundle}/", f"{writes}/", "/bot/", "/writes/"):
        text = text.replace(path, "")
    return "".join(f"{line[:LONGEST_LINE]}\n" for line in text.splitlines()[:MOST_LINES])


def _reason(name: str, output: bytes, end: Exit, left_s: float, *, full: bool) -> str:
    if full:
        why = f"when {name} ran, it had more than the {MOST_WRITTEN >> 20} MB on the disk that a build may take"
    elif len(output) > MOST_SAID:
        why = f"{name} wrote more than {MOST_SAID:,} bytes of complaints"
    elif left_s < 1 and (end.code != 0 or left_s <= 0):
        why = f"{name} used up the {LIMITS.cpu_s} s of CPU time that a build may take"
    elif end.ran_out:
        why = f"{name} used more than the {LIMITS.memory_mb} MB of memory that a build may take"
    else:
        why = f"{name} ended with " + (f"exit code {end.code}" if end.signal is None else f"signal {end.signal}")
    return f"The bot could not be built: {why}."


def _made(program: Path) -> bytes:
    """A stranger's code had a part in making it, so it is looked at before it is read."""
    handle = os.open(program, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(handle, "rb") as file:  # noqa: PTH123 - of a descriptor
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise SandboxError("odd_program", f"A build left something at {program.name} that is no plain file.")
        return file.read()
