"""The languages bots are written in. A new one is a small file here and its place in `ALL`."""

from bots.languages.c import C
from bots.languages.cplusplus import CPlusPlus
from bots.languages.javascript import JavaScript
from bots.languages.language import PROGRAM, Language, Missing, Tool
from bots.languages.numpy import NumPy
from bots.languages.python import Python
from bots.languages.static import Static

__all__ = ["ALL", "LANGUAGES", "PROGRAM", "Language", "Missing", "Tool"]

ALL: tuple[Language, ...] = (Python(), NumPy(), JavaScript(), C(), CPlusPlus(), Static())
LANGUAGES = {language.name: language for language in ALL}
