"""python3 -m tournaments.ratings.fairness_report FOLDER: the checks of a ladder as JSON, made in a process of its own.

In the folder are the ladder's ledger and its manifest, as in a dump, and what the site published: its table, in the
words of `docs/notebooks/standings.py`, and what became of the sets. That script computes the table again.
"""

import gzip
import json
import os
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from tournaments.ratings.export import read, write
from tournaments.ratings.fairness import SKIPPED, Check, Dealt, deals_check, refit_check, statistical_checks
from tournaments.ratings.ledger import Ledger

SCRIPT = Path(__file__).parents[2] / "docs" / "notebooks" / "standings.py"
SECONDS, MEMORY = 120, 2 << 30  # of the processor, and bytes: of each of the two processes
VERSIONS = 200  # that the script, whose matrices are whole, can fit in that time
LEDGER, MANIFEST, SITE = "ledger.jsonl.gz", "manifest.json", "site.json"


def store_input(
    folder: Path,
    ledger: Ledger,
    dealt: Dealt,
    rows: Sequence[Mapping[str, Any]],
    *,
    is_complete: bool,
    twins: Sequence[int] = (),
) -> None:
    """Write what the report is made from. `is_complete`: the ledger has all rated sets, as the table does. `twins`: the
    versions of those that are revealed."""
    text = "".join(write(ledger)).encode()
    (folder / LEDGER).write_bytes(gzip.compress(text, 1))
    (folder / MANIFEST).write_text(json.dumps({"ledger_sha256": sha256(text).hexdigest()}))
    published = [_line(row) for row in rows] if is_complete and len(ledger.versions) <= VERSIONS else None
    (folder / SITE).write_text(json.dumps({"dealt": asdict(dealt), "published": published, "twins": twins}))


def _line(row: Mapping[str, Any]) -> str:
    return f"{row['rank'] or '-':>4} {row['elo']:8.1f} ± {row['ci95']:<6.1f} {row['bot']} v{row['number']}"


def make_checks(folder: Path) -> list[Check]:
    site = json.loads((folder / SITE).read_text())
    ledger = read(gzip.decompress((folder / LEDGER).read_bytes()).decode().splitlines())
    deals, refit = deals_check(Dealt(**site["dealt"])), _refit(folder, ledger, site["published"])
    return [deals, refit, *statistical_checks(ledger, twins=site["twins"])]


def _refit(folder: Path, ledger: Ledger, published: Sequence[str] | None) -> Check:
    if published is None:
        return Check("refit", SKIPPED, len(ledger.sets))
    command = [sys.executable, "-I", "-X", "utf8", str(SCRIPT), folder.as_uri()]
    printed = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True, timeout=2 * SECONDS)
    return refit_check(len(ledger.sets), published, printed.stdout.splitlines())


def main(folder: str) -> None:
    os.nice(15)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.stdout.write(json.dumps([asdict(check) for check in make_checks(Path(folder))]))


if __name__ == "__main__":
    main(sys.argv[1])
