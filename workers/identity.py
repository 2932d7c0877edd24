"""Who a match worker is: a name, and the key that proves it. A name such as lab@bio1 is that of a worker of the space
bio1, which plays for that space alone.

The key is made from the name and the site's WORKER_TOKEN, so the site need not keep it, and another token ends all keys
at once. A worker that runs on its owner's machine is given its own key alone and cannot speak in another's name.
"""

import hmac
import json
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
        """The proof of the name where the answer comes at once: "NAME:KEY"."""
        return f"{self.name}:{self.key}"

    def sign(self, plain: object) -> str:
        """The proof of the name for a message that travels by a broker, valid for these words alone."""
        return _digest(self.key, canonical_plain(plain))


def space_of(worker: str) -> str:
    """The space whose worker it is, of a worker's name or of one of its processes'; "" if it is the site's."""
    return worker.partition("/")[0].partition(OF)[2]


def derive(name: str, master: str) -> Identity:
    """The worker of that name, at the site whose WORKER_TOKEN is `master`. Raises ValueError with the reason."""
    if not NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} cannot be a worker's name: it has 1 to {LONGEST_NAME} letters, digits, dots, hyphens and "
            f"underscores, and begins with a letter or a digit; that of a space's worker ends with {OF} and the space"
        )
    if not master:
        raise ValueError("WORKER_TOKEN is not set; it must be the site's, or one that the site made for this worker")
    return Identity(name, _digest(master, name))


def identity_of(environment: Mapping[str, str], host: str) -> Identity:
    """The identity that the environment gives this worker. Raises ValueError with the reason."""
    token, name = (environment.get(variable, "") for variable in ("WORKER_TOKEN", "WORKER_NAME"))
    token_name, _, key = token.rpartition(":")
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


def is_signed_by(name: str, plain: object, signature: object, master: str) -> bool:
    """Whether the worker of that name said exactly this."""
    try:
        return isinstance(signature, str) and _same(signature, derive(name, master).sign(plain))
    except ValueError:
        return False


def canonical_plain(plain: object) -> str:
    """One text for one value, whatever became of spaces and of the order of names on the way. Raises ValueError."""
    try:
        return json.dumps(plain, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, RecursionError) as error:
        raise ValueError(f"this is not plain data: {error}") from None


def _digest(key: str, text: str) -> str:
    return hmac.digest(key.encode(), text.encode(), "sha256").hex()


def _same(token: str, expected: str) -> bool:
    """Compare in a time that tells nothing of where they differ."""
    return hmac.compare_digest(token.encode("utf-8", "replace"), expected.encode())
