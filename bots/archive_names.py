"""Names in a zip as macOS, Windows and other systems write them, and what these systems add to it by themselves."""

import unicodedata
from collections.abc import Mapping

ADDED_FOLDERS = {"__macosx", ".appledouble", ".fseventsd", ".spotlight-v100", ".trashes", "system volume information"}
ADDED_FILES = {".ds_store", ".localized", "icon\r", "thumbs.db", "ehthumbs.db", "desktop.ini"}


def decoded_name(name: bytes) -> str:
    """Return the path that a name in a zip means, with / between folders.

    A name is in UTF-8, marked as such or not; what cannot be that is in the code page of old PCs, as the format says.
    """
    try:
        path = name.decode("utf-8")
    except UnicodeDecodeError:
        path = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in name.decode("cp437"))
    return unicodedata.normalize("NFC", path).replace("\\", "/").removeprefix("./")


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
