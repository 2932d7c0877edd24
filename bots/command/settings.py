"""Sites and tokens, as `boardroom login` keeps them: one file, which nobody else may read.

The variables come first, so that a build server needs no file.
"""

import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import click

from bots.command.errors import KitError
from bots.command.site import HOME, check_address
from bots.command.whole_files import remove
from engine.records import Record, RecordError, from_plain, to_plain

SITE, TOKEN = "BOARDROOM_SITE", "BOARDROOM_TOKEN"
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
    except OSError as error:
        named = f"{FOLDER}: " if os.environ.get(FOLDER) else ""
        raise KitError("cannot_read_or_write", f"{named}{path()}: {error.strerror}") from None
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
        remove(Path(fresh))
        raise


def chosen_site(address: str) -> str:
    """Return this one, or that of the variable, or the one logged in to last. Raises KitError and SubmitError."""
    source, site = "--site", address
    if not site:
        source, site = SITE, os.environ.get(SITE, "")
    if not site:
        source, site = str(path()), read_settings().site or HOME
    check_address(source, site)
    return site.rstrip("/")


def token_for(site: str) -> tuple[str, str]:
    """Return the token of the variable, or the one kept for this site, and where it is from. Raises KitError."""
    source, token = TOKEN, os.environ.get(TOKEN, "").strip()
    if not token:
        source, token = str(path()), read_settings().tokens.get(site, "")
    if not token:
        raise KitError("no_token", f"you are not logged in to {site}; type: boardroom login --site {site}")
    if not token.isascii() or not token.isprintable():
        raise KitError("no_token", f"{source} holds no token; one begins with brd_ and is made on {site}/tokens/")
    return token, source
