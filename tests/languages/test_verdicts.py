"""Every word of the verdicts, by a bot that earns it, with what its owner needs to understand it."""

import pytest

from engine.referee import Verdict
from tests.languages.played import against_honest, need, verdicts
from tests.workers.hall import Site
from workers.match import Kit

IN_EACH_TIER = True
PYTHON = """
import ctypes, json, os, sys
print("my last words", file=sys.stderr)
def say(text): os.write(1, text.encode() + b"\\n")
for line in sys.stdin:
    if json.loads(line)["t"] == "hello": say('{"t":"ready"}')
    else: %s
"""
JAVASCRIPT = """
console.error("my last words");
const say = (text) => process.stdout.write(text + "\\n");
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  if (JSON.parse(line).t === "hello") say('{"t":"ready"}');
  else { %s }
});
"""
C = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
static char line[1 << 20];
static void say(const char *text) { puts(text); fflush(stdout); }
int main(void) {
    fputs("my last words\\n", stderr);
    fgets(line, sizeof line, stdin);
    say("{\\"t\\":\\"ready\\"}");
    while (fgets(line, sizeof line, stdin)) { %s }
}
"""
CPLUSPLUS = C.replace("#include <stdio.h>", "#include <stdio.h>\n#include <vector>")
OUTER = {"python": PYTHON, "numpy": f"import numpy{PYTHON}", "javascript": JAVASCRIPT, "c": C, "c++": CPLUSPLUS}
FILES = {"python": "bot.py", "numpy": "bot.py", "javascript": "bot.js", "c": "bot.c", "c++": "bot.cpp"}

# The language, what it does at its first question, its verdict, and some of what its owner is told.
BOTS = {
    "Python raises": ("python", "raise ValueError('no plan')", "crashed", "ValueError: no plan"),
    "Python stops": ("python", "sys.exit(3)", "crashed", "exit code 3"),
    "Python thinks for ever": ("python", "\n        while True: pass", "timed out", "s of CPU time; 1.5 s are allowed"),
    "Python takes all memory": ("python", "[0] * (1 << 30)", "out of memory", "MemoryError"),
    "NumPy takes all memory": ("numpy", "numpy.ones(1 << 30)", "out of memory", "Unable to allocate 8.00 GiB"),
    "Python makes the rules": ("python", """say('{"action":{"t":"bid","amount":-7}}')""", "illegal answer", ""),
    "Python chats": ("python", "say('let me see')", "bad protocol", "let me see"),
    "Python never ends a line": ("python", "os.write(1, b'x' * 70_000)", "output limit", "65,536 bytes"),
    "Python calls by another number": ("python", "ctypes.CDLL(None).syscall(0x40000027)", "security", "SIGSYS"),
    "JavaScript throws": ("javascript", "throw new Error('no plan');", "crashed", "Error: no plan"),
    "JavaScript thinks for ever": ("javascript", "for (;;);", "timed out", "of CPU time"),
    "JavaScript takes all memory": (
        *("javascript", "const all = []; for (;;) all.push(new Array(100000).fill(all.length));"),
        *("out of memory", "heap out of memory"),
    ),
    "JavaScript makes the rules": ("javascript", """say('{"action":{"t":"bid"}}');""", "illegal answer", ""),
    "JavaScript chats": ("javascript", "say('let me see');", "bad protocol", "let me see"),
    "JavaScript never ends a line": ("javascript", "process.stdout.write('x'.repeat(7e4));", "output limit", "65,536"),
    "C follows a wild pointer": ("c", "*(volatile int *)8 = 1;", "crashed", "signal 11"),
    "C gives up": ("c", "abort();", "crashed", "was ended by signal"),
    "C thinks for ever": ("c", "for (volatile int n = 0;; n++);", "timed out", "of CPU time"),
    "C makes the rules": ("c", 'say("{\\"action\\":{\\"t\\":\\"bid\\",\\"amount\\":-7}}");', "illegal answer", ""),
    "C never ends a line": ("c", "for (int n = 0; n < 70000; n++) putchar(120);", "output limit", "65,536"),
    "C calls by another number": ("c", "syscall(0x40000027);", "security", "SIGSYS"),
    "C++ takes all memory": (
        *("c++", "std::vector<std::vector<int>> all; for (;;) all.emplace_back(1 << 20, 7);"),
        *("out of memory", "It used"),
    ),
}  # fmt: skip
ENDED = {"crashed", "timed out", "out of memory", "output limit", "security"}


def test_every_fault_of_a_bot_is_earned_by_one_of_these() -> None:
    assert {verdict for _, _, verdict, _ in BOTS.values()} == set(Verdict) - {Verdict.OK, Verdict.OURS}


@pytest.mark.parametrize("bot", BOTS)
def test_the_verdict_names_what_it_did_and_the_evidence_shows_it(site: Site, kit: Kit, bot: str) -> None:
    language, deed, verdict, evidence = BOTS[bot]
    need(language, kit)
    report = against_honest(site, kit, OUTER[language] % deed, FILES[language])
    assert verdicts(report) == [verdict, "ok"]
    fault = report.faults[0]
    assert (fault.seat, fault.verdict) == (0, verdict)
    assert fault.asked
    assert evidence in fault.detail + report.stderr[0].text
    assert "my last words" in report.stderr[0].text
    assert report.cpu_ms[0] > 0
    assert report.memory_mb[0] > 0
    if verdict in ENDED:
        assert "my last words" in fault.detail or "JavaScript" in bot
        assert "MB of memory in all" in fault.detail
