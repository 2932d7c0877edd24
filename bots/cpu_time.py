"""The CPU time of a process, as its clock in the kernel has it: all its threads together."""


def clock_of(pid: int) -> int:
    """The number of the clock for `time.clock_gettime`, which raises OSError if there is no such process (Linux alone).

    `clock_getcpuclockid(3)` makes it of the pid in this way; Python has no name for it.
    """
    return (~pid << 3) | 2
