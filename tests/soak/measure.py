"""What a site holds at one moment, and what grew between many."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import linear_regression

from django.conf import settings
from django.db import connection
from redis import Redis

from tournaments.models import Result

KINDS = {  # what a command line says, and the process it is
    "granian": "web server",
    "asgi": "web server",
    "dispatch": "dispatcher",
    "recording": "recorder",
    "postgres": "PostgreSQL",
    "valkey": "Valkey",
    "workers": "match workers",
    "manage.py up": "up",
}
MB = 1024  # kB
WARM = 1 / 3  # of the samples


@dataclass(frozen=True, slots=True)
class Sample:
    """`memory`: MB by kind of process, shared pages counted by their share. `counts`: rows, keys and files by name."""

    seconds: float
    matches: int
    memory: Mapping[str, float]
    counts: Mapping[str, int]

    def memory_mb(self) -> float:
        return sum(self.memory.values())


def sample(pid: int, data: Path, seconds: float) -> Sample:
    matches = Result.objects.count()
    return Sample(seconds, matches, memory(pid), {**dict(rows()), **broker(), "files of the data folder": files(data)})


def memory(pid: int) -> dict[str, float]:
    kilobytes: Counter[str] = Counter()
    for child in family(pid):
        try:
            command = (child / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            kilobytes[kind_of(command)] += share_kb(child)
        except OSError:
            continue  # it has ended meanwhile
    return {kind: kb / MB for kind, kb in sorted(kilobytes.items())}


def kind_of(command: str) -> str:
    return next((kind for sign, kind in KINDS.items() if sign in command), "others")


def share_kb(process: Path) -> int:
    lines = (process / "smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def family(pid: int) -> Iterator[Path]:
    """The process and all below it."""
    process = Path("/proc") / str(pid)
    yield process
    try:
        below = [child for task in (process / "task").iterdir() for child in (task / "children").read_text().split()]
    except OSError:
        return
    for child in below:
        yield from family(int(child))


def rows() -> Iterator[tuple[str, int]]:
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608  its own name
            yield f"rows of {table.removeprefix('tournaments_')}", cursor.fetchone()[0]


def broker() -> dict[str, int]:
    with Redis.from_url(settings.REDIS_URL) as redis:
        return {"keys of the broker": redis.dbsize(), "kB of the broker": redis.info("memory")["used_memory"] // 1024}


def files(folder: Path) -> int:
    return sum(len(names) for _, _, names in os.walk(folder))


def report(samples: Sequence[Sample], answers: Mapping[str, int]) -> list[str]:
    """Return what grew, by 1,000 matches, once the site was warm."""
    warm = samples[int(len(samples) * WARM) :]
    first, last = warm[0], warm[-1]
    kinds = sorted({kind for moment in warm for kind in moment.memory})
    names = sorted({name for moment in warm for name in moment.counts})
    return [
        f"{last.matches} matches in {last.seconds:.0f} s; pages: {dict(answers)}",
        f"measured from match {first.matches} to {last.matches}; grew by 1,000 matches:",
        *(grown(f"MB of {kind}", [moment.memory.get(kind, 0) for moment in warm], warm) for kind in kinds),
        *(grown(name, [moment.counts.get(name, 0) for moment in warm], warm) for name in names),
    ]


def grown(name: str, values: Sequence[float], samples: Sequence[Sample]) -> str:
    slope = linear_regression([moment.matches for moment in samples], values).slope
    return f"  {name:<44} {values[0]:10,.1f} -> {values[-1]:10,.1f}  {1000 * slope:+10.2f}"
