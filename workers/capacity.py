"""How much memory, and how many threads, this machine has for the bots of a match.

It is announced like a language: an order whose bots may together use more than any worker has needs the word "24gb",
and only workers that offer this word are sent it.
"""

from collections.abc import Iterable
from functools import cache
from itertools import count, takewhile
from pathlib import Path
from typing import Final, NamedTuple

MB: Final = 1 << 20
USUAL_MB, USUAL_THREADS = 4096, 128  # of which nothing is said: by default eight bots have no more
GB, THREADS = "gb", "threads"
MOST_GB, MOST_THREADS = 2048, 32768


class Capacity(NamedTuple):
    """Of a machine, or what the bots of a match may use together."""

    memory_mb: int
    threads: int


def _levels(usual: int, most: int) -> tuple[int, ...]:
    """Return half as much again, twice as much, three times, four times, and so on."""
    doubled = (step for power in count() for step in (3 * 2**power * usual // 2, 2 * 2**power * usual))
    return tuple(takewhile(lambda level: level <= most, doubled))


GB_LEVELS, THREAD_LEVELS = _levels(USUAL_MB >> 10, MOST_GB), _levels(USUAL_THREADS, MOST_THREADS)


def needed_capacity(bots: Capacity) -> list[str]:
    """Return what an order needs of a worker: the lowest of each that is enough."""
    gb = next((f"{level}{GB}" for level in GB_LEVELS if level << 10 >= bots.memory_mb), "")
    threads = next((f"{level}{THREADS}" for level in THREAD_LEVELS if level >= bots.threads), "")
    words = {gb: bots.memory_mb > USUAL_MB, threads: bots.threads > USUAL_THREADS}
    return [word for word, is_needed in words.items() if is_needed]


def offered(machine: Capacity) -> list[str]:
    """Return what a worker on this machine says that it has."""
    gb = [f"{level}{GB}" for level in GB_LEVELS if level << 10 <= machine.memory_mb]
    return [*gb, *(f"{level}{THREADS}" for level in THREAD_LEVELS if level <= machine.threads)]


def is_capacity(word: str) -> bool:
    """Return whether that is what is needed or offered, not a language."""
    return any(word.endswith(unit) and word.removesuffix(unit).isdigit() for unit in (GB, THREADS))


def in_short(offers: Iterable[str]) -> list[str]:
    """Return what a worker offers without what follows from the rest: of memory and threads the most."""
    words = set(offers)
    for unit in (GB, THREADS):
        levels = sorted(
            (word for word in words if is_capacity(word) and word.endswith(unit)), key=lambda w: (len(w), w)
        )
        words -= {*levels[:-1]}
    return sorted(words)


def capacity_refusal(bots: Capacity, machine: Capacity) -> str:
    """Return why this machine does not play a match of such bots, or ""."""
    if bots.memory_mb > max(USUAL_MB, machine.memory_mb):
        return f"its bots may use {bots.memory_mb:,} MB of memory, and this worker's machine has {machine.memory_mb:,}"
    if bots.threads > max(USUAL_THREADS, machine.threads):
        return f"its bots may start {bots.threads:,} threads, and this worker's machine allows {machine.threads:,}"
    return ""


@cache
def this_machine() -> Capacity:
    """Return what this machine and this process's control groups allow; all there is where that is not told."""
    memory = [_number(Path("/proc/meminfo"), "MemTotal:") * 1024, *_of_groups("memory.max", "memory.limit_in_bytes")]
    threads = [_number(Path("/proc/sys/kernel/threads-max")), _number(Path("/proc/sys/kernel/pid_max"))]
    least = [min(filter(None, limits), default=1 << 60) for limits in (memory, [*threads, *_of_groups("pids.max")])]
    return Capacity(least[0] // MB, least[1])


def _of_groups(*names: str) -> list[int]:
    """Return the limits of that name of the groups that this process is in, and of those around them."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return []
    groups = [line.split(":", 2)[1:] for line in lines if line.count(":") >= 2]
    folders = [Path("/sys/fs/cgroup") / controllers / path.lstrip("/") for controllers, path in groups]
    around = {folder for group in folders for folder in (group, *group.parents) if "cgroup" in folder.parts}
    return [_number(folder / name) for folder in sorted(around) for name in names]


def _number(path: Path, before: str = "") -> int:
    """Return the number in that file, after that word; 0 where there is none."""
    try:
        words = path.read_text().split()
        return int(words[words.index(before) + 1] if before else words[0])
    except (OSError, ValueError, IndexError):
        return 0
