"""Python with NumPy: a language of its own, since not every worker has it. Recognised by bot.toml or by an import."""

import sys
from pathlib import Path

from bots.languages.language import Missing, Tool, ask
from bots.languages.python import Python

OLDEST = 2
LOOK = """
import importlib.metadata, importlib.util, platform
if found := importlib.util.find_spec("numpy"):
    print(importlib.metadata.version("numpy"), platform.python_version(), found.origin)"""


class NumPy(Python):
    name, title = "numpy", "Python with NumPy"
    trial = b"import numpy\nprint('ready' if numpy.linalg.solve(numpy.eye(9), numpy.ones(9)).sum() == 9 else 'wrong')\n"
    remedy = f"python3 -m pip --python {sys.executable} install 'numpy>={OLDEST}'"

    def detect(self) -> Tool:
        """Return NumPy beside the packages of Boardroom, or with the Python that they were added to."""
        for python in dict.fromkeys((sys.executable, getattr(sys, "_base_executable", sys.executable))):
            if output := ask(python, "-P", "-c", LOOK):
                return _tool(python, *output.split(" ", 2))
        raise Missing(f"{sys.executable} has no NumPy")


def _tool(python: str, version: str, interpreter: str, file: str) -> Tool:
    """Return the tool, which reads the package's folder, and that of the libraries that its builds bring along."""
    if not version.partition(".")[0].isdecimal() or int(version.partition(".")[0]) < OLDEST:
        raise Missing(f"{python} has NumPy {version}; bots need {OLDEST} or newer")
    package = Path(file).parent
    reads = tuple(str(path) for path in (package, package.with_name("numpy.libs")) if path.is_dir())
    return Tool(python, f"NumPy {version}, Python {interpreter}", reads)
