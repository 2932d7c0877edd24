"""The dump of a ladder: each table whole, in both formats, its ledger, and a manifest that names them by their hashes.

A file's name on the disk holds its hash, so a new one never takes an old one's place; the manifest, renamed last, says
which are of this dump. Who reads an older manifest finds its files for a day more.
"""

import gzip
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fcntl import LOCK_EX, LOCK_NB, flock
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from tournaments.core.accounts.spaces import listed_for
from tournaments.core.errors import Refused
from tournaments.ledger.dumps import json_lines, parquet, public_rows
from tournaments.ledger.dumps.chunks import Chunk, chunk_description, chunks_of, group_of, make_chunk
from tournaments.ledger.dumps.columns import TABLES, Table
from tournaments.ledger.dumps.croissant import croissant
from tournaments.ledger.dumps.licences import LICENCES
from tournaments.ledger.dumps.whole_file import hash_of_file, write_whole_file
from tournaments.ledger.ladders.rating_ledger import ledger_lines
from tournaments.models import Ladder

OLD = 86_400  # seconds for which files of former dumps stay
MANIFEST = "manifest.json"
KINDS = {"jsonl.gz": "application/gzip", "parquet": "application/vnd.apache.parquet"}


@dataclass(frozen=True, slots=True)
class Made:
    """How many parts there are, and how many had to be made."""

    chunks: int
    fresh: int
    manifest: dict[str, Any]


def dump(ladder: Ladder, root: Path) -> Made:
    """Raises Refused: not_public, dump_under_way."""
    if not Ladder.objects.filter(listed_for(None), pk=ladder.pk).exists():
        raise Refused(
            "not_public",
            "%(ladder)s is not for everybody to see: its season's file holds what its members may",
            ladder=ladder,
        )
    folder = root / ladder.slug
    parts = folder / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    with alone(folder), transaction.atomic(durable=not connection.in_atomic_block):
        _as_of_now()
        chunks = chunks_of(ladder)
        fresh = sum(make_chunk(ladder, chunk, parts) for chunk in chunks)
        manifest = _manifest(ladder, chunks, folder, parts)
        write_whole_file(folder / MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False).encode() + b"\n")
    _clear(folder, manifest, chunks)
    return Made(len(chunks), fresh, manifest)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    with (folder / "lock").open("w") as lock:
        try:
            flock(lock, LOCK_EX | LOCK_NB)
        except OSError:
            raise Refused(
                "dump_under_way", "another dump of %(ladder)s is under way; try again later", ladder=folder.name
            ) from None
        yield


def _as_of_now() -> None:
    """Let the transaction read all tables as of one moment."""
    if not connection.savepoint_ids:  # a test's own transaction has read something already
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


def _manifest(ladder: Ladder, chunks: Sequence[Chunk], folder: Path, parts: Path) -> dict[str, Any]:
    small = _small_tables(ladder, chunks, parts)
    tables = [
        _joined(table, chunks, folder, parts) if table.of_sets else _whole(table, small[table.name], folder)
        for table in TABLES.values()
    ]
    ledger, its_hash = _ledger(ladder, folder)
    manifest: dict[str, Any] = {
        "boardroom_dump": 1,
        "ladder": ladder.slug,
        "title": ladder.title,
        "game": ladder.game,
        "rules": ladder.rules,
        "licence": LICENCES[Ladder.DataLicence(ladder.data_licence)],
        "made_at": timezone.now().isoformat(timespec="seconds").replace("+00:00", "Z"),
        "ledger_sha256": its_hash,
        "tables": tables,
        "files": [ledger, *(file for table in tables for file in table.pop("files"))],
    }
    manifest["files"].append(_described(manifest, folder))
    return manifest


def _small_tables(ladder: Ladder, chunks: Sequence[Chunk], parts: Path) -> dict[str, list[public_rows.Row]]:
    seats = TABLES["seats"]
    sat = {version for chunk in chunks for version in chunk_description(chunk, parts, seats)["versions"]}
    ratings = list(public_rows.ratings_of(ladder))
    versions = sorted(sat | {row[3] for row in ratings})
    return {
        "versions": list(public_rows.versions_named(versions)),
        "ratings": ratings,
        "events": list(public_rows.public_entrants(ladder)),
    }


def _joined(table: Table, chunks: Sequence[Chunk], folder: Path, parts: Path) -> dict[str, Any]:
    """The parts of a table as one file of each format."""
    groups, offset = list[tuple[int, parquet.RowGroup]](), len(parquet.MAGIC)
    for chunk in chunks:
        group = group_of(chunk_description(chunk, parts, table)["group"])
        groups.append((offset, group))
        offset += sum(column.packed for column in group.columns)
    pages = [chunk.file(parts, table, "pages") for chunk in chunks]
    lines = [chunk.file(parts, table, "jsonl.gz") for chunk in chunks]
    end = parquet.footer(table.columns, groups)
    files = [
        _put(folder, table.name, "jsonl.gz", *lines or (json_lines.NOTHING,)),
        _put(folder, table.name, "parquet", parquet.MAGIC, *pages, end),
    ]
    return _table(table, sum(group.rows for _, group in groups), files)


def _whole(table: Table, rows: list[public_rows.Row], folder: Path) -> dict[str, Any]:
    group, pages = parquet.row_group(table.columns, rows) if rows else (None, b"")
    groups = [(len(parquet.MAGIC), group)] if group else []
    files = [
        _put(folder, table.name, "jsonl.gz", json_lines.packed(table.columns, rows)),
        _put(folder, table.name, "parquet", parquet.MAGIC, pages, parquet.footer(table.columns, groups)),
    ]
    return _table(table, len(rows), files)


def _table(table: Table, rows: int, files: list[dict[str, Any]]) -> dict[str, Any]:
    columns = [
        {"name": column.name, "kind": column.kind, "about": column.about, **({"to": column.to} if column.to else {})}
        for column in table.columns
    ]
    return {"name": table.name, "about": table.about, "rows": rows, "columns": columns, "files": files}


def _put(folder: Path, name: str, ending: str, *content: bytes | Path, kind: str = "") -> dict[str, Any]:
    path = folder / f"{name}.{ending}.new"
    write_whole_file(path, *content)
    digest, size = hash_of_file(path), path.stat().st_size
    stored = f"{name}-{digest[:16]}.{ending}"
    path.rename(folder / stored)
    kind = kind or KINDS[ending]
    return {"name": f"{name}.{ending}", "stored": stored, "bytes": size, "sha256": digest, "type": kind}


def _ledger(ladder: Ladder, folder: Path) -> tuple[dict[str, Any], str]:
    """Write what ratings are computed from. Returns its file, and the hash of its text as in `GET .../ledger`."""
    text = "".join(ledger_lines(ladder)).encode()
    packed = gzip.compress(text, json_lines.LEVEL, mtime=0)
    return _put(folder, "ledger", "jsonl.gz", packed), sha256(text).hexdigest()


def _described(manifest: dict[str, Any], folder: Path) -> dict[str, Any]:
    text = json.dumps(croissant(manifest), indent=1, ensure_ascii=False).encode() + b"\n"
    return _put(folder, "croissant", "json", text, kind="application/ld+json")


def _clear(folder: Path, manifest: dict[str, Any], chunks: Sequence[Chunk]) -> None:
    """Remove files that no manifest of the last day names."""
    named = {file["stored"] for file in manifest["files"]} | {MANIFEST, "lock"}
    prints = {chunk.fingerprint for chunk in chunks}
    parts = [path for path in (folder / "parts").iterdir() if path.name.partition(".")[0].split("-")[-1] not in prints]
    former = [path for path in folder.iterdir() if path.is_file() and path.name not in named]
    for path in (*parts, *former):
        if path.stat().st_mtime < time.time() - OLD:
            path.unlink()
