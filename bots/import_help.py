"""What there is to import, for a bot that has tried to import what is not there."""

import importlib
import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from pathlib import PurePosixPath

from bots.doctor.imported import BESIDES
from bots.languages import LANGUAGES
from engine.games import GAMES
from engine.sentences import Sentence

MOST = 8  # names that are listed
NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '([\w.]{1,100})'")
NO_NAME = re.compile(r"ImportError: cannot import name '(\w{1,100})' from '([\w.]{1,100})'")
OURS = {"bots.sdk", *(f"engine.games.{game}" for game in GAMES)}


def import_help(complaint: str, language: str, paths: Collection[str]) -> Sentence | None:
    """Return what to import instead, by the end of what a bot wrote and by its files; None if it did not fail so."""
    if language not in BESIDES:
        return None
    if match := NO_MODULE.search(complaint):
        return _of_modules(match[1].partition(".")[0], language, own_modules(paths))
    if (match := NO_NAME.search(complaint)) and match[2] in OURS:
        return _of_names(match[1], match[2])
    return None


def own_modules(paths: Collection[str]) -> list[str]:
    """Return the names by which a bot may import its own files."""
    tops = {PurePosixPath(path).parts[0] for path in paths if path.endswith(".py")}
    return sorted(top.removesuffix(".py") for top in tops)


def _of_modules(missing: str, language: str, own_modules_: Sequence[str]) -> Sentence:
    if missing in BESIDES["onnx"]:
        needed = next(name for name, modules in BESIDES.items() if missing in modules)
        sentence = 'There is %(module)s for a bot with language = "%(language)s" in its bot.toml.'
        return Sentence(sentence, module=missing, language=needed)
    if close := get_close_matches(missing, own_modules_, 1):
        return Sentence("There is no module %(module)s; did you mean %(close)s?", module=missing, close=close[0])
    importable = ("engine", "bots.sdk", "bots.imagine", "bots.rungs", *BESIDES[language])
    sentence = (
        "There is no module %(module)s: a bot in %(language)s may import the standard library, %(there)s, and its own "
        "modules: %(own)s."
    )
    title, modules = LANGUAGES[language].title, _listed(own_modules_)
    return Sentence(sentence, module=missing, language=title, there=", ".join(importable), own=modules)


def _of_names(missing: str, module: str) -> Sentence:
    names = [name for name in dir(importlib.import_module(module)) if not name.startswith("_")]
    close = get_close_matches(missing, names, MOST)
    if close:
        sentence = "There is no %(name)s in %(module)s; did you mean %(close)s?"
        return Sentence(sentence, name=missing, module=module, close=" or ".join(close))
    return Sentence("%(module)s has %(names)s.", module=module, names=_listed(names))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:MOST]) + (f" and {len(names) - MOST} more" if len(names) > MOST else "")
