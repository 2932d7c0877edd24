"""The options of `manage.py up`: read before Django is loaded, and once more by Django's own command."""

import os
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from tournaments.ops.launcher.subprocess_group import ROOT

DEFAULT = ROOT / ".data"


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--port", type=between(0, 65535), default=8000, help="of the site (8000; 0 takes a free one)")
    parser.add_argument("--data", type=folder, default=DEFAULT, help="the folder of all data (.data)")
    parser.add_argument("--workers", type=between(1, 256), default=os.cpu_count(), help="match workers (one a core)")
    parser.add_argument("--matches", type=between(1, 10**9), help="stop with exit code 0 once so many are recorded")
    parser.add_argument("--no-demo", dest="demo", action="store_false", help="no ladders and no sample bots")


def folder(text: str) -> Path:
    if not text:
        raise ArgumentTypeError("it names no folder")
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError:
        raise ArgumentTypeError(f"{text.partition('/')[0]} is no user here") from None


def new_file(text: str) -> Path:
    """Return the path of a file that a command writes at its end; refuse at once what it could not write."""
    path = folder(text)
    if path.is_dir() or not path.parent.is_dir():
        raise ArgumentTypeError(f"{path} is a folder" if path.is_dir() else f"there is no folder {path.parent}")
    return path


def between(low: int, high: int) -> Any:
    def read(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return read
