"""Who a match worker is. One of the site's own has a name, and a key made of that and the site's WORKER_TOKEN, which it
shows where it fetches bundles. A name such as lab@bio1 is that of a worker of the space bio1, which comes by the door.
"""

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass

LONGEST_NAME = 60
OF = "@"  # stands between the name of a space's worker and the space
# Stands for the space of workers that come in by the door and are of none: no space can have this address.
OUTSIDE = "_outside"
NAME = re.compile(
    rf"(?=.{{1,{LONGEST_NAME}}}\Z)[A-Za-z0-9][A-Za-z0-9._-]*(?:{OF}(?:[a-z][a-z0-9-]{{0,29}}|{OUTSIDE}))?"
)
KEY = re.compile("[0-9a-f]{64}")  # HMAC-SHA256 of the name


@dataclass(frozen=True, slots=True)
class Identity:
    name: str
    key: str

    @property
    def token(self) -> str:
        """Return what it shows to the site: "NAME:KEY"."""
        return f"{self.name}:{self.key}"


def space_of(worker: str) -> str:
    """The space whose worker it is, of a worker's name or of one of its processes'; "" if it is the site's."""
    return worker.partition("/")[0].partition(OF)[2]


def derive(name: str, master: str) -> Identity:
    """The worker of that name, at the site whose WORKER_TOKEN is `master`. Raises ValueError with the reason."""
    if not NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} cannot be a worker's name: it has 1 to {LONGEST_NAME} letters, digits, dots, hyphens and "
            "underscores, and begins with a letter or a digit"
        )
    if not master:
        raise ValueError("WORKER_TOKEN is not set; it must be the site's, or one that the site made for this worker")
    return Identity(name, _digest(master, name))


def identity_of(environment: Mapping[str, str], host: str) -> Identity:
    """The identity that the environment gives this worker. Raises ValueError with the reason."""
    token, name = (environment.get(variable, "") for variable in ("WORKER_TOKEN", "WORKER_NAME"))
    token_name, _, key = token.rpartition(":")
    if OF in name or (OF in token_name and KEY.fullmatch(key)):
        raise ValueError("workers of a space come by the site's address: `manage.py worker`, with a token made there")
    if not (NAME.fullmatch(token_name) and KEY.fullmatch(key)):
        return derive(name or host[:LONGEST_NAME], token)
    if name not in ("", token_name):
        raise ValueError(f"WORKER_NAME is {name}, but WORKER_TOKEN is that of {token_name}; unset WORKER_NAME")
    return Identity(token_name, key)


def proven(token: str, master: str) -> str | None:
    """The name that a token proves to the site, or None."""
    name, _, _ = token.rpartition(":")
    try:
        return name if _same(token, derive(name, master).token) else None
    except ValueError:
        return None


def _digest(key: str, text: str) -> str:
    return hmac.digest(key.encode(), text.encode(), "sha256").hex()


def _same(token: str, expected: str) -> bool:
    """Compare in a time that tells nothing of where they differ."""
    return hmac.compare_digest(token.encode("utf-8", "replace"), expected.encode())
