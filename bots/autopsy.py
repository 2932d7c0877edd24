"""What a bot's end says about it: the verdict and a sentence with the evidence."""

import signal

from bots.process import Exit
from engine.referee import Verdict

BY_SIGNAL = {
    signal.SIGKILL: (Verdict.OUT_OF_MEMORY, "was killed from outside (signal 9), as happens when memory runs out"),
    signal.SIGSYS: (Verdict.SECURITY, "made a system call that no bot may make (SIGSYS)"),
    signal.SIGXCPU: (Verdict.TIMED_OUT, "used up the CPU time a process may have (SIGXCPU)"),
}
NO_MEMORY = ("MemoryError", "OSError: [Errno 12]")  # the last line of a Python traceback
# What C++ and Node say before they give up for want of memory.
WANT_OF_MEMORY = ("std::bad_alloc", "JavaScript heap out of memory")
NO_MEMORY_CODE = 128 + signal.SIGKILL  # how a shell reports it


def autopsy(end: Exit, stderr: str) -> tuple[Verdict, str]:
    """Why a process is gone that nobody here killed. `stderr` is the tail of what it wrote."""
    last = stderr.rstrip().rsplit("\n", 1)[-1].strip()
    if end.ran_out:
        return Verdict.OUT_OF_MEMORY, "used more memory than its limit, all its processes together, and was killed"
    if end.signal in BY_SIGNAL:
        return BY_SIGNAL[signal.Signals(end.signal)]
    if last.startswith(NO_MEMORY) or end.code == NO_MEMORY_CODE:
        return Verdict.OUT_OF_MEMORY, "ran out of memory (MemoryError)"
    if end.signal and any(words in stderr for words in WANT_OF_MEMORY):
        return Verdict.OUT_OF_MEMORY, f"ran out of memory, and was ended by signal {end.signal}"
    if end.signal:
        return Verdict.CRASHED, f"was ended by signal {end.signal} ({signal.strsignal(end.signal)})"
    why = f": {last}" if last else ", and wrote nothing on stderr"
    return Verdict.CRASHED, f"ended with exit code {end.code}{why}"
