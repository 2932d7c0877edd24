"""`python3 -m tests.starts`: the CPU time of each start of a process, and of `up` until its page (contributing.md)."""

import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TIMES = 3
SETUP = "import django; django.setup(); import "
STARTS = {  # until nothing is left to be imported
    "manage.py help": [str(ROOT / "manage.py"), "help"],
    "django.setup()": ["-c", "import django; django.setup()"],
    "the web server's application": ["-c", "import tournaments.asgi"],
    "the dispatcher": ["-c", f"{SETUP}tournaments.management.commands.dispatch"],
    "a recorder": [
        "-c",
        "import tournaments.core.broker.celery_app, celery.worker.worker, tournaments.ledger.recording.__main__",
    ],
    "a match worker": ["-c", "import workers.app, workers.tasks, workers.turn_tasks"],
}


def spent(run: Callable[[], object]) -> float:
    """Return the seconds of CPU time of the processes that have ended meanwhile."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def start(arguments: list[str]) -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tournaments.settings"}
    command = [sys.executable, *arguments]
    subprocess.run(command, check=True, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)


def up(data: str) -> None:
    """Start it and wait for the line that names its page; then it stops, which costs some too."""
    command = [sys.executable, str(ROOT / "manage.py"), "up", "--port", "0", "--no-demo", "--data", data]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            if line.startswith("Boardroom is at"):
                process.send_signal(signal.SIGTERM)


def row(name: str, run: Callable[[str], object]) -> None:
    print(
        f"{name:<44} {statistics.median([spent(partial(run, str(number))) for number in range(TIMES)]):.2f} s",
        flush=True,
    )


def main() -> None:
    for name, arguments in STARTS.items():
        start(arguments)  # what is read from the disk is there now
        row(name, lambda _, these=arguments: start(these))  # type: ignore[misc]
    with tempfile.TemporaryDirectory(prefix="boardroom-starts-") as folder:
        Path(folder).chmod(0o711)
        row("up, from no data to its page, and its stop", lambda number: up(f"{folder}/{number}"))
        row("up, from data to its page, and its stop", lambda number: up(f"{folder}/{number}"))


if __name__ == "__main__":
    main()
