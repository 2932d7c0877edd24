"""How long until a match is recorded that was sent after a fault, beside a match that nothing happened to."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.bench import Row
from tests.bench.cold_start import ROOT, without_addresses

FAULTS, SEED, WORKERS = 32, 3, 2


def run() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder:
        path = Path(folder) / "recovery.json"
        options = {"seed": SEED, "faults": FAULTS, "matches": 1, "workers": WORKERS}
        arguments = [part for name, value in options.items() for part in (f"--{name}", str(value))]
        command = [sys.executable, "manage.py", "faults", *arguments, "--json", str(path)]
        subprocess.run(command, check=True, cwd=ROOT, env=without_addresses(), stdout=subprocess.DEVNULL)
        report = json.loads(path.read_text())
    how = (
        f"manage.py faults --seed {SEED} --faults {FAULTS} --workers {WORKERS} on {os.cpu_count()} cores, leases of 4 s"
    )
    return [row(kind, taken, report["plain"], how) for kind, taken in sorted(report["recoveries"].items())]


def row(kind: str, taken: list[float], plain: float, how: str) -> Row:
    ours = median(taken)
    return Row(f"recovery, {kind}", ours, "s", "a match from order to result", plain, ours / plain, "", how)
