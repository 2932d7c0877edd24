"""Names in a zip as macOS, Windows and other systems write them, and what these systems add to it by themselves."""

import re
import unicodedata
from collections.abc import Mapping

ADDED_FOLDERS = {"__macosx", ".appledouble", ".fseventsd", ".spotlight-v100", ".trashes", "system volume information"}
ADDED_FILES = {".ds_store", ".localized", "icon\r", "thumbs.db", "ehthumbs.db", "desktop.ini"}
# In Shift-JIS, Big5 and GBK the second byte of a character may be that of a backslash: 表 and 功.
IN_CHARACTER = re.compile(rb"(?<=[\x81-\xfe])\\")
BEFORE_SEPARATOR = re.compile(rb"(?<=[\x81-\xfe])\\(?=[\\ ])")  # no folder is called nothing, and none begins so
AT_END = re.compile(rb"(?<=[\x81-\xfe])\\(?=[\\ ]|\Z)")


def decoded_name(name: bytes, *, slashes: bool = False, is_file: bool = False) -> str:
    """Return the path that a name in a zip means, with / between folders.

    A name is in UTF-8, marked as such or not; what cannot be that is in the code page of old PCs, as the format says.
    There a backslash may be half of a character: it is if the zip's folders are separated by `slashes`, or if it
    would separate nothing, as at the end of the name of a file.
    """
    try:
        path = name.decode("utf-8")
    except UnicodeDecodeError:
        half = IN_CHARACTER if slashes else AT_END if is_file else BEFORE_SEPARATOR
        signs = half.sub(b"\0", name).decode("cp437")
        path = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in signs)
    return unicodedata.normalize("NFC", path).replace("\\", "/").removeprefix("./")


def is_utf8(name: bytes) -> bool:
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def decoded_names(names: Mapping[bytes, bool]) -> dict[bytes, str]:
    """Return the paths that the names in a zip mean. `names`: each with whether it has content.

    Names that are not in UTF-8 may look alike here, though they are different ones: those behind the first get a
    number.
    """
    slashes = any(b"/" in name for name in names)
    paths = {name: decoded_name(name, slashes=slashes, is_file=is_file) for name, is_file in names.items()}
    taken = {path.casefold() for name, path in paths.items() if is_utf8(name)}
    for number, (name, path) in enumerate(paths.items()):
        if not is_utf8(name) and not path.endswith("/"):
            if path.casefold() in taken:
                paths[name] = f"{path}~{number}"
            taken.add(path.casefold())
    return paths


def is_added(path: str) -> bool:
    """Say whether a system added this by itself: an AppleDouble twin, a cache of pictures, how a folder is shown."""
    *folders, name = path.casefold().split("/")
    return name in ADDED_FILES or name.startswith("._") or not ADDED_FOLDERS.isdisjoint((*folders, name))


def without_outer_folder(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files with their paths from inside the folders that are around everything."""
    tops = {path.partition("/")[0] for path in files}
    if len(tops) != 1 or not all("/" in path for path in files):
        return dict(files)
    return without_outer_folder({path.partition("/")[2]: content for path, content in files.items()})
