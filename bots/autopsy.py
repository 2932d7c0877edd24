"""What a bot's end says about it: the verdict and a sentence with the evidence."""

import signal

from bots.process import Exit
from bots.protocol import quote
from engine.referee import Verdict
from engine.sentences import Sentence

BY_SIGNAL = {
    signal.SIGKILL: (
        Verdict.OUT_OF_MEMORY,
        Sentence("was killed from outside (signal 9), as happens when memory runs out"),
    ),
    signal.SIGSYS: (Verdict.SECURITY, Sentence("made a system call that no bot may make (signal 31, SIGSYS)")),
    signal.SIGXCPU: (Verdict.TIMED_OUT, Sentence("used up the CPU time a process may have (signal 24, SIGXCPU)")),
}
RAN_OUT = (
    "used more memory than its limit, all its processes together, for which one of them was killed; "
    "it ended with %(how)s"
)
NO_MORE = "ran out of memory and ended with %(how)s: %(last)s"
# The last line of a Python traceback.
NO_MEMORY = ("MemoryError", "numpy._core._exceptions._ArrayMemoryError", "OSError: [Errno 12]")
# What C++ and Node say before they give up for want of memory.
WANT_OF_MEMORY = ("std::bad_alloc", "JavaScript heap out of memory")
# What Java says above the places where it was.
OF_JAVA = ("java.lang.OutOfMemoryError", 'Exception in thread "main" java.lang.OutOfMemoryError')
AT_ONCE = "%(reason)s; it ended before it was ready: is play(choose) missing, or does it not wait for its input?"
UNFINISHED = "%(count)s bytes came without a line end; flush after each line. They are: %(line)s"
UNFINISHED_BYTE = "1 byte came without a line end; flush after each line. It is: %(line)s"
NO_MEMORY_CODE = 128 + signal.SIGKILL  # how a shell reports it


def autopsy(end: Exit, stderr: str, *, is_ready: bool = True) -> tuple[Verdict, Sentence]:
    """Why a process ended that the table did not kill. `stderr` is the tail of what it wrote."""
    verdict, reason = _autopsy(end, stderr)
    if end.code == 0 and not is_ready and verdict is Verdict.CRASHED:
        reason = Sentence(AT_ONCE, reason=reason)
    return verdict, reason


def unfinished(line: bytes, longest: int) -> list[Sentence]:
    """Return what is to be said of a line that was begun and has no end; nothing of one that is too long anyway."""
    if not 0 < len(line) < longest or b"\n" in line:
        return []
    if len(line) == 1:
        return [Sentence(UNFINISHED_BYTE, line=quote(line))]
    return [Sentence(UNFINISHED, count=f"{len(line):,}", line=quote(line))]


def _autopsy(end: Exit, stderr: str) -> tuple[Verdict, Sentence]:
    last = stderr.rstrip().rsplit("\n", 1)[-1].strip()
    how = _how(end)
    if end.ran_out:
        return Verdict.OUT_OF_MEMORY, Sentence(RAN_OUT, how=how)
    if end.signal in BY_SIGNAL:
        return BY_SIGNAL[signal.Signals(end.signal)]
    if last.startswith(NO_MEMORY):
        return Verdict.OUT_OF_MEMORY, Sentence(NO_MORE, how=how, last=last)
    if complaint := next((line for line in stderr.splitlines() if line.startswith(OF_JAVA)), None):
        return Verdict.OUT_OF_MEMORY, Sentence(NO_MORE, how=how, last=complaint)
    if end.code == NO_MEMORY_CODE:
        sentence = "ended with %(how)s, as when a program of it is killed for being out of memory"
        return Verdict.OUT_OF_MEMORY, Sentence(sentence, how=how)
    if end.signal and any(words in stderr for words in WANT_OF_MEMORY):
        return Verdict.OUT_OF_MEMORY, Sentence("ran out of memory and was ended by %(how)s", how=how)
    if end.signal:
        return Verdict.CRASHED, Sentence("was ended by %(how)s", how=how)
    if last:
        return Verdict.CRASHED, Sentence("ended with %(how)s: %(last)s", how=how, last=last)
    return Verdict.CRASHED, Sentence("ended with %(how)s, and wrote nothing on stderr", how=how)


def _how(end: Exit) -> Sentence:
    if end.signal:
        return Sentence("signal %(signal)s (%(called)s)", signal=end.signal, called=signal.strsignal(end.signal))
    return Sentence("exit code %(code)s", code=end.code)
