"""The `pure` tier: a bot that is Python alone, behind a filter that knows no files at all. Any kernel with seccomp.

Everything it needs is in its memory before the filter closes: the modules that bots commonly import, and every file
of its own bundle, from which it then imports. It cannot open, list or even name a file; its pipes are all it has.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from workers.sandbox.limits import Limits
from workers.sandbox.seccomp import Policy
from workers.sandbox.tiers import Plan, Tier

# Besides those that are loaded for every tier; what is in neither list cannot be imported here.
MODULES = """
    ast bz2 calendar cmath codecs concurrent.futures contextvars ctypes difflib encodings.ascii encodings.idna
    encodings.latin_1 encodings.utf_16 encodings.utf_8_sig errno fcntl gc getpass glob graphlib gzip io keyword
    linecache locale lzma mmap numbers platform posixpath resource sched secrets shlex shutil socket sqlite3 stat
    timeit token tokenize tomllib unicodedata urllib.parse warnings zipfile"""
FOLDER = "/bot"  # where its files seem to be, for tracebacks and `__file__`


class MemoryImporter(importlib.abc.MetaPathFinder, importlib.abc.ExecutionLoader):
    """Files in memory, to import from. `entry` is the main program."""

    def __init__(self, files: dict[str, bytes], entry: str) -> None:
        self.files, self.entry = files, entry

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - the name says it
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> importlib.machinery.ModuleSpec | None:
        if self._file(fullname) in self.files:
            return importlib.util.spec_from_loader(fullname, self, is_package=self.is_package(fullname))
        within = fullname.replace(".", "/") + "/"
        if any(name.startswith(within) for name in self.files):
            return importlib.machinery.ModuleSpec(fullname, None, is_package=True)
        return None

    def is_package(self, fullname: str) -> bool:
        return fullname.replace(".", "/") + "/__init__.py" in self.files

    def get_filename(self, fullname: str) -> str:
        return f"{FOLDER}/{self._file(fullname)}"

    def get_source(self, fullname: str) -> str:
        return importlib.util.decode_source(self.files[self._file(fullname)])

    def get_data(self, path: str) -> bytes:
        try:
            return self.files[str(path).removeprefix(f"{FOLDER}/")]
        except KeyError:
            raise FileNotFoundError(2, "there is no such file in the bundle", path) from None

    def _file(self, fullname: str) -> str:
        if fullname == "__main__":
            return self.entry
        stem = fullname.replace(".", "/")
        return f"{stem}/__init__.py" if self.is_package(fullname) else f"{stem}.py"


class Pure(Tier):
    """What a bot has here is what was read for it; see this module."""

    def __init__(self, plan: Plan, checkout: Path, store: Path, reads: Sequence[str] = ()) -> None:
        super().__init__(plan, checkout, store, reads)
        self.read, self.write = [], []
        self.policy = Policy(threads=plan.counts_threads, writing=False, killing=False, pure=True)
        self.modules = [*self.modules, *MODULES.split()]

    def settle(self) -> None:
        """Nothing has to be there but seccomp, which the child asks for."""

    def show(self, bundle: str, writes: str | None, limits: Limits) -> str:  # noqa: ARG002 - no files, nothing to write
        folder = (Path(self.store) / bundle).resolve(strict=True)
        self.files = {
            str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
        }
        return FOLDER

    def names(self, folder: str) -> set[str]:  # noqa: ARG002
        return {name.partition("/")[0] for name in self.files}

    def source(self, path: str) -> bytes:
        return self.files[path.removeprefix(f"{FOLDER}/")]

    def find_modules(self, folder: str, main: ModuleType) -> None:
        loader = MemoryImporter(self.files, str(main.__file__).removeprefix(f"{folder}/"))
        main.__loader__ = loader  # so that a traceback finds its lines
        sys.path.clear()
        sys.meta_path[:] = [loader, importlib.machinery.BuiltinImporter, importlib.machinery.FrozenImporter]
