"""A cluster with a migrated database in it, made once on a machine and copied into each new data folder.

Making one takes seconds: initdb, and all migrations. It is kept beside the installed packages, under a name that tells
all that shapes it; closed to others, and never run. Nobody knows its password: who copies it sets another.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

import psycopg

from tournaments.ops.launcher.embedded_server import ServerError, make_private
from tournaments.ops.launcher.postgres import NAME, Postgres
from tournaments.ops.launcher.postgres_binaries import find_binaries, full_version
from tournaments.ops.launcher.server_start import complain
from tournaments.ops.launcher.subprocess_group import ROOT
from tournaments.ops.launcher.unprivileged import is_root

NONE = (OSError, ServerError, subprocess.SubprocessError, psycopg.Error)  # what shows that there can be none
CLUSTERS = Path(sys.prefix) / "clusters"
MIGRATED = f"{NAME}_migrated"  # the database in it
KEPT = 3  # those used last: checkouts of several releases may share one environment
SITE = ROOT / "tournaments"
# Besides the server's version: how initdb is called, the tables, and the packages that have tables of their own.
SHAPED_BY = (
    "ops/launcher/postgres.py",
    "ops/launcher/ready_cluster.py",
    "migrations",
    "models",
    "settings.py",
    "apps.py",
    "../requirements.lock",
)


@contextmanager
def ready_cluster(binaries: Path) -> Iterator[Path]:
    """Yield the folder of a migrated cluster, made if need be, and kept until the block ends. Raises one of NONE."""
    make_private(CLUSTERS, os.geteuid())
    place = CLUSTERS / cluster_key(binaries)
    with (CLUSTERS / "lock").open("a") as lock:
        if not place.exists():
            fcntl.flock(lock, fcntl.LOCK_EX)
            _make(place)
        fcntl.flock(lock, fcntl.LOCK_SH)
        os.utime(place)
        yield place


def cluster_key(binaries: Path) -> str:
    """A hash of all that shapes a cluster."""
    files = (file for name in SHAPED_BY for file in sorted([SITE / name, *(SITE / name).rglob("*.py")]))
    parts = [full_version(binaries).encode(), *(file.read_bytes() for file in files if file.is_file())]
    return sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()[:32]


def copy(source: Path, target: Path) -> None:
    """Copy a cluster that does not run. Its folder, as PostgreSQL asks, is for the owner alone."""
    shutil.copytree(source, target, copy_function=shutil.copyfile)
    target.chmod(0o700)


def _make(place: Path) -> None:
    """Make the cluster, unless another process has while this one waited."""
    if place.exists():
        return
    complain("Making an empty database, once for all data folders: this may take a minute ...")
    forget()
    partial = place.with_suffix(".partial")
    with tempfile.TemporaryDirectory(prefix="boardroom-cluster-") as name:
        folder = Path(name)
        folder.chmod(0o711 if is_root() else 0o700)  # as root the server may have to run as nobody
        server = Postgres(folder / "postgres", folder / "postgres.log", durable=False)
        _migrate(server)
        copy(server.cluster, partial)
    subprocess.run([server.binaries / "initdb", "--sync-only", "-D", partial], check=True, capture_output=True)
    partial.rename(place)


def _migrate(server: Postgres) -> None:
    """Migrate its database, which gets another name, so that a copy may still begin with an empty one."""
    try:
        server.start()
        environment = {**os.environ, "DATABASE_URL": server.url, "DJANGO_SETTINGS_MODULE": "tournaments.settings"}
        command = [sys.executable, "-m", "django", "migrate", "--skip-checks", "--verbosity", "0"]
        subprocess.run(command, check=True, capture_output=True, cwd=ROOT, env=environment)
        with server.maintenance() as connection:
            connection.execute(f"ALTER DATABASE {NAME} RENAME TO {MIGRATED}")
    finally:
        server.stop()


def forget() -> None:
    """Remove what interrupted processes left, and clusters not used for longest. Nobody copies them now."""
    places = sorted((path for path in CLUSTERS.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime)
    partial = [path for path in places if path.suffix]
    complete = [path for path in places if not path.suffix]
    for path in [*partial, *complete[: max(0, len(complete) + 1 - KEPT)]]:
        shutil.rmtree(path, ignore_errors=True)


if __name__ == "__main__":
    with suppress(*NONE), ready_cluster(find_binaries()):  # else each data folder makes its own
        """It is there now."""
