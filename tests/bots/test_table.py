"""What becomes of bots that misbehave: real processes, small limits, one verdict each."""

import os
import select
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from bots.autopsy import autopsy
from bots.process import Exit, Local, cpu_clock_of
from bots.protocol import Clock, Output
from bots.seated_bot import LEAVE_S
from bots.stolen_time import Kept, measure_delays
from bots.table import USUAL, ProcessTable, waiting_s
from engine.games.zaibatsu import ZAIBATSU, Options
from engine.referee import PlatformFault, Played, Prompt, Reply, Verdict, run_match

OPTIONS = Options(players=2, first=0)
QUICK = Clock(answer_ms=200, bank_ms=1_000, start_ms=2_000)
GREETED = """\
    import json, os, signal, sys, time
    def read(): return json.loads(sys.stdin.readline())
    def write(text): sys.stdout.write(text); sys.stdout.flush()
    def say(value): write(json.dumps(value) + "\\n")
    hello = read()
    say({"t": "ready"})
"""
NO_END = "came without a line end; flush after each line. They are: "
AT_THE_END = "came only when its input ended; flush after each line. They are: "
NOBODY = 1 << 24  # beyond the largest number of a process
DEFAULT = {"t": "place", "card": "?", "pile": 1}

Sit = Callable[..., ProcessTable]


def match_of(table: ProcessTable) -> Prompt:
    """The first prompt of a match."""
    match = ZAIBATSU.start(OPTIONS, "seed")
    (seat,) = match.questions
    assert seat == 0
    return Prompt(match.questions[0], ZAIBATSU.see(match.at, 0), [])


@pytest.fixture
def sit(tmp_path: Path) -> Sit:
    """A table with one bot that runs the given lines."""

    def seat(lines: str, clock: Clock = QUICK, output: Output = USUAL, **limits: int) -> ProcessTable:
        (tmp_path / "bot.py").write_text(textwrap.dedent(lines))
        return ProcessTable([Local(tmp_path, "bot.py")], ZAIBATSU, OPTIONS, clock, output, limits)

    return seat


def reply_to(sit: Sit, lines: str, times: int = 1) -> Reply:
    """The reply to the last of some questions, to a bot that gets ready as it should."""
    with sit(GREETED + lines) as table:
        assert table.start() == {}
        replies = [table.ask({0: match_of(table)})[0] for _ in range(times)]
        return replies[-1]


def test_the_memory_of_a_bot_is_its_own_and_not_that_of_who_started_it(sit: Sit) -> None:
    ballast = b"x" * (150 << 20)
    with sit(GREETED + "    sys.stdin.read()\n") as table:
        assert table.start() == {}
        table.end([1, 2], [1, 0])
        assert 0 < table.memory_mb(0) < len(ballast) >> 20
    with sit("    there = b'x' * (200 << 20)\n" + GREETED + "    sys.stdin.read()\n") as table:
        assert table.start() == {}
    assert table.memory_mb(0) > len(ballast) >> 20


def test_an_answer_comes_with_its_cpu_time(sit: Sit) -> None:
    reply = reply_to(sit, "    read(); sum(range(2_000_000)); say({'action': {'t': 'call', 'pile': 2}})\n    read()")
    assert reply.verdict is Verdict.OK
    assert reply.action == {"t": "call", "pile": 2}
    assert 5 < reply.ms < 200


def test_the_greeting_tells_all_a_bot_needs(sit: Sit) -> None:
    lines = "    print(hello, file=sys.stderr)\n    read(); say({'action': {}}); read()"
    with sit(GREETED + lines) as table:
        table.start()
        table.ask({0: match_of(table)})
        hello = table.stderr(0)
    for part in ("'protocol': 1", "'game': 'zaibatsu'", "'seat': 0", "'seats': 1", "'players': 2", "'answer_ms': 200"):
        assert part in hello


# --- at the start ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "verdict", "words"),
    [
        ("print('Hello, I am a bot')\ninput()", Verdict.BAD_PROTOCOL, "Hello, I am a bot"),
        ("print('{}')\ninput()", Verdict.BAD_PROTOCOL, "ready"),
        ('print(\'{"t": "ready"}\\nand more\')\ninput()', Verdict.BAD_PROTOCOL, "more than one line"),
        ("while True: pass", Verdict.TIMED_OUT, "CPU time"),
        ("def f(:", Verdict.CRASHED, "SyntaxError"),
        ("import no_such_module", Verdict.CRASHED, "No module named 'no_such_module'"),
        ("import os; os._exit(3)", Verdict.CRASHED, "exit code 3"),
        ("", Verdict.CRASHED, "exit code 0"),
        ("def choose(view, question): ...", Verdict.CRASHED, "is play(choose) missing"),
        ("if __name__ == 'main': play(choose)", Verdict.CRASHED, "is play(choose) missing"),
        (
            "import sys; sys.stderr.write('loaded')",
            Verdict.CRASHED,
            "exit code 0: loaded; it ended before it was ready",
        ),
        ("print('{\"t\":\"ready\"}', end='')", Verdict.CRASHED, "13 bytes came without a line end; flush"),
        ("print(end='{}', flush=True)\nwhile True: pass", Verdict.TIMED_OUT, "2 bytes came without a line end"),
    ],
)
def test_a_bot_that_does_not_get_ready_is_told_why(sit: Sit, lines: str, verdict: Verdict, words: str) -> None:
    with sit(lines, Clock(start_ms=300)) as table:
        (reply,) = table.start().values()
    assert reply.verdict is verdict
    assert words in reply.detail


# --- at a question -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "verdict", "words"),
    [
        ("while True: pass", Verdict.TIMED_OUT, "0.2 s are allowed"),
        ("write('no JSON\\n'); read()", Verdict.BAD_PROTOCOL, "not JSON"),
        ("write('[1]\\n'); read()", Verdict.BAD_PROTOCOL, "must be an object"),
        ("write('NaN\\n'); read()", Verdict.BAD_PROTOCOL, "NaN"),
        ("say({'action': {}, 'extra': 1}); read()", Verdict.BAD_PROTOCOL, "unknown 'extra'"),
        ("say({'action': 7}); read()", Verdict.BAD_PROTOCOL, "answer.action must be an object"),
        ("say({'action': {}, 'talk': 'hi'}); read()", Verdict.BAD_PROTOCOL, "has unknown 'talk'"),
        ('write(\'{"action": {}}\\n{"action": {}}\\n\'); read()', Verdict.BAD_PROTOCOL, "more than one line"),
        ("write('[' * 60000 + '\\n'); read()", Verdict.BAD_PROTOCOL, "not JSON"),
        ("write('9' * 60000 + '\\n'); read()", Verdict.BAD_PROTOCOL, "not JSON"),
        ("os.write(1, b'\\xff\\n'); read()", Verdict.BAD_PROTOCOL, "UTF-8"),
        ("write('x' * 70000 + '\\n'); read()", Verdict.OUTPUT_LIMIT, "65,536"),
        ("while True: os.write(1, b'x' * 4096)", Verdict.OUTPUT_LIMIT, "65,536"),
        ("while True: os.write(2, b'x' * 65536)", Verdict.OUTPUT_LIMIT, "4,194,304"),
        ("os.write(1, b'{\"action\"'); os._exit(0)", Verdict.CRASHED, "exit code 0"),
        ("sys.exit('my own words')", Verdict.CRASHED, "my own words"),
        ("1 / 0", Verdict.CRASHED, "ZeroDivisionError"),
        ("raise MemoryError", Verdict.OUT_OF_MEMORY, "out of memory"),
        ("os._exit(137)", Verdict.OUT_OF_MEMORY, "out of memory"),
        ("os.kill(os.getpid(), signal.SIGKILL)", Verdict.OUT_OF_MEMORY, "signal 9"),
        ("os.kill(os.getpid(), signal.SIGSYS)", Verdict.SECURITY, "SIGSYS"),
        ("os.kill(os.getpid(), signal.SIGXCPU)", Verdict.TIMED_OUT, "SIGXCPU"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", Verdict.CRASHED, "signal 11"),
        ("os.close(1); time.sleep(60)", Verdict.CRASHED, "closed its standard output"),
    ],
)
def test_each_way_to_fail_has_its_verdict(sit: Sit, lines: str, verdict: Verdict, words: str) -> None:
    reply = reply_to(sit, f"    read()\n    {lines}")
    assert (reply.verdict, words in reply.detail) == (verdict, True), reply


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        ("say({'action': {}}); read()", Verdict.BAD_PROTOCOL),  # waits for what it believes to be the next question
        ("read()", Verdict.TIMED_OUT),  # believes to have answered
        ("while True: pass", Verdict.TIMED_OUT),
        ("1 / 0", Verdict.CRASHED),
        ("write('x' * 70000)", Verdict.OUTPUT_LIMIT),
        ("os.close(1); read()", Verdict.CRASHED),
    ],
)
def test_what_it_wrote_before_it_was_asked_is_named_whatever_comes_then(
    sit: Sit, monkeypatch: pytest.MonkeyPatch, lines: str, verdict: Verdict
) -> None:
    monkeypatch.setattr("bots.table.guard_s", lambda limit: limit)  # sleepers are ended soon
    early = "    signal.signal(signal.SIGUSR1, lambda *_: os.write(1, b'too early\\n'))\n"
    early += "    read(); say({'action': {}}); read()\n"
    with sit(f"{GREETED}{early}    {lines}") as table:
        assert table.start() == {}
        assert table.ask({0: match_of(table)})[0].verdict is Verdict.OK
        process = table.bots[0].process
        os.kill(process.pid, signal.SIGUSR1)
        assert select.select([process.stdout], [], [], 20)[0]
        reply = table.ask({0: match_of(table)})[0]
    assert (reply.verdict, "'too early\\n' before it was asked" in reply.detail) == (verdict, True), reply


def test_a_bot_that_closes_its_input_is_gone(sit: Sit) -> None:
    lines = "    read(); say({'action': {}}); os.close(0); os.write(2, b'closed')\n    while True: time.sleep(1)"
    with sit(GREETED + lines) as table:
        assert table.start() == {}
        first = table.ask({0: match_of(table)})[0]
        while "closed" not in table.stderr(0):
            table._loop.turn(100)
        second = table.ask({0: match_of(table)})[0]
    assert first.verdict is Verdict.OK
    assert second.verdict is Verdict.CRASHED
    assert "closed its standard input" in second.detail


def test_a_print_between_questions_costs_one_answer_only(sit: Sit) -> None:
    lines = "    for n in range(3):\n        number = read()['number']; say({'action': {'n': number}})\n"
    lines += "        if n == 0: say('debug'); os.write(2, b'said')\n    read()"
    with sit(GREETED + lines) as table:
        assert table.start() == {}
        replies = [table.ask({0: match_of(table)})[0]]
        while "said" not in table.stderr(0):
            table._loop.turn(100)
        replies += [table.ask({0: match_of(table)})[0] for _ in range(2)]
    (noisy,) = (reply for reply in replies if reply.verdict is not Verdict.OK)
    assert noisy.verdict is Verdict.BAD_PROTOCOL
    assert "debug" in noisy.detail
    assert replies[2].action == {"n": 3}


@pytest.mark.parametrize("pipe", [1, 2])
def test_a_flood_out_of_turn_is_read_no_further_than_the_limit(sit: Sit, pipe: int) -> None:
    lines = f"    read(); say({{'action': {{}}}})\n    while True: os.write({pipe}, b'x' * 65536)"
    with sit(GREETED + lines, Clock(), Output(output_kb=256)) as table:
        assert table.start() == {}
        table.ask({0: match_of(table)})
        wire = table.bots[0].wire
        while not wire.flooded:
            table._loop.turn(100)
        for _ in range(50):
            table._loop.turn(2)
        assert wire.total <= (256 << 10) + 65536
        assert table.ask({0: match_of(table)})[0].verdict is Verdict.OUTPUT_LIMIT


def test_a_bot_that_ends_at_once_by_a_fault_of_its_own_is_not_asked_for_play(sit: Sit) -> None:
    with sit("raise SystemExit(1)") as table:
        (reply,) = table.start().values()
    assert "play(choose)" not in reply.detail
    assert "play(choose)" not in reply_to(sit, "    read(); sys.exit(0)").detail


READY = '{"t":"ready"}'
BUFFERED = "sys.stdout = open(1, 'w', closefd=False)"
WAITS = "while True: sys.stdin.read()"


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (f"sys.stdout.write('{READY}'); sys.stdout.flush()\n{WAITS}", f"13 bytes {NO_END}'{READY}'"),
        (f"os.write(1, b'{{')\n{WAITS}", "1 byte came without a line end; flush after each line. It is: '{'"),
        (f"os.write(1, b'\\xff\\r')\n{WAITS}", f"2 bytes {NO_END}"),
        (f"sys.stdout.write('{READY}\\n')\nsys.stdin.read()", f"14 bytes {AT_THE_END}"),
        (f"sys.stdout.write('{READY}')\nfor line in sys.stdin: pass", f"13 bytes {AT_THE_END}"),
        (f"print('{READY}')\nsys.stdin.readlines()", f"14 bytes {AT_THE_END}"),
        (f"print('{READY}', file=open('/dev/fd/1', 'w'))\n{WAITS}", ""),
        ("time.sleep(60)", "used 0."),
    ],
)
def test_what_was_written_and_never_ended_or_flushed_is_named_after_the_time_out(
    sit: Sit, monkeypatch: pytest.MonkeyPatch, lines: str, words: str
) -> None:
    monkeypatch.setattr("bots.table.guard_s", lambda _: 0.4)
    with sit(f"import os, sys, time\n{BUFFERED}\n{lines}") as table:
        replies = table.start()
    if not words:  # it was flushed
        assert replies == {}
        return
    assert replies[0].verdict is Verdict.TIMED_OUT
    assert words in replies[0].detail
    assert (" came " in replies[0].detail) == (" came " in words)


def test_an_answer_that_was_never_flushed_is_named_too(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.table.guard_s", lambda _: 0.4)
    reply = reply_to(sit, f"    read(); {BUFFERED}; sys.stdout.write('{{\"action\":{{}}}}\\n'); sys.stdin.read()")
    assert (reply.verdict, f"14 bytes {AT_THE_END}" in reply.detail) == (Verdict.TIMED_OUT, True), reply


def test_a_bot_that_sleeps_is_timed_out_by_the_fair_wall(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.table.guard_s", lambda _: 0.4)
    reply = reply_to(sit, "    read(); os.write(1, b'{'); time.sleep(60)")
    assert reply.verdict is Verdict.TIMED_OUT
    assert "gave no answer for 0." in reply.detail
    assert " s of CPU time; 0.4 s are allowed" in reply.detail
    assert "not one byte came" not in reply.detail


def test_a_bot_that_keeps_its_answer_to_itself_is_told_to_flush(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.table.guard_s", lambda _: 0.4)
    reply = reply_to(sit, f"    read(); {BUFFERED}; sys.stdout.write('hello'); time.sleep(60)")
    assert reply.verdict is Verdict.TIMED_OUT
    assert "; not one byte came: end each line, and flush it" in reply.detail


def test_sleeps_of_a_match_add_up_from_the_first_millisecond(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.table.waiting_s", lambda _: 0.6)
    lines = "    while read(): time.sleep(0.085); say({'action': {}})"
    with sit(GREETED + lines) as table:
        assert table.start() == {}
        replies = [table.ask({0: match_of(table)})[0]]
        while replies[-1].verdict is Verdict.OK and len(replies) < 20:
            replies.append(table.ask({0: match_of(table)})[0])
    assert 3 < len(replies) < 20
    assert replies[-1].verdict is Verdict.TIMED_OUT
    assert "of this match without computing, 0.1 s at each of its answers; 0.6 s are allowed" in replies[-1].detail


def test_what_was_slept_before_it_was_ready_counts_too(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.table.waiting_s", lambda _: 2.0)
    lines = "    while read(): time.sleep(0.3); say({'action': {}})"
    with sit("    import time; time.sleep(1.8)\n" + GREETED + lines) as table:
        assert table.start() == {}
        replies = [table.ask({0: match_of(table)})[0]]
        while replies[-1].verdict is Verdict.OK and len(replies) < 6:  # seven such answers fit without the start
            replies.append(table.ask({0: match_of(table)})[0])
    assert replies[-1].verdict is Verdict.TIMED_OUT
    assert "s of them until it was ready; 2 s are allowed in all" in replies[-1].detail


def test_what_a_bot_took_to_answer_is_its_own_and_has_its_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.table.waiting_s", lambda _: 2.0)
    lines = "    while read(): time.sleep([0.5, 0, 60][hello['seat']]); say({'action': {}})"
    (tmp_path / "bot.py").write_text(textwrap.dedent(GREETED + lines))
    with ProcessTable([Local(tmp_path, "bot.py") for _ in range(3)], ZAIBATSU, OPTIONS, QUICK) as table:
        assert table.start() == {}
        table.ask(dict.fromkeys(range(3), match_of(table)))
    sleeps, quick, hangs = (table.took_s(seat) for seat in range(3))
    assert 2 * quick < sleeps < hangs  # each without the time in which others had the core


def test_a_bot_that_waits_nearly_all_its_time_at_one_answer_is_told_so(
    sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.table.waiting_s", lambda _: 1.0)
    lines = "    while read(): time.sleep(0.85); say({'action': {}})"
    with sit(GREETED + lines) as table:
        assert table.start() == {}
        replies = [table.ask({0: match_of(table)})[0] for _ in range(2)]
    assert "without computing, 0.8 s at each of its answers; 1 s are allowed" in replies[1].detail.replace("0.9", "0.8")


def test_a_bot_that_computes_all_the_time_may_take_as_long_as_its_clock_says(
    sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.table.waiting_s", lambda _: 0.3)
    lines = "    while read():\n        end = time.process_time() + 0.15\n"
    lines += "        while time.process_time() < end: pass\n        say({'action': {}})"
    assert reply_to(sit, lines, times=5).verdict is Verdict.OK


@pytest.mark.parametrize("kept_s", ["stolen_s", "starved_s", "delayed_s"])
def test_what_the_machine_kept_is_no_waiting_of_a_bot(sit: Sit, monkeypatch: pytest.MonkeyPatch, kept_s: str) -> None:
    monkeypatch.setattr("bots.table.waiting_s", lambda _: 0.3)
    monkeypatch.setattr("bots.table.measure_delays", lambda: Kept(**{kept_s: time.monotonic()}))
    assert reply_to(sit, "    while read(): time.sleep(0.2); say({'action': {}})", times=3).verdict is Verdict.OK


def test_time_for_which_we_stood_still_is_no_waiting_of_a_bot(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.table.waiting_s", lambda _: 0.3)
    with sit(GREETED + "    while read(): time.sleep(0.2); say({'action': {}})") as table:
        assert table.start() == {}
        table._loop.stalls_s = 60.0
        assert [table.ask({0: match_of(table)})[0].verdict for _ in range(3)] == [Verdict.OK] * 3


@pytest.mark.parametrize(("seats", "most_s"), [(1, 10), (3, 10), (4, 7.5), (5, 6), (8, 5)])
def test_the_bots_of_a_match_share_what_it_may_wait(seats: int, most_s: float) -> None:
    assert waiting_s(seats) == most_s


def test_a_stall_of_the_host_is_nobodys_fault(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.table.guard_s", lambda _: 0.4)
    monkeypatch.setattr("bots.poll_loop.STALL_S", -1.0)  # every turn of the loop counts as late
    with pytest.raises(PlatformFault, match="stood still"):
        reply_to(sit, "    read(); time.sleep(60)")


LOOPS = "    read()\n    while True: pass"


def stolen(monkeypatch: pytest.MonkeyPatch, share: float) -> None:
    """A hypervisor that takes so much of each second."""
    monkeypatch.setattr("bots.poll_loop.measure_delays", lambda: Kept(stolen_s=time.monotonic() * share))


def test_a_bot_that_is_slow_by_what_was_stolen_from_the_machine_may_go_on(
    sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    stolen(monkeypatch, 1.0)
    lines = "    read(); end = time.process_time() + 0.26\n    while time.process_time() < end: pass\n"
    lines += "    say({'action': {}})"
    assert reply_to(sit, lines).verdict is Verdict.OK


def test_a_bot_that_loops_is_timed_out_though_some_time_was_stolen(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    stolen(monkeypatch, 0.05)  # much less than the bot's own share of a busy machine
    assert reply_to(sit, LOOPS).verdict is Verdict.TIMED_OUT


def test_a_machine_from_which_nearly_all_is_stolen_voids_the_match(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    stolen(monkeypatch, 10.0)
    with pytest.raises(PlatformFault, match="s from all while"):
        reply_to(sit, LOOPS)


def test_what_the_machine_keeps_is_read_or_nothing() -> None:
    delays = measure_delays()
    assert delays.stolen_s >= 0
    assert delays.since(delays) == Kept(0.0, 0.0)


def test_the_increment_is_put_back_for_each_answer(sit: Sit) -> None:
    with sit(GREETED + "    while read(): say({'action': {}})", Clock(200, 1_000, 2_000, 300)) as table:
        table.start()
        for _ in range(3):
            table.ask({0: match_of(table)})
        assert 1.5 < table.bots[0].meter.bank_s <= 1.9


def test_the_bank_runs_out_over_many_answers_each_within_its_limit(sit: Sit) -> None:
    lines = "    def burn():\n        while time.process_time() < end: pass\n"
    lines += "    while read():\n        end = time.process_time() + 0.15; burn(); say({'action': {}})"
    assert reply_to(sit, lines, times=6).verdict is Verdict.OK
    last = reply_to(sit, lines, times=7)
    assert last.verdict is Verdict.TIMED_OUT
    assert "whole match" in last.detail


def test_thinking_out_of_turn_is_paid_from_the_bank(sit: Sit) -> None:
    lines = "    read(); say({'action': {}})\n    while time.process_time() < 0.6: pass\n    os.write(2, b'pondered')\n"
    lines += "    left = read()['left_ms']; say({'action': {'left': left}}); read()"
    with sit(GREETED + lines) as table:
        assert table.start() == {}
        table.ask({0: match_of(table)})
        while "pondered" not in table.stderr(0):
            table._loop.turn(100)
        reply = table.ask({0: match_of(table)})[0]
    assert isinstance(reply.action, dict)
    assert 300 < reply.action["left"] < 700


def test_stderr_is_drained_and_its_end_kept_with_a_mark_where_it_is_cut(sit: Sit) -> None:
    lines = "    read()\n    os.write(2, b'first\\n' + b'x' * 300_000 + b'\\nlast\\0\\n'); say({'action': {}}); read()"
    for kept_kb in (1, 8, 64):
        with sit(GREETED + lines, output=Output(stderr_kb=kept_kb)) as table:
            table.start()
            assert table.ask({0: match_of(table)})[0].verdict is Verdict.OK
            table.close()
            mark, *_, last = table.stderr(0).splitlines()
        assert last == "last\N{REPLACEMENT CHARACTER}"
        assert mark == f"[{300_013 - kept_kb * 1024:,} bytes before this are cut]"


def test_stderr_that_is_kept_whole_has_no_mark(sit: Sit) -> None:
    lines = "    read(); os.write(2, b'x' * 1024); say({'action': {}}); read()"
    with sit(GREETED + lines, output=Output(stderr_kb=1)) as table:
        table.start()
        table.ask({0: match_of(table)})
        table.close()
        assert table.stderr(0) == "x" * 1024


def test_a_table_holds_bots_to_its_own_limits_of_output(sit: Sit) -> None:
    small = Output(line_kb=1, output_kb=16)
    fits = "    while read(): write(json.dumps({'action': {'x': 'x' * 1000}}) + '\\n')"
    with sit(GREETED + fits, output=small) as table:
        table.start()
        verdicts = [table.ask({0: match_of(table)})[0] for _ in range(17)]
    assert [reply.verdict for reply in verdicts] == [Verdict.OK] * 16 + [Verdict.OUTPUT_LIMIT]
    assert "16,384 bytes in one match" in verdicts[-1].detail
    with sit(GREETED + fits.replace("1000", "1020"), output=small) as table:
        table.start()
        assert "a line of more than 1,024 bytes" in table.ask({0: match_of(table)})[0].detail


def test_a_bot_is_told_the_limits_it_plays_under(sit: Sit) -> None:
    tells = "    read(); say({'action': hello['limits']}); read()"
    for limits in ({}, {"memory_mb": 64, "threads": 1}):
        with sit(GREETED + tells, output=Output(line_kb=1), **limits) as table:
            table.start()
            assert table.ask({0: match_of(table)})[0].action == {**limits, "line_kb": 1, "output_kb": 4096}


def test_all_asked_at_once_answer_side_by_side(tmp_path: Path) -> None:
    lines = "    read(); time.sleep(0.3 if hello['seat'] else 0); say({'action': {'seat': hello['seat']}}); read()"
    (tmp_path / "bot.py").write_text(textwrap.dedent(GREETED + lines))
    with ProcessTable([Local(tmp_path, "bot.py") for _ in range(3)], ZAIBATSU, OPTIONS, QUICK) as table:
        assert table.start() == {}
        replies = table.ask(dict.fromkeys(range(3), match_of(table)))
    assert {seat: reply.action for seat, reply in replies.items()} == {seat: {"seat": seat} for seat in range(3)}


def test_no_process_is_left_behind(sit: Sit) -> None:
    with sit(GREETED + "    while True: time.sleep(1)") as table:
        table.start()
        pid = table.bots[0].process.pid
    end = table.bots[0].exit
    assert end
    assert end.signal == signal.SIGKILL
    assert not Path(f"/proc/{pid}").exists()


def test_a_bot_is_told_the_end_and_may_leave_by_itself(sit: Sit) -> None:
    with sit(GREETED + "    assert read()['places'] == [1]; assert sys.stdin.read() == ''; sys.exit(7)") as table:
        table.start()
        table.end([1], [42])
    assert table.bots[0].exit
    assert table.bots[0].exit.code == 7


@pytest.fixture
def busy_core() -> Iterator[int]:
    """A core on which eight others compute without end."""
    core = min(os.sched_getaffinity(0))
    with ExitStack() as at_the_end:
        for _ in range(8):
            other = subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
            at_the_end.callback(other.wait)
            at_the_end.callback(other.kill)
            os.sched_setaffinity(other.pid, {core})
        yield core


def test_a_bot_that_has_no_core_has_longer_to_leave(sit: Sit, busy_core: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.seated_bot.LEAVE_MOST", 300)
    lines = f"    os.sched_setaffinity(0, {{{busy_core}}}); read(); end = time.process_time() + {LEAVE_S / 3}\n"
    with sit(GREETED + lines + "    while time.process_time() < end: pass\n    sys.exit(7)") as table:
        table.start()
        began = time.monotonic()
        table.end([1], [42])
    assert time.monotonic() - began > LEAVE_S
    assert table.bots[0].exit
    assert table.bots[0].exit.code == 7


@pytest.mark.parametrize(("leave_s", "code"), [(LEAVE_S, None), (5 * LEAVE_S, 7)])
def test_a_bot_computes_to_leave_for_as_long_as_it_may(sit: Sit, leave_s: float, code: int | None) -> None:
    lines = f"    read(); end = time.process_time() + {2 * LEAVE_S}\n    while time.process_time() < end: pass\n"
    with sit(f"{GREETED}{lines}    sys.exit(7)") as table:
        table.start()
        table.end([1], [42], leave_s)
    assert table.bots[0].exit
    assert table.bots[0].exit.code == code


@pytest.mark.parametrize("stays", ["time.sleep(1)", "pass", "threading.Thread(target=time.sleep, args=[0.01]).start()"])
def test_a_bot_that_stays_gets_no_more_time_for_it(sit: Sit, monkeypatch: pytest.MonkeyPatch, stays: str) -> None:
    monkeypatch.setattr("bots.seated_bot.LEAVE_MOST", 3000)
    with sit(f"{GREETED}    import threading\n    while True: {stays}") as table:
        table.start()
        table.end([1], [42])
    assert table.bots[0].exit
    assert table.bots[0].exit.signal == signal.SIGKILL


def test_an_unreadable_clock_is_the_platforms_fault(monkeypatch: pytest.MonkeyPatch, sit: Sit) -> None:
    with sit(GREETED + "    time.sleep(60)") as table:
        table.start()
        monkeypatch.setattr(table.bots[0].process, "_clock", cpu_clock_of(NOBODY))
        with pytest.raises(PlatformFault, match="cannot be read"):
            table.ask({0: match_of(table)})


# --- whole matches -----------------------------------------------------------------------------------------------


def match_with(tmp_path: Path, lines: str) -> Played:
    """A match of the given bot, at seat 0, against the bot that always answers the default."""
    (tmp_path / "bad.py").write_text(textwrap.dedent(GREETED + lines))
    (tmp_path / "good.py").write_text("from bots.sdk import play\nplay(lambda view, question: question.default())\n")
    with ProcessTable([Local(tmp_path, "bad.py"), Local(tmp_path, "good.py")], ZAIBATSU, OPTIONS, QUICK) as table:
        absent = table.start()
        return run_match(ZAIBATSU, OPTIONS, "seed", table, absent=absent)


class Lost(Local):
    """A process whose sandbox was lost with it: nobody can tell how it ended."""

    def wait(self) -> Exit:
        if self._child.returncode is None:
            super().wait()
        raise PlatformFault("its sandbox died")


def test_a_bot_whose_sandbox_is_lost_is_told_so_and_its_pipes_are_closed_once(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(textwrap.dedent(GREETED))
    table = ProcessTable([Lost(tmp_path, "bot.py")], ZAIBATSU, OPTIONS, QUICK)
    table.start()
    with pytest.raises(PlatformFault, match="its sandbox died"), table:
        table.ask({0: match_of(table)})


def test_three_illegal_answers_forfeit_and_the_match_goes_on_to_its_end(tmp_path: Path) -> None:
    played = match_with(tmp_path, "    while read(): say({'action': {'t': 'place', 'card': 'X99', 'pile': 1}})")
    assert [fault.verdict for fault in played.faults] == ["illegal answer"] * 3
    assert played.result.forfeits == [True, False]
    assert played.result.places == [2, 1]
    assert "X99" in str(played.faults[0].given)


@pytest.mark.parametrize("card", ["[" * 900 + "]" * 900, "9" * 4000, "1e999", '"\\ud800"', '"\\u0000"', "true", "{}"])
def test_a_monstrous_action_is_an_illegal_answer_like_any_other(tmp_path: Path, card: str) -> None:
    (tmp_path / "line").write_text(f'{{"action": {{"t": "place", "card": {card}, "pile": 1}}}}\n')
    played = match_with(tmp_path, "    line = open('line').read()\n    while read(): write(line)")
    assert [fault.verdict for fault in played.faults] == ["illegal answer"] * 3
    assert all(len(str(fault.given)) < 500 for fault in played.faults)


def test_a_bot_that_never_starts_forfeits_and_the_other_plays_on(tmp_path: Path) -> None:
    played = match_with(tmp_path, "    sys.exit(1)")
    assert played.result.verdicts == ["crashed", "ok"]
    assert played.result.forfeits == [True, False]
    assert all(answer.fault == "" for answer in played.answers if answer.seat == 1)


def test_an_exit_code_of_zero_is_a_crash_too() -> None:
    assert autopsy(Exit(1, None, 0.0, 0, ran_out=True), "")[0] is Verdict.OUT_OF_MEMORY
    assert autopsy(Exit(0, None, 0.0, 0), "")[0] is Verdict.CRASHED
