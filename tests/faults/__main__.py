"""What `manage.py faults` must do before Django reads its settings; the rest is in run.py."""

import argparse
import importlib
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.disk import Disk
from tests.faults.plan import POISONS
from tournaments.ops.launcher.data_dir import Data
from workers.sandbox import syscalls

ADDRESSES = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "WORKER_TOKEN", "SITE_URL")
PR_SET_CHILD_SUBREAPER = 36


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("seed", "faults", "poison", "matches", "workers"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--only", default="", choices=("", *POISONS))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    syscalls.prctl(PR_SET_CHILD_SUBREAPER, 1)  # whoever is orphaned becomes our child, and is found
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # leaves as Ctrl-C does: with everything stopped
    with tempfile.TemporaryDirectory(prefix="boardroom-faults-") as folder:
        home = Path(folder)
        home.chmod(0o711)  # as root the database's folder may have to be nobody's
        with a_disk(home / "data") as disk:
            data = environment(home / "data")
            importlib.import_module("django").setup()
            return int(importlib.import_module("tests.faults.run").run(options, home, data, disk))


@contextmanager
def a_disk(folder: Path) -> Iterator[Disk | None]:
    folder.mkdir(mode=0o711)
    disk = Disk(folder)
    try:
        disk.mount()
    except OSError as refusal:
        print(f"NOT TRIED: a full disk. It takes the right to mount a small disk of one's own ({refusal}).", flush=True)
        yield None
        return
    try:
        yield disk
    finally:
        disk.unmount()


def environment(folder: Path) -> Data:
    """Complete it as `up` does, for servers of our own whatever this process was told."""
    for name in ADDRESSES:
        os.environ.pop(name, None)
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.faults.hurried"
    os.environ["WEBHOOKS_INSIDE"] = "1"  # the receivers are on this machine
    data = Data(folder)
    data.complete(os.environ)
    return data


if __name__ == "__main__":
    sys.exit(main())
