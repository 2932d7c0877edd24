"""An upload: one file, or a zip with an optional `bot.toml`. What is wrong is rejected, never repaired; how editors and
systems write texts, names and folders is not wrong (`bots.text_encodings`, `bots.archive_names`).

    language = "python"     # or another of `bots.languages`; if it is not said: see `_manifest`
    entry = "bot.py"        # the file to run or to build; default: bot or main, at the top of the zip
    name = "My bot"         # a suggestion for the bot's name

Nothing here parses, compiles or imports a bot's source: Python's own parser can be made to eat memory or crash. A
syntax error is found by `workers.syntax_reader`, in a process of its own, or in the sandbox when the bot is started.
"""

import codecs
import json
import os
import shutil
import stat
import tempfile
import tomllib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path, PurePosixPath
from socket import gethostname

from bots import text_encodings
from bots.archive import BundleError, read_zip
from bots.archive_names import without_outer_folder
from bots.languages import ALL, LANGUAGES, PROGRAM, Language
from bots.languages.static import MAGIC
from engine.records import Record, RecordError, from_plain, show

MAX_UPLOAD = 20 << 20  # bytes: the most that any ladder takes
USUAL_UPLOAD = 5 << 20  # where no ladder says how much
UNPACKED = 2  # times what is uploaded
LONG_AGO = 315_619_200  # 2 January 1980, when every file of an unpacked bundle was changed: a zip may say so
MAX_MANIFEST = 4 << 10  # bytes
MAX_NAME = 40  # characters of a bot's name
MAX_PATH = 200  # characters
RESERVED = ("engine", "bots", PROGRAM)  # a bot's own file of such a name would hide ours
MANIFEST = "bot.toml"
MOST_LISTED = 5  # paths in a refusal
ZIPS = (b"PK\x03\x04", b"PK\x05\x06")
OTHER_ARCHIVES = {b"7z\xbc\xaf": "a 7-Zip archive", b"Rar!": "a RAR archive", b"\x1f\x8b": "packed by gzip"}
ENDINGS = {ending: language for language in reversed(ALL) for ending in language.endings}  # the first that has it
TAKEN = dict.fromkeys(ending for language in ALL if not language.home_only for ending in language.endings)
KINDS = f"{', '.join(TAKEN)} or a static Linux executable"


@dataclass(slots=True)
class Manifest(Record):
    """`bot.toml`, with `language` and `entry` filled in; `name` is "" if the author gave none."""

    language: str = ""
    entry: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A sound upload. `sha256` (hex) is that of the uploaded bytes; `files` are its contents by path.

    `need` is what a machine must offer to run it: a language, or executables for its processor.
    """

    sha256: str
    files: dict[str, bytes]
    manifest: Manifest
    need: str

    @property
    def language(self) -> Language:
        return LANGUAGES[self.manifest.language]

    @property
    def folder(self) -> str:
        """Return the folder where it is unpacked: the same bytes are one bot as a .js file and another as a .c file."""
        return f"{self.sha256}.{self.manifest.language}"


def read_bundle(data: bytes, filename: str = "", most: int = MAX_UPLOAD, *, at_home: bool = False) -> Bundle:
    """The bundle in an upload's bytes; `filename`, if given, must fit what is inside. Without one, text is Python.
    `most` bytes are taken, and twice as many unpacked.

    A site takes no bot in a language that is played `at_home` alone.

    Raises BundleError, whose `code` is one of: empty, too_large, wrong_kind, not_a_zip, damaged_zip, zip_bomb,
    encrypted, special_entry, bad_name, duplicate_name, reserved_name, not_python, not_text, not_static, bad_manifest,
    unknown_language, no_entry, home_only.
    """
    if not data:
        raise BundleError("empty", f"send one file ({KINDS}) or a .zip: the upload is empty")
    if len(data) > most:
        raise BundleError("too_large", f"the upload has {len(data):,} bytes; at most {most:,} are taken")
    files = _files(data, filename, UNPACKED * most)
    _check_paths(files)
    sent_as = "" if data.startswith(ZIPS) else filename
    files = {path: _plain(path, content, sent_as or path) for path, content in without_outer_folder(files).items()}
    _check_reserved(files)
    manifest = _manifest(files, "" if data.startswith(ZIPS) else next(iter(files)))
    if LANGUAGES[manifest.language].home_only and not at_home:
        raise BundleError(
            "home_only", f"bots in {LANGUAGES[manifest.language].title} play at home alone; a site takes {KINDS}"
        )
    need = LANGUAGES[manifest.language].need(files[manifest.entry])
    return Bundle(sha256(data).hexdigest(), files, manifest, need)


def _ending(path: str) -> str:
    return Path(path).suffix.lower()


def _files(data: bytes, filename: str, unpacked: int) -> dict[str, bytes]:
    """Zips and programs are recognised by their first bytes, texts by the ending of the file name."""
    ending, shown = _ending(filename), show(filename)
    zipped, program = data.startswith(ZIPS), data.startswith(MAGIC)
    if ending == ".zip" and not zipped:
        raise BundleError("not_a_zip", f"make it a .zip: {shown} is {_archive_named(data)}")
    if ending in ENDINGS and (zipped or program):
        code = "not_python" if ending == ".py" else "not_text"
        raise BundleError(
            code,
            f"{'name it .zip' if zipped else 'send its source'}: {shown} is a {'zip file' if zipped else 'program'}",
        )
    if filename and ending not in (*ENDINGS, ".zip") and not program:
        raise BundleError("wrong_kind", f"send a .zip, or one file ({KINDS}): {shown} is neither")
    if zipped:
        return read_zip(data, unpacked)
    return {"bot" if program else _usual_name(ending or ".py", data): data}


def _archive_named(data: bytes) -> str:
    return next((name for mark, name in OTHER_ARCHIVES.items() if data.startswith(mark)), "something else")


def _usual_name(ending: str, source: bytes) -> str:
    """Return the name of a single file of source. In Java that is the name of the class in it too."""
    named = ENDINGS[ending].entry_of(source)
    entries = [named, *ENDINGS[ending].entries()]
    return next(entry for entry in entries if _ending(entry) == ending)


def _check_paths(paths: Iterable[str]) -> None:
    """Raise BundleError unless they are plain relative names that mean the same file on every system, each once."""
    seen: dict[str, str] = {}
    for path in paths:
        if reason := _path_error(path):
            raise BundleError("bad_name", f"rename a file: {show(path, 120)} {reason}")
        folded = path.casefold()
        if folded in seen:
            raise BundleError(
                "duplicate_name", f"rename one: {show(seen[folded])} and {show(path)} are one name to some systems"
            )
        seen[folded] = path
    for folded, path in seen.items():
        if clash := next((seen[folder] for folder in map(str, PurePosixPath(folded).parents) if folder in seen), None):
            raise BundleError(
                "duplicate_name", f"rename one: {show(clash)} is a file, yet {show(path)} needs it to be a folder"
            )


def _check_reserved(paths: Iterable[str]) -> None:
    for path in paths:
        if path.casefold().split("/")[0].removesuffix(".py") in RESERVED:
            raise BundleError("reserved_name", f"rename {show(path)}: it would hide the package the bot is given")


def _path_error(path: str) -> str | None:
    if not path.isprintable():
        return "has control or invisible characters"
    if ":" in path:
        return "has a colon, which Windows takes for a drive"
    if len(path) > MAX_PATH:
        return f"is longer than {MAX_PATH} characters"
    parts = path.split("/")
    if path.startswith("/") or ".." in parts:
        return "leads out of the bundle; use names relative to its top"
    if any(part in ("", ".") or part != part.strip() or part.endswith(".") for part in parts):
        return "has an empty part, or one that begins or ends with a space or ends with a dot"
    return None


def _plain(path: str, content: bytes, sent_as: str) -> bytes:
    """Return a source without the mark of UTF-8, which not every compiler knows; any other file as it is.

    Raises BundleError for a source that is not in UTF-8.
    """
    if not (language := ENDINGS.get(_ending(path))):
        return content
    code = "not_python" if language.name == "python" else "not_text"
    if (encoding := text_encodings.declared_encoding(content)) != "UTF-8":
        raise BundleError(code, f"save {show(sent_as)} as UTF-8: it begins as {encoding} does")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        detail = f"save {show(sent_as)} as UTF-8: byte {error.start}, in line {line}, does not fit"
        raise BundleError(code, detail) from None
    if b"\0" in content:
        raise BundleError(code, f"send {language.title} as text: {show(sent_as)} has a NUL byte at {content.index(0)}")
    return content.removeprefix(codecs.BOM_UTF8)


def _manifest(files: dict[str, bytes], only: str) -> Manifest:
    """The entry implies the language, the language the entry; without either, the first usual name found implies both.

    A file that was sent by itself is the entry: `only`. Several languages may share an ending: then bot.toml chooses,
    or else what the files import.
    """
    manifest = _read_manifest(files[MANIFEST]) if MANIFEST in files else Manifest()
    languages = [LANGUAGES[manifest.language]] if manifest.language else ALL
    usual = list(dict.fromkeys(entry for language in languages for entry in language.entries()))
    named = manifest.entry.replace("\\", "/").removeprefix("./")
    manifest.entry = named or only or next((name for name in usual if name in files), "")
    if manifest.entry not in files:
        raise BundleError("no_entry", _no_entry(manifest.entry, usual, files))
    by_ending = ENDINGS.get(_ending(manifest.entry), LANGUAGES["static"])
    if by_ending.name == "static" and not files[manifest.entry].startswith(MAGIC):
        raise BundleError("no_entry", f"name an entry that is one of {KINDS}: {show(manifest.entry)} cannot be run")
    manifest.language = manifest.language or by_ending.dialect(files[path] for path in source_files(by_ending, files))
    if LANGUAGES[manifest.language].endings != by_ending.endings:
        detail = f"correct language or entry in {MANIFEST}: {show(manifest.entry)} cannot be the entry of a bot in"
        raise BundleError(
            "no_entry", f"{detail} {LANGUAGES[manifest.language].title}; by its ending it is {by_ending.title}"
        )
    if not files[manifest.entry].strip():
        raise BundleError("empty", f"write some lines of {by_ending.title}: {show(manifest.entry)} is empty")
    return manifest


def _no_entry(entry: str, usual: Sequence[str], files: Collection[str]) -> str:
    if entry:
        return f"correct the entry in {MANIFEST}: {show(entry)} is not in the zip, which has {_listed(files)}"
    runs = [path for path in files if _ending(path) in ENDINGS]
    only = runs[0] if len(runs) == 1 else "FILE"
    likely = next((path for path in runs if path.rsplit("/")[-1] in usual), only)
    advice = f"write entry = {json.dumps(likely, ensure_ascii=False)} into {MANIFEST} at the top of the zip"
    return f"{advice}, or call the file to run {usual[0]}: the zip has {_listed(files)}"


def _listed(paths: Collection[str]) -> str:
    """Return the first of the paths, and how many more there are."""
    listed = ", ".join(show(path) for path in islice(paths, MOST_LISTED))
    return f"{listed} and {len(paths) - MOST_LISTED} more" if len(paths) > MOST_LISTED else listed


def _read_manifest(content: bytes) -> Manifest:
    if len(content) > MAX_MANIFEST:
        raise BundleError(
            "bad_manifest", f"shorten {MANIFEST}: it has {len(content):,} bytes; at most {MAX_MANIFEST:,} are read"
        )
    try:
        manifest: Manifest = from_plain(Manifest, tomllib.loads(text_encodings.decoded(content)), MANIFEST)
    except RecordError as error:
        raise BundleError("bad_manifest", f"correct {MANIFEST}: {error}") from None
    except UnicodeDecodeError as error:
        detail = f"save {MANIFEST} as UTF-8: its byte {error.start} is not {error.encoding.upper()}"
        raise BundleError("bad_manifest", detail) from None
    except (ValueError, RecursionError) as error:
        raise BundleError("bad_manifest", f'write {MANIFEST} as TOML, such as entry = "bot.py": {error}') from None
    if manifest.language and manifest.language not in LANGUAGES:
        names = ", ".join(f'"{name}"' for name in LANGUAGES)
        detail = f"correct the language in {MANIFEST}: it is {show(manifest.language)}; known are {names}"
        raise BundleError("unknown_language", detail)
    if not manifest.name.isprintable() or len(manifest.name) > MAX_NAME or manifest.name != manifest.name.strip():
        raise BundleError(
            "bad_manifest", f"change the name in {MANIFEST}: it may have at most {MAX_NAME} visible characters"
        )
    return manifest


def source_files(language: Language, files: Iterable[str], entry: str = "") -> list[str]:
    """Return the files from which a program is built, the entry first."""
    return sorted((path for path in files if _ending(path) in language.endings), key=lambda path: (path != entry, path))


def unpack(bundle: Bundle, store: Path) -> Path:
    """The bundle's folder in `store`, made if it is not there: files 0444, folders and a static program 0555."""
    program = bundle.manifest.entry if bundle.manifest.language == "static" else ""
    return place(bundle.files, store / bundle.folder, program)


def place(files: dict[str, bytes], home: Path, program: str = "") -> Path:
    """Make the folder `home` with these files, of which `program` can be executed. It appears by one rename, and no
    file's time of change says when."""
    if home.is_dir():
        return home
    home.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".new-{maker()}", dir=home.parent))
    try:
        for path, content in files.items():
            target = fresh / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        _lock(fresh, program)
        fresh.rename(home)
        os.utime(home, (LONG_AGO, LONG_AGO))  # not before: it would look as if it were left half-made
    except OSError:  # the disk is full, or another process made the same meanwhile
        remove_unpacked(fresh)
        if not home.is_dir():
            raise
    return home


def maker() -> str:
    """Return which process this is: it stands in the name of what is half-made or half-removed."""
    return f"{gethostname()}-{os.getpid()}-"


def _lock(top: Path, program: str) -> None:
    for path in (*top.rglob("*"), top):
        runs = path.is_dir() or path == top / program
        path.chmod(0o555 if runs else 0o444)  # the bot runs as another user
        if path != top:
            os.utime(path, (LONG_AGO, LONG_AGO))


def remove_unpacked(home: Path) -> None:
    """Remove an unpacked bundle."""
    for folder in (home, *(path for path in home.rglob("*") if path.is_dir())):
        folder.chmod(stat.S_IRWXU)
    shutil.rmtree(home)
