"""Packages beside the standard library that a zygote offers to its bots, and to nobody else's.

A package is named by its folder among what the zygote reads. It can be imported and the rest of the folder that it
lies in cannot, for that may hold all that Boardroom itself is made of.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

# What is loaded ahead of each: without files there is no more, elsewhere the rest is loaded from its files.
MODULES = {
    "numpy": """
        numpy numpy.char numpy.ctypeslib numpy.fft numpy.lib.recfunctions numpy.lib.stride_tricks numpy.linalg numpy.ma
        numpy.polynomial numpy.random numpy.rec numpy.strings numpy.typing zipfile encodings.cp437""",  # for .npz
    "onnxruntime": "onnxruntime",
}
# Address space, most of it never used: NumPy 2.4 takes 104 MB, its first large product 32 more; ONNX Runtime 1.32 with
# a first session 90.
RESERVES_MB = {"numpy": 160, "onnxruntime": 110}
# No thread but the bot's own: others would not live through a fork, and no machine could count them in every tier.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
# ONNX Runtime else starts a thread that keeps a database of its own in the home of whoever runs it, and reports.
NO_REPORTS = {"ORT_DISABLE_TELEMETRY": "1"}


class Finder(importlib.abc.MetaPathFinder):
    """Finds these packages in their folders; what is inside of one is found as ever."""

    def __init__(self, folders: dict[str, str]) -> None:
        self.folders = folders

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - the name says it
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> importlib.machinery.ModuleSpec | None:
        if not (folder := self.folders.get(fullname)):
            return None
        places = [folder]
        return importlib.util.spec_from_file_location(
            fullname, f"{folder}/__init__.py", submodule_search_locations=places
        )


def among(reads: Iterable[str]) -> dict[str, str]:
    """The folders of packages by their names."""
    return {name: path for path in reads if (name := Path(path).name) in MODULES}


def offer_packages(folders: dict[str, str]) -> list[str]:
    """Let these be imported in the zygote, after all that a bundle brings. Returns the modules to load ahead."""
    if folders:
        os.environ.update(ONE_THREAD | NO_REPORTS)
        sys.meta_path.append(Finder(folders))
        os.register_at_fork(after_in_child=draw_afresh)
    return [module for name in folders for module in MODULES[name].split()]


@contextmanager
def silenced() -> Iterator[None]:
    """Drop what native code writes to stderr: ONNX Runtime warns there of a missing /proc, with times of its own."""
    stderr = os.dup(2)
    os.dup2(1, 2)  # a zygote's stdout leads nowhere
    try:
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)


def draw_afresh() -> None:
    """Or every bot would begin with the same dice as its opponents, who could foretell what it will throw."""
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed()
