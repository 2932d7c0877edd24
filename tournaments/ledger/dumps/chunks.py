"""Parts of a ladder's tables, stored by content: a part whose sets have not changed is never made again.

A part has the sets whose ids lie in one range. Its fingerprint is of all that an organiser, an event or a match can
still change about them, by the public rule: a round that is released, a set that is voided, a replay that lost a name,
gives the part another one.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

from tournaments.ledger.dumps import json_lines, parquet, public_rows
from tournaments.ledger.dumps.columns import TABLES, Table
from tournaments.ledger.dumps.whole_file import write_whole_file
from tournaments.models import Ladder

SETS_A_CHUNK = 2048
FORMAT = 1  # of what is kept: another one makes all parts anew
OF_SETS = [table for table in TABLES.values() if table.of_sets]


@dataclass(frozen=True, slots=True)
class Chunk:
    """`number`: sets from SETS_A_CHUNK times it on."""

    number: int
    fingerprint: str

    @property
    def sets(self) -> tuple[int, int]:
        first = self.number * SETS_A_CHUNK
        return first, first + SETS_A_CHUNK - 1

    def file(self, folder: Path, table: Table, ending: str) -> Path:
        return folder / f"{table.name}-{self.number:06}-{self.fingerprint}.{ending}"


def chunks_of(ladder: Ladder) -> list[Chunk]:
    """Return the chunks in order, without those that have no public set."""
    columns = ("pk", "status", "counts", "rated", "ended_at")
    stored = public_rows.public_sets(ladder).order_by("pk").values_list(*columns).iterator(20_000)
    rewritten = public_rows.rewritten_in(ladder)
    complete = ((*row[:-1], *rewritten.get(row[0], ()), row[-1]) for row in stored)
    return [_chunk(number, rows) for number, rows in groupby(complete, lambda row: row[0] // SETS_A_CHUNK)]


def _chunk(number: int, rows: Iterator[tuple[Any, ...]]) -> Chunk:
    digest = sha256(f"format {FORMAT}".encode())
    for row in rows:
        digest.update(repr((*row[:-1], row[-1].timestamp())).encode())
    return Chunk(number, digest.hexdigest()[:16])


def make_chunk(ladder: Ladder, chunk: Chunk, folder: Path) -> bool:
    """Make what is not there yet. Whether anything was made."""
    missing = [table for table in OF_SETS if not chunk.file(folder, table, "json").exists()]
    for table in missing:
        _make(ladder, chunk, table, folder)
    return bool(missing)


def _make(ladder: Ladder, chunk: Chunk, table: Table, folder: Path) -> None:
    rows = list(public_rows.rows_of_table(table.name, public_rows.public_sets_between(ladder, *chunk.sets)))
    group, pages = parquet.row_group(table.columns, rows)
    write_whole_file(chunk.file(folder, table, "jsonl.gz"), json_lines.packed(table.columns, rows))
    write_whole_file(chunk.file(folder, table, "pages"), pages)
    about: dict[str, Any] = {"group": asdict(group)}
    if table.name == "seats":
        about["versions"] = sorted({row[2] for row in rows})
    write_whole_file(chunk.file(folder, table, "json"), json.dumps(about).encode())  # the last: with it all is there


def chunk_description(chunk: Chunk, folder: Path, table: Table) -> Any:
    return json.loads(chunk.file(folder, table, "json").read_bytes())


def group_of(plain: Any) -> parquet.RowGroup:
    return parquet.RowGroup(plain["rows"], [parquet.PackedColumn(**column) for column in plain["columns"]])
