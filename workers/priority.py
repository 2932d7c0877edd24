"""The priority of matches: they can wait for a core, and people who wait for a page of the same machine cannot."""

import os
from contextlib import suppress
from pathlib import Path

LOW = 10  # niceness: a tenth of the processor beside somebody who wants all of it, says sched(7)
SESSION = Path("/proc/self/autogroup")


def lower() -> None:
    """Lower the priority of this process, and of all that it starts, below that of pages."""
    os.setpriority(os.PRIO_PROCESS, 0, max(LOW, os.getpriority(os.PRIO_PROCESS, 0)))
    keep_in_session()


def keep_in_session() -> None:
    """Keep this process's priority in the session that it has just begun: Linux may share out the processor by
    session first ("autogroup" in sched(7)), and a new session starts without a priority."""
    with suppress(OSError):  # there are none on this machine, or too many begin at once
        SESSION.write_text(str(os.nice(0)))
