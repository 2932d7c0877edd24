"""What a dump holds, read from its files."""

import gzip
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from tournaments.ledger.dumps.dump import Made


def stored(made: Made, root: Path, name: str) -> bytes:
    [file] = [file for file in made.manifest["files"] if file["name"] == name]
    data: bytes = (root / made.manifest["ladder"] / file["stored"]).read_bytes()
    assert (file["bytes"], file["sha256"]) == (len(data), sha256(data).hexdigest())
    return data


def lines(made: Made, root: Path, table: str) -> list[dict[str, Any]]:
    text = gzip.decompress(stored(made, root, f"{table}.jsonl.gz")).decode()
    return [json.loads(line) for line in text.splitlines()]


def told_by_script(table: list[dict[str, Any]]) -> list[str]:
    """The standings of the API as the script of the docs prints them."""
    return [
        f"{row['rank'] or '-':>4} {row['elo']:8.1f} ± {row['ci95']:<6.1f} {row['bot']} v{row['version']}"
        for row in table
    ]
