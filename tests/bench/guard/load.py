"""Whether the machine does other work: figures taken beside it say little."""

import os
import time
from pathlib import Path
from typing import Final

MOST: Final = 0.25  # cores that others may keep busy
LOOKED_S: Final = 1.0
STAT: Final = Path("/proc/stat")


def cores_busy() -> float:
    """How many cores work while we do nothing, over a second; elsewhere than on Linux, the load of a minute."""
    if not STAT.exists():
        return os.getloadavg()[0]
    before = _busy_s()
    time.sleep(LOOKED_S)
    return (_busy_s() - before) / LOOKED_S


def _busy_s() -> float:
    """Seconds of all cores since the start that were neither idle nor waiting for a disk (proc_stat(5))."""
    user, nice, system, _idle, _wait, irq, softirq, *_ = map(int, STAT.read_text().split(maxsplit=11)[1:11])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def refusal(busy: float) -> str | None:
    """Why nothing is measured now, in a sentence; None where the machine is quiet."""
    if busy <= MOST:
        return None
    return (
        f"{busy:.1f} of {os.cpu_count()} cores are busy with other work, and figures taken beside it say little: "
        f"stop that work (at most {MOST} of a core may be busy), or add --beside-load"
    )
