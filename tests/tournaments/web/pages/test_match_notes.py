"""Notes of bots from a report to their owners' pages and programs: all that was kept, and to nobody else."""

from dataclasses import replace
from typing import Any

import pytest

from bots.notes import MOST
from engine.records import from_plain, to_plain
from engine.replay import read_replay
from tests.factories import a_bot, a_ladder, a_user, a_version, reports
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Match, MatchSet, SeatNotes, User
from workers.orders import Note, Report

pytestmark = pytest.mark.django_db


def leased() -> tuple[MatchSet, list[Report]]:
    """A set of a bot of ada's and one of bob's, and what a worker reports of it."""
    versions = [a_version(a_bot(a_user(name), f"Bot of {name}")).pk for name in ("ada", "bob")]
    made = create_set(ladder=a_ladder(players=2), versions=versions)
    return made, reports(order_of_set(made, claim(match_set=made)))


def first_of(report: Report, seat: int) -> int:
    lines: Any = read_replay(report.replay).answers
    return next(answer for answer, line in enumerate(lines) if line[0] == seat)


def noted(report: Report) -> Report:
    """The report with three notes of ada's bot and one of bob's, wherever they sit."""
    names = list(
        Match.objects.get(pk=report.match).seats.order_by("number").values_list("version__bot__name", flat=True)
    )
    ada, bob = names.index("Bot of ada"), names.index("Bot of bob")
    mine = '#plan <b>north</b> {"place": "pile-1", "number": 14}\nplain words\n#bid north again'
    notes = [
        Note(ada, -1, "ready\0"),
        Note(ada, first_of(report, ada), mine),
        Note(bob, first_of(report, bob), "hush"),
    ]
    return replace(report, notes=notes)


@pytest.fixture
def match() -> Match:
    _, both = leased()
    assert [record_report(noted(report)) for report in both] == ["recorded"] * 2
    return Match.objects.get(pk=both[0].match)


def user(name: str) -> User:
    return User.objects.get(username=name)


def texts(match: Match, reader: User | None, query: str = "") -> list[str]:
    answer = ask("GET", f"matches/{match.pk}/notes{query}", reader)
    assert answer.status_code == 200, answer.content
    return [note["text"] for note in answer.json()["notes"]]


def page(match: Match, reader: User | None, query: str = "") -> str:
    return Html(signed_in(reader).get(f"/matches/{match.pk}/{query}").content.decode()).text


def test_the_owner_reads_them_by_answer_with_tag_and_mark(match: Match) -> None:
    answer = ask("GET", f"matches/{match.pk}/notes", user("ada")).json()
    assert answer["match"] == match.pk
    assert [(note["tag"], note["text"], note["mark"]) for note in answer["notes"]] == [
        ("", "ready\ufffd", {}),
        ("plan", "<b>north</b>", {"place": "pile-1", "number": 14}),
        ("", "plain words", {}),
        ("bid", "north again", {}),
    ]
    assert answer["notes"][0]["answer"] == -1
    assert len({note["answer"] for note in answer["notes"]}) == 2


def test_each_owner_reads_their_own_and_an_organiser_all(match: Match) -> None:
    assert texts(match, user("bob")) == ["hush"]
    assert len(texts(match, a_user("staff", staff=True))) == 5
    assert texts(match, a_user("stranger")) == []
    assert refused(ask("GET", f"matches/{match.pk}/notes")) == (401, "not_signed_in")


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        ("?words=NORTH", ["<b>north</b>", "north again"]),
        ("?words=again north", ["north again"]),
        ("?tag=plan", ["<b>north</b>"]),
        ("?tag=PLAN&words=south", []),
        ("?words=pile-1", ["<b>north</b>"]),
    ],
)
def test_they_are_searched_by_text_and_tag(match: Match, query: str, lines: list[str]) -> None:
    assert texts(match, user("ada"), query) == lines


def test_on_the_page_they_are_beside_their_moment_and_safe(match: Match) -> None:
    shown = page(match, user("ada"))
    for words in ("<b>north</b>", "plain words", "pile-1", "ready", "at the start", "plan (1)"):
        assert words in shown
    assert "hush" not in shown
    marked = " ".join(signed_in(user("ada")).get(f"/matches/{match.pk}/").content.decode().split())
    assert 'data-place="pile-1" data-number="14"' in marked
    results = page(match, user("ada"), "?note=plain")
    assert "plain words" in results
    assert "north again" not in results
    assert "1 line." in results


@pytest.mark.parametrize("name", [None, "bob", "stranger"])
def test_nobody_else_reads_them_on_the_page(match: Match, name: str | None) -> None:
    reader = None if name is None else user("bob") if name == "bob" else a_user(name)
    shown = page(match, reader)
    assert "plain words" not in shown
    assert "data-mark-of" not in signed_in(reader).get(f"/matches/{match.pk}/").content.decode()  # drawn on the board
    assert ("hush" in shown) == (name == "bob")


def test_while_the_set_is_open_nobody_reads_them() -> None:
    _, both = leased()
    assert record_report(noted(both[0])) == "recorded"
    match = Match.objects.get(pk=both[0].match)
    assert SeatNotes.objects.filter(seat__match=match).count() == 2
    assert refused(ask("GET", f"matches/{match.pk}/notes", user("ada"))) == (409, "set_still_open")
    assert "plain words" not in page(match, user("ada"))


def test_a_report_of_before_there_were_notes_is_taken() -> None:
    _, both = leased()
    plain: dict[str, Any] = to_plain(both[0])
    del plain["notes"]
    assert record_report(from_plain(Report, plain, "report")) == "recorded"
    assert not SeatNotes.objects.exists()


@pytest.mark.parametrize("wrong", ["seat", "answer", "others", "long"])
def test_notes_that_cannot_be_true_are_refused(wrong: str) -> None:
    _, both = leased()
    report = both[0]
    notes = {
        "seat": [Note(2, -1, "")],
        "answer": [Note(0, 10**6, "")],
        "others": [Note(0, first_of(report, 1), "")],
        "long": [Note(0, -1, "x" * (MOST + 200))],
    }
    assert record_report(replace(report, notes=notes[wrong])).startswith("refused: ")
    assert not SeatNotes.objects.exists()


def test_a_match_recorded_twice_has_its_notes_once(match: Match) -> None:
    assert SeatNotes.objects.filter(seat__match=match).count() == 2
