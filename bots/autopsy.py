"""What a bot's end says about it: the verdict and a sentence with the evidence."""

import signal

from bots.process import Exit
from engine.referee import Verdict

BY_SIGNAL = {
    signal.SIGKILL: (Verdict.OUT_OF_MEMORY, "was killed from outside (signal 9), as happens when memory runs out"),
    signal.SIGSYS: (Verdict.SECURITY, "made a system call that no bot may make (signal 31, SIGSYS)"),
    signal.SIGXCPU: (Verdict.TIMED_OUT, "used up the CPU time a process may have (signal 24, SIGXCPU)"),
}
# The last line of a Python traceback.
NO_MEMORY = ("MemoryError", "numpy._core._exceptions._ArrayMemoryError", "OSError: [Errno 12]")
# What C++ and Node say before they give up for want of memory.
WANT_OF_MEMORY = ("std::bad_alloc", "JavaScript heap out of memory")
# What Java says above the places where it was.
OF_JAVA = ("java.lang.OutOfMemoryError", 'Exception in thread "main" java.lang.OutOfMemoryError')
NO_MEMORY_CODE = 128 + signal.SIGKILL  # how a shell reports it


def autopsy(end: Exit, stderr: str) -> tuple[Verdict, str]:
    """Why a process ended that the table did not kill. `stderr` is the tail of what it wrote."""
    last = stderr.rstrip().rsplit("\n", 1)[-1].strip()
    how = f"signal {end.signal} ({signal.strsignal(end.signal)})" if end.signal else f"exit code {end.code}"
    if end.ran_out:
        why = "used more memory than its limit, all its processes together, for which one of them was killed"
        return Verdict.OUT_OF_MEMORY, f"{why}; it ended with {how}"
    if end.signal in BY_SIGNAL:
        return BY_SIGNAL[signal.Signals(end.signal)]
    if last.startswith(NO_MEMORY):
        return Verdict.OUT_OF_MEMORY, f"ran out of memory and ended with {how}: {last}"
    if said := next((line for line in stderr.splitlines() if line.startswith(OF_JAVA)), None):
        return Verdict.OUT_OF_MEMORY, f"ran out of memory and ended with {how}: {said}"
    if end.code == NO_MEMORY_CODE:
        return Verdict.OUT_OF_MEMORY, f"ended with {how}, as when a program of it is killed for being out of memory"
    if end.signal and any(words in stderr for words in WANT_OF_MEMORY):
        return Verdict.OUT_OF_MEMORY, f"ran out of memory and was ended by {how}"
    if end.signal:
        return Verdict.CRASHED, f"was ended by {how}"
    why = f": {last}" if last else ", and wrote nothing on stderr"
    return Verdict.CRASHED, f"ended with {how}{why}"
