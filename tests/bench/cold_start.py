"""`manage.py up` from an empty data folder to its first recorded match; everything is installed already."""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench import Row

ROOT = Path(__file__).resolve().parents[2]
AIM, STARTS = 5.0, 3  # seconds
DONE = re.compile(r"(\d+) match(?:es)? (?:was|were) recorded in ([\d.]+) s")


def run() -> list[Row]:
    floor = statistics.median(python_with_django() for _ in range(STARTS))
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder:
        cold = [start(Path(folder) / str(number)) for number in range(STARTS)]
        warm = [start(Path(folder) / "0") for _ in range(STARTS)]
    return [
        row("cold start to the first ladder match", statistics.median(cold), floor, "empty data folder"),
        row("second start to the next ladder match", statistics.median(warm), floor, "data folder of the first"),
    ]


def row(name: str, seconds: float, floor: float, what: str) -> Row:
    how = f"manage.py up --matches 1 to its report, {what}, median of {STARTS}; ratio to the aim of {AIM:.0f} s"
    return Row(name, seconds, "s", "python -c 'import django, celery'", floor, seconds / AIM, "<= 1.0", how)


def start(data: Path) -> float:
    """Seconds until the line that says the first match is recorded."""
    began = time.perf_counter()
    command = [sys.executable, str(ROOT / "manage.py"), "up", "--port", "0", "--matches", "1", "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=without_addresses()) as process:
        for line in process.stdout or ():
            if DONE.match(line):
                seconds = time.perf_counter() - began
        if process.wait():
            raise RuntimeError(f"manage.py up ended with {process.returncode}")
    return seconds


def python_with_django() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import django.db.models, celery.app.task"], check=True)
    return time.perf_counter() - began


def without_addresses() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
