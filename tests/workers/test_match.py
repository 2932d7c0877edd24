"""One match in the real sandbox: it has a result whatever the bots do, and a reason if the platform fails."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from bots.protocol import Clock
from engine import replay
from engine.sentences import as_data
from tests.workers.hall import HONEST, Site, an_order, children, until
from workers.match import Kit, report_match
from workers.orders import Competitor, Order, Report
from workers.report_sizes import fit_report


def late(line: str) -> str:
    """A bot that plays by the book, until its third answer."""
    return (
        "import os\nfrom bots.sdk import play\nfrom engine.games.zaibatsu import Bid\nout, asked = os.dup(1), 0\n"
        "def choose(view, question):\n    global asked\n    asked += 1\n"
        f"    if asked > 2:\n        {line}\n    return question.default()\nplay(choose)\n"
    )


# A bot, the verdict on it, and something that its owner is told.
AT_THE_START = {
    "a syntax error": ("def choose(:\n", "crashed", "SyntaxError"),
    "a crash": ("raise RuntimeError('no fuel')\n", "crashed", "RuntimeError: no fuel"),
    "an exit": ("raise SystemExit(0)\n", "crashed", "is play(choose) missing"),
    "an endless loop": ("while True: pass\n", "timed out", "of CPU time"),
    "noise": ("print('hello', flush=True)\ninput()\ninput()\n", "bad protocol", "hello"),
}
LATER_ON = {
    "a crash": (late("raise RuntimeError('no fuel')"), "crashed", "RuntimeError: no fuel"),
    "an endless thought": (late("while True: pass"), "timed out", "of CPU time"),
    "hunger for memory": (late("[0] * (1 << 30)"), "out of memory", "MemoryError"),
    "illegal answers": (late("return Bid(-7)"), "illegal answer", ""),
    "noise": (late("os.write(out, b'thinking\\n')"), "bad protocol", "line"),
    "endless output": (late("os.write(out, b'x' * (1 << 20))"), "output limit", "bytes"),
}


def play_first(order: Order, kit: Kit) -> Report:
    return report_match(order, order.matches[0], kit)


def verified(report: Report) -> replay.Replay:
    assert report.outcome == "played", report.reason
    recorded = replay.read_replay(report.replay)
    replay.verify(recorded)
    return recorded


def test_an_honest_match_has_a_replay_that_verifies_and_says_who_played(site: Site, kit: Kit) -> None:
    bots = [site.put(HONEST), site.put(HONEST + "# another\n")]
    order = an_order(bots)
    report = report_match(order, order.matches[1], kit)
    recorded = verified(report)
    assert [player.bundle for player in recorded.players] == [bots[1].bundle, bots[0].bundle]
    assert (recorded.seed, recorded.strikes, recorded.result.verdicts) == (order.seed, order.strikes, ["ok", "ok"])
    assert (report.match, report.lease, report.worker, report.tier) == (2, 1, "tester/1", kit.arena.tier)
    assert report.faults == []
    assert report.stderr == []
    assert report.notes == []
    assert report.seconds > 0
    assert all(ms > 0 for ms in report.cpu_ms)
    assert all(took > 0 for took in report.took_ms)


def test_a_withdrawn_bot_is_not_even_fetched_forfeits_and_the_others_play_on(site: Site, kit: Kit) -> None:
    bots = [site.put(HONEST + f"# {number}\n") for number in range(3)]
    bots[1].withdrawn = "this version was put aside"
    report = play_first(an_order(bots), kit)
    recorded = verified(report)
    assert recorded.result.verdicts == ["ok", "crashed", "ok"]
    assert (recorded.result.forfeits, recorded.result.places[1]) == ([False, True, False], 3)
    assert [player.bundle for player in recorded.players] == [bot.bundle for bot in bots]
    assert not any(bots[1].bundle in path for path, _ in site.requests)
    assert "this version was put aside" in report.stderr[0].text


def test_the_same_order_gives_the_same_answers(site: Site, kit: Kit) -> None:
    marginal = Path("bots/games/zaibatsu/samples/marginal.py").read_text()
    order = an_order([site.put(marginal), site.put(HONEST), site.put(marginal + "# again\n")])
    first, second = (verified(play_first(order, kit)) for _ in range(2))
    assert _without_ms(first) == _without_ms(second)
    assert (first.result, first.position) == (second.result, second.position)


def _without_ms(recorded: replay.Replay) -> list[object]:
    return [[*line[:2], *line[3:]] for line in recorded.answers if isinstance(line, list)]


@pytest.mark.parametrize("case", AT_THE_START)
def test_a_bot_that_does_not_start_forfeits_and_the_others_play(site: Site, kit: Kit, case: str) -> None:
    source, verdict, evidence = AT_THE_START[case]
    report = _play_against_an_honest_one(source, verdict, site, kit)
    assert [(fault.seat, fault.answer) for fault in report.faults] == [(0, -1)]
    assert evidence in report.faults[0].detail
    assert fit_report(report)["faults_data"] == [as_data(report.faults[0].detail)] != [report.faults[0].detail]


@pytest.mark.parametrize("case", LATER_ON)
def test_a_bot_that_fails_later_on_forfeits_and_the_others_play(site: Site, kit: Kit, case: str) -> None:
    source, verdict, evidence = LATER_ON[case]
    report = _play_against_an_honest_one(source, verdict, site, kit)
    assert {fault.seat for fault in report.faults} == {0}
    assert report.faults[0].verdict == verdict
    assert report.faults[0].answer > 0
    assert report.faults[0].asked
    assert evidence in report.faults[0].detail


SLOW = {
    "sleeps at the start": f"import time\ntime.sleep(4)\n{HONEST}",
    "sleeps at its answers": late("import time; time.sleep(4)"),
    "computes at its answers": late("sum(range(6_000_000))"),
    "writes slowly": late("import time\n        for sign in '{\"act': os.write(out, sign.encode()); time.sleep(1)"),
}


@pytest.mark.parametrize("case", SLOW)
def test_a_match_is_given_back_when_the_patience_for_it_is_over_and_nobody_is_at_fault(
    site: Site, kit: Kit, case: str
) -> None:
    report = play_first(an_order([site.put(SLOW[case]), site.put(HONEST)], patience_ms=800), kit)
    assert (report.outcome, report.reason, report.faults) == ("returned", "it was not over after 0.8 s", [])
    assert 0.8 <= report.seconds < 4


def test_a_match_that_ends_within_the_patience_for_it_is_as_any_other(site: Site, kit: Kit) -> None:
    verified(play_first(an_order([site.put(HONEST), site.put(HONEST)], patience_ms=60_000), kit))


def _play_against_an_honest_one(source: str, verdict: str, site: Site, kit: Kit) -> Report:
    report = play_first(an_order([site.put(source), site.put(HONEST)], clock=Clock(300, 20_000, 500)), kit)
    result = verified(report).result
    assert (result.verdicts, result.forfeits, result.places) == ([verdict, "ok"], [True, False], [2, 1])
    return report


def test_a_bot_that_sleeps_is_ended_by_the_wall_clock(site: Site, kit: Kit) -> None:
    sleeper = "import time\nfrom bots.sdk import play\nplay(lambda view, question: time.sleep(600))\n"
    report = play_first(an_order([site.put(sleeper), site.put(HONEST)], clock=Clock(50, 20_000, 500)), kit)
    assert verified(report).result.verdicts == ["timed out", "ok"]
    assert "gave no answer" in report.faults[0].detail


def test_if_all_bots_fail_the_match_still_has_an_end(site: Site, kit: Kit) -> None:
    report = play_first(an_order([site.put("import gone\n"), site.put("import lost\n")]), kit)
    assert verified(report).result.verdicts == ["crashed", "crashed"]


def test_a_bundle_that_cannot_be_read_is_its_bots_fault_with_the_reason(site: Site, kit: Kit) -> None:
    broken = site.put(b"PK\x03\x04 and nothing more", "bot.zip")
    report = play_first(an_order([broken, site.put(HONEST)]), kit)
    assert verified(report).result.verdicts == ["crashed", "ok"]
    assert report.faults[0].answer == -1
    assert "the zip cannot be read" in report.faults[0].detail


def test_the_last_lines_of_stderr_are_for_the_owner(site: Site, kit: Kit) -> None:
    talker = HONEST.replace("play(", "print('I am thinking')\nplay(").replace("import play", "import play; import sys")
    talker = talker.replace("print('I am thinking')", "print('I am thinking', file=sys.stderr)")
    report = play_first(an_order([site.put(HONEST), site.put(talker)]), kit)
    assert verified(report).result.verdicts == ["ok", "ok"]
    assert [(line.seat, line.text) for line in report.stderr] == [(1, "I am thinking")]


def test_notes_are_cut_at_each_question_and_the_replay_is_the_same_without_them(site: Site, kit: Kit) -> None:
    """A flood, binary, a line without an end, HTML: each comes at one question, none in the way of another."""
    says = "b'x' * (1 << 20), b'\\xff\\x00', b'no end', b'<b>&amp;\\n', b'line\\n' * 10_000"
    talker = (
        "import os\nfrom bots.sdk import play\nasked = 0\ndef choose(view, question):\n"
        "    global asked\n    asked += 1\n"
        f"    os.write(2, ({says})[asked - 1] if asked < 6 else b'')\n    return question.default()\nplay(choose)\n"
    )
    quiet = talker.replace("os.write(2, ", "len(")
    talking = play_first(an_order([site.put(HONEST), site.put(talker)]), kit)
    silent = play_first(an_order([site.put(HONEST), site.put(quiet)]), kit)
    assert [line[:2] for line in verified(talking).answers] == [line[:2] for line in verified(silent).answers]  # type: ignore[index]
    mine = [index for index, line in enumerate(verified(talking).answers) if line[0] == 1]  # type: ignore[index]
    assert [(note.seat, note.answer) for note in talking.notes] == [(1, answer) for answer in mine[:5]]
    texts = [note.text for note in talking.notes]
    assert texts[0].startswith("xxx")
    assert len(texts[0]) == 4096
    assert texts[1:4] == ["\ufffd\ufffd", "no end", "<b>&amp;"]
    assert texts[4].startswith("line\nline\n")
    assert silent.notes == []


def test_no_bot_remembers_the_match_before(site: Site, kit: Kit) -> None:
    hoarder = (
        "import os, tempfile\nfrom bots.sdk import play\n"
        "try:\n    note = os.path.join(tempfile.gettempdir(), 'note')\n    assert not os.path.exists(note)\n"
        "    open(note, 'w').write('I was here')\nexcept OSError:\n    pass\n"
        "play(lambda view, question: question.default())\n"
    )
    order = an_order([site.put(hoarder), site.put(hoarder)])
    for match in order.matches:
        assert verified(report_match(order, match, kit)).result.verdicts == ["ok", "ok"]


def test_a_match_leaves_no_process_and_no_open_file(site: Site, kit: Kit) -> None:
    order = an_order([site.put(HONEST), site.put("import nothing_there\n"), site.put("while True: pass\n")])
    order.clock.start_ms = 200
    verified(play_first(order, kit))
    before = children(os.getpid()), len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - no path is wanted
    verified(play_first(order, kit))
    until("the processes to be gone", lambda: children(os.getpid()) == before[0])
    assert len(os.listdir("/proc/self/fd")) == before[1]  # noqa: PTH208


def test_a_bundle_that_cannot_be_fetched_voids_the_match(site: Site, kit: Kit) -> None:
    unknown = Competitor("nobody", 1, "ab" * 32, "bot.py")
    report = play_first(an_order([site.put(HONEST), unknown]), kit)
    assert (report.outcome, report.replay, report.faults) == ("void", b"", [])
    assert "the site answered 404" in report.reason


def test_a_wrong_hash_voids_the_match(site: Site, kit: Kit) -> None:
    forged = site.put("# the right bytes\n")
    site.bundles[forged.bundle] = b"# other bytes\n"
    report = play_first(an_order([site.put(HONEST), forged]), kit)
    assert report.outcome == "void"
    assert "for bundle" in report.reason


def test_a_sandbox_lost_in_mid_match_voids_it_and_a_new_one_takes_over(site: Site, kit: Kit) -> None:
    sleeper = site.put("import time\nfrom bots.sdk import play\nplay(lambda view, question: time.sleep(600))\n")
    before = children(os.getpid())
    with ThreadPoolExecutor(1) as pool:
        report = pool.submit(play_first, an_order([sleeper, sleeper]), kit)
        until("two bots", lambda: len(children(os.getpid()) - before) >= 2)
        for process in children(os.getpid()) & _zygotes(kit):
            with suppress(ProcessLookupError):  # it died with the one before
                os.kill(process, signal.SIGKILL)
    assert report.result().outcome == "void"
    assert report.result().reason.startswith("The process that keep")
    # While the lost one is still dying, the next match may be void too.
    honest = an_order([site.put(HONEST), site.put(HONEST)])
    verified(
        until("a new sandbox", lambda: played if (played := play_first(honest, kit)).outcome == "played" else None)
    )


def _zygotes(kit: Kit) -> set[int]:
    """Return those of this kit's arena alone: other tests have theirs."""
    return {
        int(cmdline.parent.name)
        for cmdline in Path("/proc").glob("[0-9]*/cmdline")
        if {b"workers.sandbox.zygote", str(kit.arena.store).encode()} <= _parts(cmdline)
    }


def _parts(cmdline: Path) -> set[bytes]:
    try:
        return {part for word in cmdline.read_bytes().split(b"\0") for part in (word, *word.split())}
    except OSError:  # it has ended
        return set()
