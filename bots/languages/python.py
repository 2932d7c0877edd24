"""Python: the interpreter that plays the matches also runs the bots, with the standard library alone."""

import platform
import re
import sys
from collections.abc import Iterable

from bots.languages.language import Language, Tool

# Searched, not parsed: the possessive quantifiers make it one pass for any text.
LINE = rb"^(?:\xef\xbb\xbf)?[ \t]*+(?:import|from)[ \t]++[^\n#]*?\b%s\b"
IMPORTS = {
    name: re.compile(LINE % module, re.MULTILINE) for name, module in (("onnx", b"onnxruntime"), ("numpy", b"numpy"))
}


class Python(Language):
    name, title = "python", "Python"
    endings = (".py",)
    trial = b"print('ready')\n"

    def detect(self) -> Tool:
        return Tool(sys.executable, f"Python {platform.python_version()}")

    def run(self, tool: Tool, folder: str, entry: str, memory_mb: int | None = None) -> list[str]:  # noqa: ARG002
        return [tool.command, f"{folder}/{entry}"]

    def dialect(self, sources: Iterable[bytes]) -> str:
        """That of the packages which brings the others too."""
        files = list(sources)
        return next((name for name, line in IMPORTS.items() if any(map(line.search, files))), self.name)
