"""Bundles at a worker: fetched from the site by their hash, checked, kept in a folder that all workers here share.

    <folder>/uploads/<sha256>    the bytes as uploaded; its time of change says when it was last used
    <folder>/unpacked/<sha256>.<language>/  the files, for the sandbox
    <folder>/unpacked/<sha256>.<language>.<compiler>/  the same with the program built of them

Every entry appears by one rename, so nobody ever sees half of one.
"""

import contextlib
import os
import re
import stat
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from socket import gethostname
from typing import Any

from bots.archive import MAX_UNPACKED, BundleError
from bots.bundle import MAX_UPLOAD, Bundle, maker, read_bundle, remove_unpacked, unpack
from bots.loopback import Proxies

TRIES, PATIENCE, FIRST_PAUSE = 4, 10.0, 0.25  # tries at the site, seconds for each, the pause after the first
BIGGEST = MAX_UPLOAD + MAX_UNPACKED  # bytes of one bundle here
IN_USE = 1200.0  # seconds for which an entry is kept, even above the limit: a match may be playing it
NAME = re.compile(r"[0-9a-f]{64}")
TICKET = "Boardroom-Order"  # the header: for which order a bundle is fetched


class CannotFetch(Exception):
    """The platform's fault: the bundle cannot be had; the message says why."""


class LeaseOver(Exception):
    """Nobody's fault: the site waits for this match no more, or has sent it again."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the worker's token to another host."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def ticket(what: str, number: int, turn: int, secret: str) -> str:
    """Shows the site that the worker has an order in which the bundle plays."""
    return f"{what} {number} {turn} {secret}"


@dataclass(slots=True)
class Shelf:
    """The bundles at hand. `site` is the site's address, `token` what lets a worker fetch from it."""

    folder: Path
    site: str
    token: str
    limit: int = 1 << 30  # bytes
    read: dict[tuple[str, str], Bundle] = field(default_factory=dict)  # those this process has used, without files

    @property
    def unpacked(self) -> Path:
        return self.folder / "unpacked"

    def take(self, name: str, filename: str, ticket: str = "") -> Bundle:
        """The bundle of that hash, its files in its `folder` of `unpacked`. Raises CannotFetch, LeaseOver.

        One that cannot be read is the bot's fault, not ours: in its place plays a bot that says why and is gone.
        """
        if not NAME.fullmatch(name):
            raise CannotFetch(f"a bundle is named by a SHA-256 in hex, not {name[:80]!r}")
        upload = self.folder / "uploads" / name
        with contextlib.suppress(FileNotFoundError):
            os.utime(upload)
        used_before = self.read.get((name, filename))
        if used_before and (self.unpacked / used_before.folder).is_dir() and upload.exists():
            return used_before
        try:
            data = _kept(upload) or self._fetch(name, upload, ticket)
            bundle = _read(data, filename)
            unpack(bundle, self.unpacked)
        except OSError as error:
            raise CannotFetch(f"a bundle cannot be kept in {self.folder}: {error.strerror or error}") from error
        self.read[name, filename] = replace(bundle, files={})
        return bundle

    def stand_in(self, reason: str) -> Bundle:
        """A bot that says why, and is gone."""
        bundle = _stand_in(reason)
        unpack(bundle, self.unpacked)
        return bundle

    def _fetch(self, name: str, upload: Path, ticket: str) -> bytes:
        data = download(f"{self.site.rstrip('/')}/api/v1/bundles/{name}", self.token, ticket)
        if (digest := sha256(data).hexdigest()) != name:
            raise CannotFetch(f"the site sent bytes of SHA-256 {digest} for bundle {name}")
        self._make_room()
        upload.parent.mkdir(exist_ok=True)
        fresh = upload.with_name(f".new-{maker()}{os.urandom(8).hex()}")
        try:
            fresh.touch(0o600)
            fresh.write_bytes(data)
            fresh.rename(upload)
        finally:
            fresh.unlink(missing_ok=True)  # half of it, on a full disk
        return data

    def _make_room(self) -> None:
        """Remove what was left half-made, and what was used longest ago, until there is room for a bundle."""
        now = time.time()
        for leftover in self._half_made():
            if now - _used(leftover) > IN_USE:
                _remove(leftover)
        entries = sorted((_used(upload), upload) for upload in (self.folder / "uploads").glob("[0-9a-f]*"))
        excess = _size(self.folder) + BIGGEST - self.limit
        for used, upload in entries:
            if excess <= 0 or now - used <= IN_USE:
                return
            excess -= self._drop(upload)

    def clear_leftovers(self) -> None:
        """Remove what processes of this machine that are gone left half-made or half-removed. Call at the start."""
        here = f"{gethostname()}-"
        for leftover in self._half_made():
            made_by = leftover.name[len(".new-") :]
            number = made_by.removeprefix(here).partition("-")[0]
            if made_by.startswith(here) and number.isdecimal() and _is_gone(int(number)):
                _remove(leftover)

    def _half_made(self) -> list[Path]:
        return [*self.folder.glob("*/.new-*"), *self.folder.glob("*/.old-*")]

    def _drop(self, upload: Path) -> int:
        """Remove one bundle and return the bytes it freed: none, if another worker was quicker."""
        freed = _size(upload)
        with contextlib.suppress(OSError):
            upload.unlink()
            for home in self.unpacked.glob(f"{upload.name}.*"):
                size, doomed = _size(home), home.with_name(f".old-{maker()}{home.name}")
                os.utime(home)  # or another worker would take it for one left half-removed
                home.rename(doomed)  # from here on nobody finds it, though removing it takes a while
                remove_unpacked(doomed)
                freed += size
            return freed
        return 0


def own_folder(setting: str) -> Path:
    """The folder for bundles: `wanted`, or one in the temporary folder; ours alone. Raises OSError."""
    folder = Path(setting or Path(tempfile.gettempdir()) / f"boardroom-worker-{os.getuid()}").absolute()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    state = folder.lstat()
    if not stat.S_ISDIR(state.st_mode) or state.st_uid != os.getuid() or stat.S_IMODE(state.st_mode) & 0o077:
        raise PermissionError(f"{folder} must be a folder of this user alone (mode 0700); name another in WORKER_CACHE")
    return folder


def download(url: str, token: str, ticket: str = "") -> bytes:
    """The bytes at `url`, tried again with growing pauses. Raises CannotFetch, LeaseOver."""
    reason = ""
    for pause in _pauses():
        try:
            return _get(url, token, ticket)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code == HTTPStatus.GONE:
                raise LeaseOver from None
            reason = f"the site answered {error.code} {error.reason} for {url}"
            if error.code not in (408, 425, 429) and error.code < 500:  # it will say the same again
                break
        except (OSError, HTTPException) as error:
            reason = f"the site cannot be reached at {url}: {error}"
        time.sleep(pause)
    raise CannotFetch(reason)


def _read(data: bytes, filename: str) -> Bundle:
    try:
        return read_bundle(data, filename)
    except BundleError as error:
        return _stand_in(str(error))


def _stand_in(reason: str) -> Bundle:
    return read_bundle(f"raise SystemExit({reason!a})\n".encode())


def _pauses() -> Iterator[float]:
    return (FIRST_PAUSE * 3**attempt if attempt < TRIES - 1 else 0.0 for attempt in range(TRIES))


def _get(url: str, token: str, ticket: str) -> bytes:
    headers = {"Authorization": f"Worker {token}", TICKET: ticket}
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - checked above
    with urllib.request.build_opener(Proxies, NoRedirect).open(request, timeout=PATIENCE) as response:
        data: bytes = response.read(MAX_UPLOAD + 1)
    return data


def _kept(upload: Path) -> bytes | None:
    """The upload's bytes, if they are here and whole."""
    try:
        data = upload.read_bytes()
    except FileNotFoundError:
        return None
    return data if sha256(data).hexdigest() == upload.name else None


def _is_gone(process: int) -> bool:
    """Return whether a process has ended. One with our own number did: in a container each gets the same."""
    if process == os.getpid():
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:  # it is another user's
        return False
    return False


def _used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return time.time()


def _size(top: Path) -> int:
    """Bytes on disk of a file or a folder; what other workers remove meanwhile does not count."""
    total = 0
    for path in (top, *(Path(folder, name) for folder, inner, files in os.walk(top) for name in (*inner, *files))):
        with contextlib.suppress(FileNotFoundError):
            total += path.lstat().st_blocks * 512
    return total


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        remove_unpacked(path) if path.is_dir() else path.unlink()
