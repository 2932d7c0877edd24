"""The languages bots are written in. A new one is a small file here and its place in `ALL`."""

from bots.languages.c import C, CPlusPlus
from bots.languages.csharp import CSharp
from bots.languages.go import Go
from bots.languages.java import Java
from bots.languages.javascript import JavaScript
from bots.languages.language import MOST_ADDED, PROGRAM, Language, Missing, Tool
from bots.languages.numpy import NumPy
from bots.languages.onnx import Onnx
from bots.languages.python import Python
from bots.languages.rust import Rust
from bots.languages.static import Static

__all__ = ["ALL", "LANGUAGES", "MOST_ADDED", "PROGRAM", "Language", "Missing", "Tool"]

ALL: tuple[Language, ...] = (
    Python(),
    NumPy(),
    Onnx(),
    JavaScript(),
    C(),
    CPlusPlus(),
    Rust(),
    Go(),
    Java(),
    CSharp(),
    Static(),
)
LANGUAGES = {language.name: language for language in ALL}
