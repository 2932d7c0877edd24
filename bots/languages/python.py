"""Python: the interpreter that plays the matches also runs the bots, with the standard library alone."""

import platform
import re
import sys
from collections.abc import Iterable

from bots.languages.language import Language, Tool

# Searched, not parsed: the possessive quantifiers make it one pass for any text.
IMPORTS_NUMPY = re.compile(rb"^(?:\xef\xbb\xbf)?[ \t]*+(?:import|from)[ \t]++[^\n#]*?\bnumpy\b", re.MULTILINE)


class Python(Language):
    name, title = "python", "Python"
    endings = (".py",)
    trial = b"print('ready')\n"

    def detect(self) -> Tool:
        return Tool(sys.executable, f"Python {platform.python_version()}")

    def run(self, tool: Tool, folder: str, entry: str, memory_mb: int | None = None) -> list[str]:  # noqa: ARG002
        return [tool.command, f"{folder}/{entry}"]

    def dialect(self, sources: Iterable[bytes]) -> str:
        return "numpy" if any(map(IMPORTS_NUMPY.search, sources)) else self.name
