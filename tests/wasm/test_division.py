"""Bots in WebAssembly: the same match on every attempt, whatever they do, and nothing to learn of the world."""

import pytest

from bots.protocol import Clock
from tests.wasm.games import HONEST, faults_of, late, played, program, sample
from workers.sandbox.arena import Arena
from workers.sandbox.wasm.turns import Program


def test_the_samples_play_alike_in_the_arena_and_without_it_to_the_unit_of_fuel(arena: Arena) -> None:
    bots = sample("random"), sample("marginal")
    inside, outside = played(*bots, arena=arena), played(*bots)
    assert inside == outside
    assert inside[0].result.verdicts == ["ok", "ok"]
    assert all(answer.ms > 0 for answer in inside[0].answers)


def test_fuel_is_the_same_in_five_plays(arena: Arena) -> None:
    spent = {tuple(played(sample("random"), sample("blend"), arena=arena)[1]) for _ in range(5)}
    assert len(spent) == 1


THIRD = 5  # the index of seat 0's third answer, for seat 1 begins
# What a bot does at its third answer, the verdict on it, and something that its owner is told.
HOSTILE = {
    "an infinite loop": ("while True: pass", "timed out", "0.05 s"),
    "a regular expression that explodes": ("re.match('(a+)+$', 'a' * 40 + 'b')", "timed out", "0.05 s"),
    "a giant number": ("7 ** 10 ** 8", "timed out", "0.05 s"),
    "copying memory about": ("a = bytearray(1 << 24)\n        while True: bytes(a)", "timed out", "0.05 s"),
    "a memory bomb": ("a = []\n        while True: a.append(bytearray(1 << 20))", "out of memory", "MemoryError"),
    "deep recursion": ("f = lambda: f()\n        f()", "crashed", "RecursionError"),
    "recursion below Python": ("import json; json.loads('[' * 10 ** 5)", "crashed", "call stack exhausted"),
    "a crash": ("raise RuntimeError('no fuel')", "crashed", "RuntimeError: no fuel"),
    "an exit": ("sys.exit(3)", "crashed", "exit code 3"),
    "a flood": ("while True: os.write(out, b'x' * 65536)", "output limit", "bytes in one match"),
    "a long line": ("os.write(out, b'x' * (1 << 17))", "output limit", "65,536 bytes"),
    "two answers": ("os.write(out, b'{}\\n')", "bad protocol", "more than one line"),
    "silence": ("sys.stdin.readline()", "bad protocol", "nothing"),
    "a system call": ("import posix; posix.write(1, b'x')", "crashed", "not possible here"),
}


@pytest.mark.parametrize(
    "case",
    HOSTILE,
)
def test_whatever_a_bot_does_gets_the_same_verdict_at_the_same_answer_for_the_same_fuel(case: str) -> None:
    line, verdict, reason = HOSTILE[case]
    first = faults_of(late(line))
    assert first == faults_of(late(line))
    fault = first[0][0]
    assert (fault.verdict, fault.answer) == (verdict, THIRD)
    assert reason in fault.detail


def test_what_goes_wrong_at_the_start_is_told() -> None:
    for source, verdict, reason in (
        ("def choose(:\n", "crashed", "SyntaxError"),
        ("while True: pass\n", "timed out", "0.5 s"),
        ("import numpy\n", "crashed", "No module named 'numpy'"),
        ("def choose(view, question): ...\n", "crashed", "is play(choose) missing"),
        ("print('{}', end='')\nraise SystemExit(3)\n", "crashed", "2 bytes came without a line end"),
        ("print('hello')\ninput()\ninput()\n", "bad protocol", "hello"),
    ):
        (fault,), _ = faults_of(source)
        assert (fault.answer, fault.verdict) == (-1, verdict)
        assert reason in fault.detail


def test_the_bank_is_for_the_whole_match() -> None:
    (fault,), _ = faults_of("import time\n" + HONEST.replace("question:", "question: time.sleep(0.04) or"))
    assert (fault.verdict, fault.detail.partition("\n")[0]) == ("timed out", "used up its time for the whole match")
    assert fault.answer == 9 * 2  # after nine answers of more than 40 of 400 ms


LOOKS = """
import os, random, sys, threading, time, uuid
from bots.sdk import left_ms, play
def look(what):
    try: return repr(eval(what))
    except Exception as error: return type(error).__name__
def choose(view, question):
    for what in WHAT: print(what, '->', look(what), file=sys.stderr)
    sys.exit()
"""
UNSEEN = {
    "open('/etc/passwd')": "FileNotFoundError",
    "open('here', 'w')": "PermissionError",
    "os.listdir('/')": "FileNotFoundError",
    "dict(os.environ)": "{}",
    "__import__('socket')": "ModuleNotFoundError",
    "__import__('ctypes')": "ModuleNotFoundError",
    "__import__('subprocess')": "ModuleNotFoundError",
    "os.fork()": "AttributeError",
    "threading.Thread(target=print).start()": "RuntimeError",
    "time.strftime('%Y')": "'2000'",
    "time.process_time() < 0.1": "True",
    "time.monotonic() < 0.1": "True",
    "0 < left_ms() <= 400": "True",
}
ALIKE = ("time.time_ns()", "random.random()", "os.urandom(8)", "uuid.uuid4()", "id(look)", "hash('a')", "os.getpid()")


def test_there_are_no_files_sockets_environment_threads_and_no_time_but_what_fuel_tells() -> None:
    looks = program(f"WHAT = {[*UNSEEN, *ALIKE]}\n{LOOKS}play(choose)\n")
    seen = played(looks, program(HONEST))[2][0]
    outcomes = dict(line.split(" -> ") for line in seen.splitlines() if " -> " in line)
    assert {what: outcomes[what] for what in UNSEEN} == UNSEEN
    assert set(outcomes) == {*UNSEEN, *ALIKE}
    assert not [what for what in ALIKE if outcomes[what].endswith("Error")]
    assert played(looks, program(HONEST))[2][0] == seen


def test_a_bot_of_several_files_imports_and_reads_its_own() -> None:
    files = {
        "bot.py": b"from mind.thought import choose\nfrom bots.sdk import play\nplay(choose)\n",
        "mind/__init__.py": b"",
        "mind/thought.py": b"import json\nfrom pathlib import Path\n"
        b"data = json.loads((Path(__file__).parent / 'data.json').read_text())\n"
        b"def choose(view, question):\n    return data['ok'] and question.default()\n",
        "mind/data.json": b'{"ok": true}',
    }
    assert not played(Program(files, "bot.py"), program(HONEST))[0].faults


def test_words_after_the_end_are_kept_for_the_owner() -> None:
    source = (
        "import sys\nfrom bots.sdk import play\nend = play(lambda v, q: q.default())\nprint(end.places, 'it was')\n"
    )
    assert "it was" in played(program(source), program(HONEST), clock=Clock())[2][0]
