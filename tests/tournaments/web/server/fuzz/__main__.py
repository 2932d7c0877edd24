"""python3 -m tests.tournaments.web.server.fuzz --requests 10000 --slow 200: on its own site, as long as one likes."""

import argparse
import asyncio
import importlib
import os
import sys
import tempfile
from pathlib import Path

from tests.servers import FOR_TESTS
from tournaments.ops.launcher.copied_postgres import CopiedPostgres
from tournaments.ops.launcher.valkey import Valkey


def main() -> int:
    parser = argparse.ArgumentParser(prog="python3 -m tests.tournaments.web.server.fuzz", description=__doc__)
    for name, default in (("seed", 1), ("requests", 2000), ("slow", 50), ("seconds", 1800)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="boardroom-fuzz-") as folder:
        home = Path(folder)
        home.chmod(0o711)  # as root the database's folder may have to be nobody's
        database = CopiedPostgres(home / "db", home / "db.log", durable=False)
        servers = [database, Valkey(home / "broker", home / "broker.log")]
        try:
            for variable, server in zip(("DATABASE_URL", "REDIS_URL"), servers, strict=True):
                server.start()
                os.environ[variable] = server.url
            return fuzz(options)
        finally:
            for server in reversed(servers):
                server.stop()


def fuzz(options: argparse.Namespace) -> int:
    os.environ |= FOR_TESTS
    os.environ["DJANGO_SETTINGS_MODULE"] = "tournaments.settings"
    importlib.import_module("django").setup()
    importlib.import_module("django.core.management").call_command("migrate", verbosity=0)
    crowd, site = (
        importlib.import_module(f"tests.tournaments.web.server.{name}") for name in ("fuzz.crowd", "fuzz.site")
    )
    with site.a_site() as port:
        figures = asyncio.run(crowd.attack(port, options.seed, options.requests, options.slow, options.seconds))
    print(figures.text, *figures.faults[:20], sep="\n")
    return 1 if figures.faults else 0


if __name__ == "__main__":
    sys.exit(main())
