"""`python3 -m tests.golden [FOLDER]` writes what users get: pages for each kind of asker, API answers and document,
routes, refusals, films, protocol lines, a season. `test_golden.py` compares it with what is stored.

Each part is made by a process of its own in a new database, so what was made before it changes nothing.
"""

import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from tests import servers

ROOT = Path(__file__).resolve().parents[2]
OUTPUTS = Path(__file__).parent / "outputs"
PARTS = ("code", "pages", "api", "seasons")  # modules
OWN = ("REDIS_URL", "TEST_PROCESS", "PYTEST_XDIST_WORKER")  # what a run of the tests has, and this has for itself


def write(folder: Path) -> None:
    """Replace the folder's files by what is made now."""
    serve()
    shutil.rmtree(folder, ignore_errors=True)
    for part in PARTS:
        subprocess.run([sys.executable, "-m", "tests.golden", folder.absolute(), part], cwd=ROOT, check=True)


def serve() -> None:
    """Start the servers. Where the tests run already, their PostgreSQL is used, with another database."""
    for name in OWN:
        os.environ.pop(name, None)
    os.environ["DJANGO_SETTINGS_MODULE"] = "tournaments.settings"
    servers.pytest_load_initial_conftests()
    if "READY_DATABASE" not in os.environ:
        servers.start()
    else:
        for server in servers.servers:
            server.start()


def write_part(folder: Path, part: str) -> None:
    import_module("tests.golden.tokens").fix()
    import_module("django").setup()
    for name, text in import_module("tests.golden.site").outputs_of(part):
        path = folder / part / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        write_part(Path(sys.argv[1]), sys.argv[2])
    else:
        write(Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUTS)
