"""A site of its own for a bench: PostgreSQL that waits for the disk, Valkey, and a process of Django's in between.

A bench that needs one has `measure() -> list[Row]` besides, and its `run` is `rows_of(__name__)`.
"""

import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path

import django
from django.core.management import call_command

from tests.bench import Row
from tests.servers import FOR_TESTS
from tournaments.ops.launcher.copied_postgres import CopiedPostgres
from tournaments.ops.launcher.subprocess_group import ROOT
from tournaments.ops.launcher.valkey import Valkey


def rows_of(module: str) -> list[Row]:
    """Return what the module measures in a process whose database is new and nobody else's."""
    with servers() as environment:
        command = [sys.executable, "-m", "tests.ground", module]
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return [Row(**row) for row in json.loads(done.stdout)]


@contextmanager
def servers() -> Iterator[dict[str, str]]:
    """The environment of a process that finds them."""
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as name, ExitStack() as stack:
        folder = Path(name)
        folder.chmod(0o711)  # as root the database's folder belongs to nobody
        environment = {**os.environ, **FOR_TESTS, "DJANGO_SETTINGS_MODULE": "tournaments.settings"}
        environment["LOG_LEVEL"] = "ERROR"
        for variable, kind in (("DATABASE_URL", CopiedPostgres), ("REDIS_URL", Valkey)):
            server = kind(folder / variable, folder / f"{variable}.log")
            stack.callback(server.stop)
            server.start()
            environment[variable] = server.url
        yield environment


def main(module: str) -> None:
    django.setup()
    call_command("migrate", verbosity=0)
    rows: list[Row] = importlib.import_module(module).measure()
    print(json.dumps([asdict(row) for row in rows]))


if __name__ == "__main__":
    main(sys.argv[1])
