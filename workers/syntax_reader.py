"""Python's parser on the sources of strangers, in a process that can do nothing but read and answer.

Parsers have been made to crash and to eat memory. So the process is bound before it reads: it opens no file, starts
nothing, and has little time and memory. Where the kernel cannot bind it, or it dies, nothing is told: a wrong source
then shows when the bot is first started, in the sandbox.
"""

import json
import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from bots.syntax import LONGEST, SyntaxFault, syntax_fault
from workers.sandbox import seccomp, syscalls
from workers.sandbox.privileges import PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS

CPU_S, PATIENCE_S, MEMORY = 2, 10.0, 512 << 20
ROOT = Path(__file__).resolve().parents[1]
START = "import sys; sys.path.insert(0, sys.argv[1]); from workers.syntax_reader import main; main()"
NOTHING_ELSE = seccomp.Policy(threads=False, writing=False, killing=False, pure=True)


def read_apart(entry: str, sources: Mapping[str, bytes]) -> SyntaxFault | None:
    """Return the first syntax fault with which the bot would certainly not start, if it can be told."""
    if sum(map(len, sources.values())) > LONGEST:
        return None
    request = json.dumps([entry, {path: source.decode("utf-8") for path, source in sources.items()}]).encode()
    command = [sys.executable, "-I", "-S", "-c", START, str(ROOT)]
    try:
        done = subprocess.run(command, input=request, capture_output=True, env={}, timeout=PATIENCE_S, check=True)
        return SyntaxFault(*json.loads(done.stdout)) if done.stdout else None
    except (OSError, subprocess.SubprocessError, ValueError, TypeError):
        return None


def main() -> None:
    """Answer the request on stdin, bound."""
    syntax_fault("bot.py", {"bot.py": b"import nothing"})  # what the parser loads, it loads now
    bind_process()
    entry, sources = json.load(sys.stdin)
    if fault := syntax_fault(entry, {path: source.encode() for path, source in sources.items()}):
        print(json.dumps(fault))


def bind_process() -> None:
    """Give up everything but reading, writing and some memory, for good. Raises OSError."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    syscalls.prctl(PR_SET_DUMPABLE, 0)
    syscalls.prctl(PR_SET_NO_NEW_PRIVS, 1)
    seccomp.install(seccomp.compile_filter(NOTHING_ELSE))
