"""The inside of the component: one Python, started when the component is built, that waits for a bot to run.

Built by build.py, which freezes the interpreter after this module was loaded. What is imported here is there for every
bot; nothing else is, since a component has no files. What a bot can see of an operating system are three descriptors:
`bots.sdk` and ordinary scripts read and write them as anywhere else.
"""

import builtins
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import os
import pkgutil
import posixpath
import random
import sys
import time
import traceback
from types import ModuleType
from typing import Any

import wit_world

MODULES = """
    abc argparse array ast base64 binascii bisect calendar cmath collections collections.abc colorsys contextlib copy
    copyreg csv dataclasses datetime decimal difflib enum errno fractions functools gc graphlib gzip hashlib heapq hmac
    html inspect io ipaddress itertools json keyword linecache locale logging math numbers operator os pathlib pickle
    pickletools platform pprint queue random re reprlib secrets shlex signal statistics string struct tempfile textwrap
    threading time timeit token tokenize tomllib traceback types typing unicodedata uuid warnings weakref zipfile zlib
    zoneinfo"""
BROUGHT = "/bot/"  # where a bot's files seem to lie
READING = {"r", "rb", "rt", "br", "tr"}


class Descriptors:
    """0, 1 and 2, and what a bot makes of them; the functions of `os` that WebAssembly's Python lacks or would trap."""

    def __init__(self) -> None:
        self.ends = {0: 0, 1: 1, 2: 2}
        self.unread = b""

    def read(self, descriptor: int, length: int) -> bytes:
        if self._end(descriptor) != 0:
            raise OSError(9, "Bad file descriptor")
        self.unread = self.unread or wit_world.receive().encode("latin-1")
        data, self.unread = self.unread[:length], self.unread[length:]
        return data

    def write(self, descriptor: int, data: Any) -> int:
        if (end := self._end(descriptor)) == 0:
            raise OSError(9, "Bad file descriptor")
        wit_world.send(end, bytes(data).decode("latin-1"))
        return len(data)

    def dup(self, descriptor: int) -> int:
        free = next(number for number in range(3, 256) if number not in self.ends)
        return self.dup2(descriptor, free)

    def dup2(self, descriptor: int, target: int, inheritable: bool = True) -> int:  # noqa: ARG002
        self.ends[target] = self._end(descriptor)
        return target

    def close(self, descriptor: int) -> None:
        self._end(descriptor)
        del self.ends[descriptor]

    def isatty(self, descriptor: int) -> bool:
        return self._end(descriptor) < 0

    def _end(self, descriptor: int) -> int:
        if descriptor not in self.ends:
            raise OSError(9, "Bad file descriptor")
        return self.ends[descriptor]


class Stream(io.RawIOBase):
    """A descriptor as a file."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def fileno(self) -> int:
        return self.descriptor

    def readable(self) -> bool:
        return self.descriptor == 0

    def writable(self) -> bool:
        return self.descriptor != 0

    def readinto(self, buffer: Any) -> int:
        data = os.read(self.descriptor, len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def write(self, data: Any) -> int:
        return os.write(self.descriptor, data)


class Files(importlib.abc.MetaPathFinder, importlib.abc.ExecutionLoader):
    """The bot's own files: to import from, and to open for reading."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def find_spec(self, name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        stem = name.replace(".", "/")
        if self.is_package(name):
            return importlib.util.spec_from_file_location(
                name, self.get_filename(name), loader=self, submodule_search_locations=[BROUGHT + stem]
            )
        if f"{stem}.py" in self.files:
            return importlib.util.spec_from_file_location(name, self.get_filename(name), loader=self)
        if any(file.startswith(f"{stem}/") for file in self.files):
            return importlib.machinery.ModuleSpec(name, None, is_package=True)
        return None

    def get_filename(self, name: str) -> str:
        stem = BROUGHT + name.replace(".", "/")
        return f"{stem}/__init__.py" if self.is_package(name) else f"{stem}.py"

    def is_package(self, name: str) -> bool:
        return name.replace(".", "/") + "/__init__.py" in self.files

    def get_source(self, name: str) -> str:
        path = self.get_filename(name) if name != "__main__" else sys.argv[0]
        return self.get_data(path).decode()

    def get_data(self, path: str) -> bytes:
        name = posixpath.normpath(posixpath.join(BROUGHT, os.fspath(path))).removeprefix(BROUGHT)
        if name not in self.files:
            raise FileNotFoundError(2, "there is no such file in the bundle, and none outside it", str(path))
        return self.files[name]

    def open(
        self,
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,  # noqa: ARG002 - as the real one has it
        opener: Any = None,  # noqa: ARG002
    ) -> Any:
        if isinstance(file, int):
            raw: Any = io.BufferedReader(Stream(file)) if file == 0 else io.BufferedWriter(Stream(file))
        elif mode in READING:
            raw = io.BytesIO(self.get_data(file))
        else:
            raise PermissionError(13, "a bot has no files to write", str(file))
        text = io.TextIOWrapper(raw, encoding or "utf-8", errors, newline, line_buffering=buffering == 1)
        return raw if "b" in mode else text


class WitWorld(wit_world.WitWorld):  # type: ignore[misc]
    def run(self, files: list[tuple[str, str]], entry: str) -> int:
        brought = Files({path: content.encode("latin-1") for path, content in files})
        make_room(brought)
        main = sys.modules["__main__"] = ModuleType("__main__")
        path = main.__file__ = BROUGHT + entry
        sys.argv[:] = [path]
        main.__loader__ = brought
        code = 0
        try:
            exec(compile(brought.files[entry], path, "exec", dont_inherit=True), main.__dict__)  # noqa: S102
        except SystemExit as end:
            code = exit_code(end)
        except BaseException as error:  # noqa: BLE001 - whatever a bot raises, its author sees it
            code = 1
            report(error)
        flush_output()
        return code


def make_room(brought: Files) -> None:
    """Put this bot's files and descriptors where Python looks for them."""
    names = {path.partition("/")[0].removesuffix(".py") for path in brought.files}
    for name in [name for name in sys.modules if name.partition(".")[0] in names]:
        del sys.modules[name]  # the bot brings its own
    sys.meta_path.insert(0, brought)
    builtins.open = io.open = brought.open
    sys.stdin = brought.open(0)
    sys.stdout = brought.open(1, "w", 1)
    sys.stderr = brought.open(2, "w", 1, errors="backslashreplace")


def exit_code(end: SystemExit) -> int:
    if end.code is None or isinstance(end.code, int):
        return (end.code or 0) & 255
    print(end.code, file=sys.stderr)
    return 1


def report(error: BaseException) -> None:
    """The traceback as its author expects it, without our frame."""
    try:
        traceback.print_exception(error.with_traceback(error.__traceback__ and error.__traceback__.tb_next))
    except MemoryError:  # none is left even for that
        wit_world.send(2, "MemoryError\n")


def flush_output() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # the bot has closed it
            stream.flush()


def sleep(seconds: float) -> None:
    """Time passes only by spending fuel."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def import_all() -> None:
    for name in MODULES.split():
        importlib.import_module(name)
    os.environ["BOARDROOM_GAMES"] = importlib.import_module("games_from_outside").PACKAGES  # build.py has written it
    for package in ("engine", "bots"):
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            importlib.import_module(module.name)


def forget_build() -> None:
    """Forget whatever this build had of its own: where it looked for files, and the numbers it drew."""
    descriptors = Descriptors()
    for name in ("read", "write", "dup", "dup2", "close", "isatty"):
        setattr(os, name, getattr(descriptors, name))
    del os.environ["BOARDROOM_GAMES"]
    time.sleep = sleep  # type: ignore[assignment]
    time.process_time, time.process_time_ns = time.monotonic, time.monotonic_ns  # libc's began with this build
    sys.path.clear()
    sys.path_importer_cache.clear()
    random.seed(0)


import_all()
forget_build()
