"""Python: the interpreter that plays the matches also runs the bots, with the standard library alone."""

import platform
import sys

from bots.languages.language import Language, Tool


class Python(Language):
    name, title = "python", "Python"
    endings = (".py",)
    trial = b"print('ready')\n"

    def detect(self) -> Tool:
        return Tool(sys.executable, f"Python {platform.python_version()}")

    def run(self, tool: Tool, folder: str, entry: str, memory_mb: int | None = None) -> list[str]:  # noqa: ARG002
        return [tool.command, f"{folder}/{entry}"]
