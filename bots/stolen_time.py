"""What the machine kept from everybody: time its hypervisor stole, and time that processes waited for a core."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bots.process import thread_delay_s

STAT, PRESSURE, OWN_DELAY = Path("/proc/stat"), Path("/proc/pressure/cpu"), Path("/proc/thread-self/schedstat")
STEAL = 8  # the field of the first line of /proc/stat


@dataclass(frozen=True, slots=True)
class Kept:
    """Seconds since the machine started, all cores together; 0 where the system does not say."""

    stolen_s: float = 0.0
    starved_s: float = 0.0  # somebody was ready and had no core: read only where the delay of each process is unknown
    delayed_s: float = 0.0  # this thread was ready and had no core

    def since(self, before: "Kept") -> "Kept":
        delayed_s = self.delayed_s - before.delayed_s
        return Kept(self.stolen_s - before.stolen_s, self.starved_s - before.starved_s, delayed_s)


def measure_delays() -> Kept:
    if OWN_DELAY.exists():
        return Kept(_stolen_s(_lines(STAT)), delayed_s=thread_delay_s(OWN_DELAY))
    return Kept(_stolen_s(_lines(STAT)), _starved_s(_lines(PRESSURE)))


def _stolen_s(lines: Iterable[str]) -> float:
    for line in lines:
        fields = line.split()
        if fields and fields[0] == "cpu" and len(fields) > STEAL:
            return int(fields[STEAL]) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _starved_s(lines: Iterable[str]) -> float:
    for line in lines:
        if line.startswith("some "):
            return int(line.rpartition("total=")[2]) / 1e6
    return 0.0


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="ascii").splitlines()
    except OSError:
        return []
