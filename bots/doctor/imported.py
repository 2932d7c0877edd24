"""What a Python bot imports and a site does not have, by its tokens. At home its syntax is looked at too."""

import sys
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO

from bots.bundle import Bundle, source_files
from bots.syntax import SyntaxFault, syntax_fault
from engine.games import OUTSIDE
from engine.records import Record
from engine.sentences import Sentence

GIVEN = {"engine", "bots", *(game.package for game in OUTSIDE)}
BESIDES = {"python": (), "numpy": ("numpy",), "onnx": ("numpy", "onnxruntime")}  # of Python, by language
LONGEST = 300_000  # bytes of all sources together, read in half a second
OPENS, CLOSES = set("([{"), set(")]}")
SKIPPED = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.INDENT, tokenize.DEDENT, tokenize.STRING}
MOST = 50  # names that are told


@dataclass(slots=True)
class Imported(Record):
    """`unread` says what was not looked at, and why, and `broken` why Python cannot read it."""

    language: str
    missing: list[str] = field(default_factory=list)
    unread: str = ""
    broken: str = ""


def read_imports(bundle: Bundle, *, at_home: bool = False) -> Imported:
    """Return what the bundle imports. At home Python's parser reads it too; on a site no bot gets here that does not
    start."""
    result = Imported(bundle.manifest.language)
    if result.language not in BESIDES:
        return result
    paths = source_files(bundle.language, bundle.files)
    if (size := sum(len(bundle.files[path]) for path in paths)) > LONGEST:
        sentence = "its sources have %(size)s bytes; up to %(most)s are read for what they import"
        result.unread = Sentence(sentence, size=f"{size:,}", most=f"{LONGEST:,}")
        return result
    own_modules = {path.split("/")[0].removesuffix(".py") for path in bundle.files}
    modules = {*sys.stdlib_module_names, *GIVEN, *own_modules, *BESIDES[result.language]}
    try:
        if at_home and (fault := syntax_fault(bundle.manifest.entry, {path: bundle.files[path] for path in paths})):
            if fault.at_start:
                sentence = "Python cannot read line %(line)s of %(path)s: %(why)s"
                result.broken = Sentence(sentence, line=fault.line, path=fault.path, why=fault.why)
                return result
            result.unread, paths = unread_module(fault), [path for path in paths if path != fault.path]
        names = {name for path in paths for name in names_in(bundle.files[path])}
    except (tokenize.TokenError, SyntaxError, ValueError, LookupError, RecursionError) as error:
        result.broken = Sentence("Python cannot read it: %(error)s", error=error)
        return result
    result.missing = sorted(names - modules)[:MOST]
    return result


def unread_module(fault: SyntaxFault) -> Sentence:
    """Return what is said of a module that the bot may never import."""
    sentence = (
        "Python cannot read line %(line)s of %(path)s, which the bot may import later: “%(why)s”; correct it, or leave "
        "the file out"
    )
    return Sentence(sentence, line=fault.line, path=fault.path, why=fault.why)


def names_in(source: bytes) -> Iterator[str]:
    """The first parts of the modules that are imported, but for its own, as in `from . import`."""
    for statement in statements(source):
        if "import" in statement:
            yield from _names(statement)


def statements(source: bytes) -> Iterator[list[str]]:
    """The tokens of each, without strings. What stands behind a colon belongs to what stands before it."""
    statement, depth = list[str](), 0
    for token in tokenize.tokenize(BytesIO(source).readline):
        if token.type not in SKIPPED:
            depth += (token.string in OPENS) - (token.string in CLOSES)
            if token.type == tokenize.NEWLINE or (token.string == ";" and not depth):
                yield statement
                statement = []
            else:
                statement.append(token.string)
    yield statement


def _names(statement: Sequence[str]) -> Iterator[str]:
    """`import` is a keyword, and stands nowhere else."""
    keyword = statement.index("import")
    before, after = statement[:keyword], statement[keyword + 1 :]
    if "from" in before:
        whence = before[len(before) - before[::-1].index("from") :]
        if whence and not whence[0].startswith("."):
            yield whence[0]
        return
    for place, name in enumerate(after):
        if not place or after[place - 1] == ",":
            yield name
