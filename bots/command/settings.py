"""Sites and tokens, as `boardroom login` keeps them: one file, which nobody else may read.

The variables BOARDROOM_SITE and BOARDROOM_TOKEN come first, so that a build server needs no file.
"""

import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import click

from bots.command.errors import KitError
from bots.command.site import HOME
from engine.records import Record, RecordError, from_plain, to_plain

FOLDER = "BOARDROOM_CONFIG"  # a variable: where the file lies, if not where the system keeps such


@dataclass(slots=True)
class Settings(Record):
    site: str = ""  # the one that is meant if none is named
    tokens: dict[str, str] = field(default_factory=dict)  # by site


def path() -> Path:
    return Path(os.environ.get(FOLDER) or click.get_app_dir("boardroom")) / "settings.json"


def read_settings() -> Settings:
    try:
        settings: Settings = from_plain(Settings, json.loads(path().read_bytes()), "settings")
    except FileNotFoundError:
        return Settings()
    except (RecordError, ValueError) as error:
        raise KitError("bad_settings", f"{path()} cannot be read: {error}; remove it and log in again") from None
    return settings


def write_settings(settings: Settings) -> None:
    """The old file or the new one, whatever happens between; a full disk loses nothing."""
    home = path()
    home.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, fresh = tempfile.mkstemp(dir=home.parent)  # which makes it readable for its owner alone
    try:
        with os.fdopen(handle, "w") as file:
            json.dump(to_plain(settings), file, indent=2)
        Path(fresh).replace(home)
    except BaseException:
        Path(fresh).unlink(missing_ok=True)
        raise


def chosen_site(address: str) -> str:
    """This one, or that of the variable, or the one logged in to last."""
    return (address or os.environ.get("BOARDROOM_SITE", "") or read_settings().site or HOME).rstrip("/")


def token_for(site: str) -> str:
    token = os.environ.get("BOARDROOM_TOKEN", "").strip() or read_settings().tokens.get(site, "")
    if not token:
        raise KitError("no_token", f"you are not logged in to {site}; type: boardroom login --site {site}")
    return token
