"""The CPU time of a process, as its clock in the kernel has it."""

import time


def cpu_s(pid: int) -> float:
    """CPU seconds of a process and all its threads. Raises OSError if there is none (Linux alone).

    `clock_getcpuclockid(3)` makes the clock's number of the pid in this way; Python has no name for it.
    """
    return time.clock_gettime((~pid << 3) | 2)
