"""What a language is: how it is recognised, whether this machine has it, how its bots are built and run.

Commands are made for the place where they run: at home with the folders' real paths, in the sandbox with its own.
"""

import os
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

PROGRAM = ".program"  # what a build leaves beside a bot's files
MOST_ADDED = 8 << 20  # bytes that a built program may have more than the files that it is made of
PATIENCE_S = 20  # for a tool to say its version


@dataclass(frozen=True, slots=True)
class Tool:
    """A language as this machine has it. `reads` are paths its builds need besides the system's libraries."""

    command: str
    version: str  # "Node 20.1.0"
    reads: tuple[str, ...] = ()


class Missing(Exception):
    """This machine does not have the language; the message says what was looked for."""


class Language(ABC):
    """One language. `trial` is a program that says "ready"; a worker tries it before it offers the language."""

    name: str  # in bot.toml and in the names of queues
    title: str  # for people
    endings: tuple[str, ...] = ()  # of its source files
    trial: bytes
    remedy: str = ""  # for a machine without it
    built: bool = False  # whether its bots are built before they run
    alone: bool = False  # whether its bots are static executables, which load no library
    home_only: bool = False  # whether no site takes its bots
    reserves_mb: int = 0  # address space its runtime sets aside without using it

    @abstractmethod
    def detect(self) -> Tool:
        """The language on this machine. Raises Missing."""

    @abstractmethod
    def run(self, tool: Tool, folder: str, entry: str, memory_mb: int | None = None) -> list[str]:
        """The command that runs a bot whose files, and program if it is built, are in `folder`."""

    def build(self, tool: Tool, folder: str, sources: Sequence[str], program: str) -> list[str]:
        """The command that makes `program` of the source files in `folder`, for a language that is built."""
        raise NotImplementedError(f"{self.title} is not built: {tool}, {folder}, {sources}, {program}")

    def at_home(self, command: Sequence[str]) -> list[list[str]]:
        """A build as it is run outside of the sandbox, one after the other."""
        return [list(command)]

    def steps(self, command: Sequence[str], temporary: str) -> list[list[str]]:
        """A build as programs to run one after the other, none of which starts another; they meet in `temporary`.

        Raises Missing.
        """
        raise NotImplementedError(f"{self.title} is not built: {command}, {temporary}")

    def entries(self) -> list[str]:
        """Return what is run if bot.toml does not say, in order of preference."""
        return [f"{stem}{ending}" for ending in self.endings for stem in ("bot", "main")]

    def entry_of(self, source: bytes) -> str:  # noqa: ARG002 - most do not tell by their contents
        """Return what a single file of source is called, whatever it was called when it was sent."""
        return self.entries()[0]

    def dialect(self, sources: Iterable[bytes]) -> str:  # noqa: ARG002 - most endings belong to one language
        """The name of the language that these files are in, of those that share this one's endings."""
        return self.name

    def need(self, entry: bytes) -> str:  # noqa: ARG002 - of most languages one bot is as good as another
        """Return what a machine must offer to run the bot that begins with these bytes."""
        return self.name

    def offer(self) -> str:
        """Return what this machine offers when it has the language."""
        return self.name


def find_program(*names: str) -> str:
    """The path of the first of these commands that is here. Raises Missing."""
    if path := next(filter(None, map(shutil.which, names)), None):
        return path
    raise Missing(f"no {' and no '.join(names)} on the path")


def ask(*command: str, **environment: str) -> str:
    """Return what a tool says about itself. Raises Missing."""
    variables = {**os.environ, "LC_ALL": "C", **environment}
    try:
        result = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=variables,
            timeout=PATIENCE_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise Missing(f"{command[0]} {command[1]} failed: {error}") from None
    return result.stdout.strip()
