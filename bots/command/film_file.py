"""A match as a file for the browser: written whole, never over what is no such file, and opened if one asks for it."""

import webbrowser
from pathlib import Path

from bots.command.errors import FAILED, KitError
from bots.command.whole_files import write_whole
from bots.viewer.film_page import BEGINS, page
from engine.replay import Replay

ENDINGS = (".gz", ".json")  # of a replay's name


def beside(replay: Path) -> Path:
    """Return the default place: beside the replay, for browsers in a cage of their own see no temporary folders."""
    stem = replay
    for ending in ENDINGS:
        stem = stem.with_suffix("") if stem.suffix == ending else stem
    return stem.with_name(f"{stem.name}.html")


def write_film(replay: Replay, out: Path, seat: int | None, step: int | None) -> None:
    """Raises KitError where something else is in the way, and OSError."""
    if out.is_dir():
        raise KitError("is_folder", f"{out} is a folder; name a file, such as {out / 'match.html'}")
    if not out.parent.is_dir():
        raise KitError("missing_folder", f"there is no folder {out.parent}; make it first")
    if out.exists() and not is_ours(out):
        raise KitError("exists", f"{out} is there and is no match for the browser; name another file with --html")
    write_whole(out, page(replay, seat, step or 0).encode())


def is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(BEGINS)) == BEGINS.encode()


def opened(path: Path) -> None:
    if not webbrowser.open(path.resolve().as_uri()):
        raise KitError("no_browser", f"no browser could be started here; open {path} yourself", FAILED)
