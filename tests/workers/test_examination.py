"""Versions examined in the real sandbox: their owners see the card that `boardroom check` makes at home."""

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import TestCase

from bots.command.main import main
from bots.doctor.examination import Budget
from engine.records import from_plain, to_plain
from tests.factories import a_bot, a_version
from tests.workers.hall import HONEST, Hall, Site, a_worker, an_order, until
from tournaments.core.broker import queues
from tournaments.features.examinations import reports as examination_reports
from tournaments.features.examinations import rules as examinations
from tournaments.models import Examination
from workers import examination
from workers.examination_orders import EXAMINE, ExaminationOrder, ExaminationReport, examination_queue
from workers.match import Kit
from workers.orders import TAG, Competitor
from workers.process_heartbeats import WORKERS, OnlineProcess
from workers.queue_order import EVERY_S, MatchesFirst

FEW = Budget(questions=200)
MEASURED = ("start", "time", "match_time", "memory")  # of a machine, not of a bot
SDK = "from bots.sdk import play\n"
ASKED = "def choose(view, question):\n    global asked\n    asked += 1\n"
# What a check of one match does not find, but in `noisy`, which a check would refuse.
FINE = {
    "sound": HONEST,
    "illegal, late and seldom": f"from engine.games.zaibatsu import Bid, ToBid\n{SDK}asked = 0\n{ASKED}"
    "    odd = view.seat == 2 and asked == 30 and isinstance(question, ToBid)\n"
    "    return Bid(10 ** 6) if odd else question.default()\nplay(choose)\n",
    "gone in the middle": f"{SDK}asked = 0\n{ASKED}    if asked > 20: raise SystemExit(7)\n"
    "    return question.default()\nplay(choose)\n",
    "noisy": f"{SDK}def choose(view, question):\n    print('thinking')\n    return question.default()\nplay(choose)\n",
    "stays": f"import time\n{SDK}play(lambda view, question: question.default())\ntime.sleep(60)\n",
    "imports": f"try:\n    import pandas\nexcept ImportError:\n    pass\n{HONEST}",
}
LOTS = (
    f"import random\nfrom engine.dice import Dice\n{SDK}"
    "play(lambda view, question: question.draw(Dice.of(str(random.random()))))\n"
)
SLOW = (
    f"import time\n{SDK}def choose(view, question):\n    until = time.process_time() + 0.05\n"
    "    while time.process_time() < until: pass\n    return question.default()\nplay(choose)\n"
)
Forge = Callable[[dict[str, Any]], object]


@pytest.fixture(autouse=True)
def _few_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an examination take several turns, and begin at once after an upload."""
    for module in (examinations, examination_reports):
        monkeypatch.setattr(module, "BUDGET", FEW)
    monkeypatch.setattr(examination, "SLICE_S", 0.2)
    monkeypatch.setattr(examinations, "is_rush", lambda: False)


@pytest.fixture
def broker() -> Iterator[None]:
    """Give a broker with one worker online."""
    queues.broker().flushdb()
    queues.broker().zadd(WORKERS, {str(OnlineProcess.of("tester/1", TAG, ["python"])): time.time() + 600})
    yield
    queues.broker().flushdb()


def waiting(site: Site, source: str) -> Examination:
    """Return the examination of a version whose check has been played."""
    site.put(source)
    return Examination.objects.get(version=a_version(a_bot(), source.encode()))


def ordered() -> ExaminationOrder:
    """The next turn, sent."""
    assert examinations.continue_examinations() == 1
    return examinations.order_of_examination(Examination.objects.select_related("version__bot").get(status="asked"))


def hand_in(report: ExaminationReport, forge: Forge = lambda _: None) -> str:
    plain = json.loads(json.dumps(to_plain(report)))
    forge(plain)
    return examination_reports.receive_examination_report(plain)


def examined(row: Examination, kit: Kit) -> Examination:
    """Examine to the end, turn by turn."""
    while Examination.objects.filter(pk=row.pk, status="waiting").exists():
        report = examination.examine(ordered(), kit)
        assert (hand_in(report), report.reason) == ("taken", "")
    row.refresh_from_db()
    assert (row.status, row.seen) == ("done", {}), row.reason
    return row


def at_home(source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    (tmp_path / "bot.py").write_text(source)
    main(["check", "zaibatsu", str(tmp_path / "bot.py"), "--questions", str(FEW.questions), "--json"])
    card: dict[str, Any] = json.loads(capsys.readouterr().out)
    return card


def comparable(finding: dict[str, Any]) -> tuple[str, ...]:
    """Return a row without what is of the machine: times, and memory, which at home begins with these tests' own."""
    text = "" if finding["about"] in MEASURED else re.sub(r"It used .* in all|/\S+/", "", finding["text"])
    return finding["about"], "" if finding["about"] == "memory" else finding["status"], text


@pytest.mark.django_db
@pytest.mark.usefixtures("broker")
@pytest.mark.parametrize("source", FINE.values(), ids=FINE)
def test_the_card_is_that_of_home(
    source: str, site: Site, kit: Kit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rows and words are the same in the same order, of the same positions."""
    done, home = examined(waiting(site, source), kit), at_home(source, tmp_path, capsys)
    assert list(map(comparable, done.findings)) == list(map(comparable, home["findings"]))
    assert done.matches == home["matches"]
    card_numbers, home_numbers = (
        [row["numbers"] for row in card if row["about"] not in MEASURED] for card in (done.findings, home["findings"])
    )
    assert card_numbers == home_numbers


@pytest.mark.django_db
@pytest.mark.usefixtures("broker")
def test_other_answers_to_the_same_are_told(site: Site, kit: Kit) -> None:
    card = {row["about"]: row for row in examined(waiting(site, LOTS), kit).findings}
    assert card["repeatable"]["status"] == "warning"
    assert card["repeatable"]["numbers"]["other_answers"] > 0
    assert card["answers"]["status"] == "ok"


@pytest.mark.django_db
@pytest.mark.usefixtures("broker")
def test_what_there_is_no_time_for_is_left_out_and_said(site: Site, kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (examinations, examination_reports):
        monkeypatch.setattr(module, "BUDGET", Budget(200, 3.0, 60.0))
    monkeypatch.setattr(examination, "MOST_S", 1.0)  # shorter than a match of it
    done = examined(waiting(site, SLOW), kit)
    [asked] = [row for row in done.findings if row["about"] == "asked"]
    assert asked["status"] == "warning"
    assert "of 200: more did not fit into 3 s of CPU time" in asked["text"]
    assert 0 < done.questions < 200
    assert asked["numbers"]["cut"] > 0


@pytest.mark.django_db
@pytest.mark.usefixtures("broker")
def test_who_only_says_that_it_has_begun_gains_time_once(site: Site) -> None:
    row, order = waiting(site, HONEST), ordered()
    begun = ExaminationReport(order.examination, order.turn, "tester/1", "begun", secret=order.secret)
    assert hand_in(begun) == "noted"
    row.refresh_from_db()
    until_when = row.until
    assert row.begun
    assert hand_in(begun) == "noted"
    row.refresh_from_db()
    assert (row.until, row.status) == (until_when, "asked")
    assert not queues.broker().exists(examinations.RESTS.format(""))
    begun.outcome = "returned"
    with TestCase.captureOnCommitCallbacks(execute=True):
        assert hand_in(begun) == "noted"
    assert queues.broker().exists(examinations.RESTS.format(""))
    row.refresh_from_db()
    assert (row.status, row.failures) == ("waiting", 0)


@pytest.mark.django_db
@pytest.mark.usefixtures("broker")
def test_a_report_counts_once_and_only_for_its_turn(site: Site, kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "SLICE_S", 0.02)  # so that quick cores need a second turn, too
    row = waiting(site, HONEST)
    report = examination.examine(ordered(), kit)
    assert hand_in(report) == "taken"
    assert hand_in(report).startswith("refused: turn 1 of examination")
    row.refresh_from_db()
    assert (row.status, row.matches) == ("waiting", len(report.sittings))
    ordered()
    assert hand_in(report).startswith("refused: turn 1 of examination")


def longest(sitting: dict[str, Any]) -> dict[str, Any]:
    return {**sitting, "asked": sitting["asked"][:1] * 15_000}


FORGED: dict[str, Forge] = {
    "no match": lambda plain: plain.update(sittings=[]),
    "thousands of matches": lambda plain: plain.update(sittings=plain["sittings"][:1] * 501),
    "too many questions": lambda plain: plain.update(sittings=[longest(plain["sittings"][0])] * 2),
    "another kind": lambda plain: plain["sittings"][0]["asked"][0].__setitem__(0, "<script>"),
    "a negative time": lambda plain: plain["sittings"][0]["asked"][0].__setitem__(1, -1.0),
    "no verdict": lambda plain: plain["sittings"][0]["asked"][0].extend(["boo", ""]),
    "too much memory": lambda plain: plain["sittings"][0].update(memory_mb=1e9),
    "no such language": lambda plain: plain["imported"].update(language="cobol"),
    "imports that are no names": lambda plain: plain["imported"].update(missing=["<b>"]),
    "no imports": lambda plain: plain.update(imported=None),
    "too long a turn": lambda plain: plain.update(seconds=1e6),
}


@pytest.mark.django_db
@pytest.mark.usefixtures("broker")
def test_what_cannot_be_is_refused_and_tried_again_three_times(site: Site, kit: Kit) -> None:
    row = waiting(site, HONEST)
    report = examination.examine(ordered(), kit)
    report.repetition = None
    for number, forge in enumerate(FORGED.values()):
        Examination.objects.update(status="asked", failures=0)
        assert hand_in(report, forge).startswith("refused: "), number
        row.refresh_from_db()
        assert (row.status, row.failures, row.matches, row.findings) == ("waiting", 1, 0, [])
    Examination.objects.update(status="asked", failures=examinations.TRIES - 1)
    assert hand_in(report, FORGED["no match"]).startswith("refused: ")
    row.refresh_from_db()
    assert row.status == "failed"
    assert "a worker reported something impossible" in row.reason


@pytest.mark.django_db
@pytest.mark.usefixtures("broker")
def test_only_who_was_sent_the_turn_is_believed(site: Site, kit: Kit) -> None:
    waiting(site, HONEST)
    report = examination.examine(ordered(), kit)
    assert hand_in(report, lambda plain: plain.update(secret="0" * 64)).startswith("refused: tester was not sent turn")
    assert hand_in(report, lambda plain: plain.update(turn=2)).startswith("refused: tester was not sent turn")
    assert hand_in(report, lambda plain: plain.update(worker="/")) == "refused: the report names no worker"
    assert hand_in(report, lambda plain: plain["sittings"][0].update(start_fault="\0")) == "taken"


def test_a_worker_takes_examinations_after_matches_and_reports(hall: Hall, site: Site) -> None:
    terms = an_order([site.put(HONEST)], matches=0, options={})
    terms.matches = []
    order = ExaminationOrder(7, 3, terms, first=0, questions=40, gone=0, repeats=True, secret="s")
    hall.send(to_plain(order), EXAMINE, examination_queue())
    with a_worker(hall):
        outcomes = until("a report", lambda: seen if "asked" in (seen := outcomes_in(hall)) else None)
    assert (outcomes[0], {*outcomes}) == ("begun", {"begun", "asked"})  # every ten seconds


def outcomes_in(hall: Hall) -> list[str]:
    hall.collect()
    return [from_plain(ExaminationReport, plain, "report").outcome for plain in hall.examined]


def test_a_bundle_that_is_not_there_is_the_platforms_fault(site: Site, kit: Kit) -> None:
    terms = an_order([Competitor("bot", 1, "0" * 64, "bot.py")], matches=0, options={})
    terms.matches = []
    report = examination.examine(ExaminationOrder(1, 1, terms, 0, 40, 0, repeats=True), kit)
    assert (report.outcome, report.sittings) == ("void", [])
    assert "404" in report.reason


def test_matches_come_first_but_for_a_thirtieth_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.monotonic()
    monkeypatch.setattr("workers.queue_order.monotonic", lambda: now)
    of_examinations, of_a_space = examination_queue(), examination_queue(["rust"], "bio1")
    order = MatchesFirst([of_examinations, "matches:x", of_a_space, "matches:y"])
    first, last = [of_examinations, of_a_space], ["matches:x", "matches:y"]
    assert order.consume(4) == [*last, *first]
    now += EVERY_S
    assert order.consume(4) == [*first, *last]
    order.rotate(of_examinations)
    now += 10  # that long it took
    assert order.consume(4)[:2] == last
    now += 289
    assert order.consume(4)[:2] == last
    now += 1
    assert set(order.consume(4)[:2]) == set(first)
