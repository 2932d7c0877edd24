"""An upload: one Python file, or a zip with an optional `bot.toml`. What is wrong is rejected, never repaired.

    language = "python"     # the only language so far
    entry = "bot.py"        # the file to run; default: bot.py, else main.py, at the top of the zip
    name = "My bot"         # a suggestion for the bot's name

Nothing here parses, compiles or imports a bot's source: Python's own parser can be made to eat memory or crash, so a
syntax error shows where hostile code belongs, at the bot's first start in the sandbox.
"""

import shutil
import tempfile
import tomllib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from bots.archive import BundleError, read_zip
from engine.records import Record, RecordError, from_plain, show

MAX_UPLOAD = 5 << 20  # bytes
MAX_MANIFEST = 4 << 10  # bytes
MAX_NAME = 40  # characters of a bot's name
MAX_PATH = 200  # characters
RESERVED = ("engine", "bots")  # a bot's own module of such a name would hide ours
MANIFEST = "bot.toml"
ENTRIES = ("bot.py", "main.py")


@dataclass(slots=True)
class Manifest(Record):
    """`bot.toml`, with `entry` filled in; `name` is "" if the author gave none."""

    language: str = "python"
    entry: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A sound upload. `sha256` (hex) of the uploaded bytes is its address; `files` are its contents by path."""

    sha256: str
    files: dict[str, bytes]
    manifest: Manifest


def read_bundle(data: bytes, filename: str = "") -> Bundle:
    """The bundle in an upload's bytes; `filename`, if given, must fit what is inside.

    Raises BundleError, whose `code` is one of: empty, too_large, wrong_kind, not_a_zip, damaged_zip, zip_bomb,
    encrypted, special_entry, bad_name, duplicate_name, reserved_name, not_python, bad_manifest, unknown_language,
    no_entry.
    """
    if not data:
        raise BundleError("empty", "the upload is empty; send one .py file or a .zip")
    if len(data) > MAX_UPLOAD:
        raise BundleError("too_large", f"the upload has {len(data):,} bytes; at most {MAX_UPLOAD:,} are taken")
    files = read_zip(data) if _is_zip(data, filename) else {"bot.py": data}
    _check_paths(files)
    for path, content in files.items():
        if path.endswith(".py"):
            _check_source(path, content)
    return Bundle(sha256(data).hexdigest(), files, _manifest(files))


def _is_zip(data: bytes, filename: str) -> bool:
    """Told by the first bytes, so that the bytes alone always mean the same bundle."""
    zipped = data.startswith((b"PK\x03\x04", b"PK\x05\x06"))
    suffix = Path(filename).suffix.lower()
    if filename and suffix not in (".py", ".zip"):
        raise BundleError("wrong_kind", f"{show(filename)} is neither a .py file nor a .zip")
    if suffix == ".zip" and not zipped:
        raise BundleError("not_a_zip", f"{show(filename)} is not a zip file: it does not begin like one")
    if suffix == ".py" and zipped:
        raise BundleError("not_python", f"{show(filename)} is a zip file; name it .zip")
    return zipped


def _check_paths(paths: Iterable[str]) -> None:
    """Plain relative names that mean the same file on every system, each once."""
    seen: dict[str, str] = {}
    for path in paths:
        if reason := _path_error(path):
            raise BundleError("bad_name", f"file name {show(path, 120)} {reason}")
        folded = path.casefold()
        if folded in seen:
            raise BundleError("duplicate_name", f"{show(seen[folded])} and {show(path)} are one name to some systems")
        seen[folded] = path
        if folded.split("/")[0].removesuffix(".py") in RESERVED:
            raise BundleError("reserved_name", f"{show(path)} would hide the package the bot is given; rename it")
    for folded, path in seen.items():
        parts = folded.split("/")
        if clash := next((seen[p] for n in range(1, len(parts)) if (p := "/".join(parts[:n])) in seen), None):
            raise BundleError("duplicate_name", f"{show(clash)} is a file, yet {show(path)} needs it to be a folder")


def _path_error(path: str) -> str | None:
    if not path.isprintable() or unicodedata.normalize("NFC", path) != path:
        return "has control, invisible or decomposed characters"
    if "\\" in path or ":" in path:
        return "has a backslash or a colon; use / between folders"
    if len(path) > MAX_PATH:
        return f"is longer than {MAX_PATH} characters"
    parts = path.split("/")
    if path.startswith("/") or ".." in parts:
        return "leads out of the bundle; use names relative to its top"
    if any(part in ("", ".") or part != part.strip() or part.endswith(".") for part in parts):
        return "has an empty part, or one that begins or ends with a space or ends with a dot"
    return None


def _check_source(path: str, content: bytes) -> None:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BundleError("not_python", f"{path} is not Python in UTF-8: byte {error.start} does not fit") from None
    if "\0" in text:
        raise BundleError("not_python", f"{path} is not Python: it has a NUL byte at {text.index(chr(0))}")


def _manifest(files: dict[str, bytes]) -> Manifest:
    manifest = _read_manifest(files[MANIFEST]) if MANIFEST in files else Manifest()
    manifest.entry = manifest.entry or next((name for name in ENTRIES if name in files), "")
    if manifest.entry not in files or not manifest.entry.endswith(".py"):
        raise BundleError("no_entry", _no_entry(manifest.entry, files))
    if not files[manifest.entry].strip():
        raise BundleError("empty", f"{manifest.entry} is empty; a bot needs some lines of Python")
    return manifest


def _no_entry(entry: str, files: Iterable[str]) -> str:
    if entry:
        return f"{MANIFEST} names the entry {show(entry)}, which is not a .py file in the zip"
    deeper = next((path for path in files if path.rsplit("/")[-1] in ENTRIES), None)
    hint = f"; {show(deeper)} lies in a folder: zip the files themselves, not their folder" if deeper else ""
    return f"there is no bot.py or main.py at the top of the zip{hint}"


def _read_manifest(content: bytes) -> Manifest:
    if len(content) > MAX_MANIFEST:
        raise BundleError("bad_manifest", f"{MANIFEST} has {len(content):,} bytes; at most {MAX_MANIFEST:,} are read")
    try:
        manifest: Manifest = from_plain(Manifest, tomllib.loads(content.decode("utf-8")), MANIFEST)
    except RecordError as error:
        raise BundleError("bad_manifest", str(error)) from None
    except (ValueError, RecursionError) as error:
        raise BundleError("bad_manifest", f"{MANIFEST} is not TOML: {error}") from None
    if manifest.language != "python":
        raise BundleError("unknown_language", f'{MANIFEST} has language {show(manifest.language)}; "python" is known')
    if not manifest.name.isprintable() or len(manifest.name) > MAX_NAME or manifest.name != manifest.name.strip():
        raise BundleError("bad_manifest", f"the name in {MANIFEST} must be at most {MAX_NAME} visible characters")
    return manifest


def unpack(bundle: Bundle, store: Path) -> Path:
    """The bundle's folder in `store`, made if it is not there: all at once, files 0444, folders 0555."""
    home = store / bundle.sha256
    if home.is_dir():
        return home
    store.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=store))
    for path, content in bundle.files.items():
        target = fresh / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    _lock(fresh)
    try:
        fresh.rename(home)
    except OSError:
        if not home.is_dir():
            raise
        discard(fresh)  # another process unpacked the same bundle meanwhile
    return home


def _lock(top: Path) -> None:
    for path in (*top.rglob("*"), top):
        path.chmod(0o555 if path.is_dir() else 0o444)  # the bot runs as another user


def discard(home: Path) -> None:
    """Remove an unpacked bundle."""
    for folder in (home, *(path for path in home.rglob("*") if path.is_dir())):
        folder.chmod(0o700)
    shutil.rmtree(home)
