"""The public log: a chain that shows every change, kept by the database."""

import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.factories import a_user
from tournaments import audit
from tournaments.audit import log as auditing
from tournaments.audit.__main__ import main as check_a_file
from tournaments.audit.log import append
from tournaments.core.errors import Refused
from tournaments.models import Act

LEAVES = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.text() | st.floats() | st.decimals()
LONG = "'<é\N{GRINNING FACE}" * 250_000
DETAILS = st.recursive(LEAVES, lambda part: st.lists(part) | st.dictionaries(st.text(), part), max_leaves=8)


def a_log(length: int) -> list[str]:
    lines, previous = [], audit.START
    for number in range(1, length + 1):
        entry = audit.Entry(number, "pause", "ada", "a ladder", f"reason {number}", {"é": [number]}, "now", previous)
        lines.append(audit.write_entry(entry, entry.digest))
        previous = entry.digest
    return lines


def changed(line: str, **what: object) -> str:
    return json.dumps({**json.loads(line), **what}) + "\n"


def test_a_log_that_holds_has_a_head_and_an_empty_one_too() -> None:
    lines = a_log(3)
    assert audit.check_log(lines) == audit.Head(3, json.loads(lines[-1])["digest"])
    assert audit.check_log([]) == audit.Head(0, audit.START)


def test_a_digest_does_not_hang_on_the_order_of_names() -> None:
    """A database or a reader's own JSON may give them in another."""
    first: dict[str, audit.Plain] = {"rank": 1, "of": {"a": 1, "b": 2}}
    second: dict[str, audit.Plain] = {"of": {"b": 2, "a": 1}, "rank": 1}
    entries = [
        audit.Entry(1, "pause", "ada", "a ladder", "rain", detail, "now", audit.START) for detail in (first, second)
    ]
    assert entries[0].digest == entries[1].digest


def rechained(line: str) -> str:
    entry = audit.Entry(**{name: part for name, part in json.loads(line).items() if name != "digest"})
    return audit.write_entry(entry, entry.digest)


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda log: [log[0], changed(log[1], reason="another"), *log[2:]], "changed"),
        (lambda log: [log[0], rechained(changed(log[1], reason="another")), *log[2:]], "not_chained"),
        (lambda log: [log[0], *log[2:]], "gap"),
        (lambda log: log[1:], "gap"),
        (lambda log: [log[0], log[0], *log[1:]], "gap"),
        (lambda log: [log[0], log[2], log[1]], "gap"),
        (lambda log: [log[0], changed(log[1], seed="x"), log[2]], "bad_line"),
        (lambda log: [log[0], changed(log[1], number=True), log[2]], "bad_line"),
        (lambda log: [log[0], changed(log[1], detail={"a": 1.5}), log[2]], "bad_line"),
        (lambda log: [log[0], '{"reason":"shown",' + log[1][1:], log[2]], "bad_line"),
        (lambda log: [log[0], "[" * 100_000 + "\n", log[2]], "bad_line"),
        (lambda log: [log[0], "\n", log[2]], "bad_line"),
    ],
)
def test_whatever_is_done_to_a_log_is_found(spoil: Callable[[list[str]], list[str]], code: str) -> None:
    with pytest.raises(audit.BrokenLog) as broken:
        audit.check_log(spoil(a_log(3)))
    assert broken.value.code == code


def test_a_log_that_was_made_anew_does_not_have_the_head_that_somebody_kept() -> None:
    head, other = audit.check_log(a_log(2)), audit.check_log([rechained(changed(a_log(1)[0], by="nobody"))])
    assert audit.check_log(a_log(3), [head]).number == 3
    for kept, code in ((audit.Head(1, other.digest), "rewritten"), (audit.Head(4, other.digest), "cut_off")):
        with pytest.raises(audit.BrokenLog) as broken:
            audit.check_log(a_log(3), [kept])
        assert broken.value.code == code


def test_a_stranger_checks_a_downloaded_log_without_django(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(a_log(3)))
    command = [sys.executable, "-X", "importtime", "-m", "tournaments.audit", str(log)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert "holds: 3 entries, head 3:" in ran.stdout
    assert "django" not in ran.stderr
    log.write_text("".join(a_log(3)[1:]))
    assert check_a_file([str(log)]) == 1
    assert check_a_file([str(tmp_path / "nothing")]) == 2


@pytest.mark.django_db
@settings(max_examples=30)
@given(detail=st.dictionaries(st.text(), DETAILS), reason=st.text())
def test_what_is_read_back_from_the_database_has_the_digest_of_what_was_written(
    detail: dict[str, object], reason: str
) -> None:
    with transaction.atomic():
        act = append(kind="announce", by="the platform", subject="the site", reason=reason, detail=detail)
        assert auditing.entry_of(Act.objects.get(pk=act.pk)).digest == act.digest
        assert auditing.head().digest == act.digest
        transaction.set_rollback(True)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "detail",
    [
        {"text": LONG},
        {"changes": [{"name": "description", "before": LONG, "after": LONG[1:]}]},
        {"options": {"deep": [[{"deeper": LONG}]], LONG: 1}},
        {"says": [LONG[:1900]] * 40},
        {"says": [LONG[:201]] * 40, "changes": {LONG[:2001]: LONG[:2000]}},
    ],
)
def test_an_entry_is_bounded_whatever_texts_are_in_it(detail: dict[str, object]) -> None:
    act = append(kind="test", by=a_user(), subject="a test", reason=LONG, detail={"ladder": "arena", **detail})
    [*_, line] = auditing.log_lines()
    assert len(line) < 120_000
    assert act.detail["ladder"] == "arena"
    assert auditing.head().number == act.number


@pytest.mark.django_db
def test_of_a_long_text_there_is_the_beginning_its_length_and_its_digest() -> None:
    act = append(kind="test", by=a_user(), subject="a test", detail={"text": "abc" * 1000, "short": "x" * 2000})
    digest = sha256(b"abc" * 1000).hexdigest()
    kept = f"{('abc' * 67)[:200]}… (3,000 characters, SHA-256 {digest})"
    assert act.detail == {"text": kept, "short": "x" * 2000}


@pytest.mark.django_db
def test_what_a_person_writes_fits_an_entry_and_what_the_platform_vouches_for_stays() -> None:
    entries = {f"7/{number}": "active" for number in range(10_000)}
    with pytest.raises(Refused, match="at most 100,000 bytes"):
        append(kind="test", by=a_user(), subject="a test", detail={"entries": entries})
    act = append(kind="test", by=auditing.PLATFORM, subject="a test", detail={"entries": entries})
    assert act.detail == {"entries": entries}


@pytest.mark.django_db
def test_acts_are_numbered_without_gaps_even_when_one_of_them_is_taken_back() -> None:
    first = append(kind="pause", by=a_user("ada"), subject="a ladder", reason="rain")
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        append(kind="resume", by="the platform", subject="a ladder", detail={"a": 1 / 0})
    second = append(kind="resume", by="the platform", subject="a ladder")
    assert [(act.number, act.by) for act in (first, second)] == [(1, "ada"), (2, "the platform")]
    assert (first.previous, second.previous) == (audit.START, first.digest)
    assert auditing.entry_of(second).at == second.at.astimezone(UTC).isoformat(timespec="microseconds")
    assert second.at <= datetime.now(UTC)


@pytest.mark.django_db
@pytest.mark.parametrize("statement", ["UPDATE tournaments_act SET reason = 'none'", "DELETE FROM tournaments_act"])
def test_the_database_itself_keeps_acts_as_they_are(statement: str) -> None:
    append(kind="pause", by="ada", subject="a ladder")
    with pytest.raises(DatabaseError, match="acts are kept as they are"), transaction.atomic():
        connection.cursor().execute(statement)
    assert Act.objects.get().reason == ""


@pytest.mark.django_db(transaction=True)
def test_acts_that_come_at_once_stand_in_one_line() -> None:
    def announce_five(name: str) -> None:
        for _ in range(5):
            append(kind="announce", by=name, subject="the site")
        connection.close()

    with ThreadPoolExecutor() as at_once:
        list(at_once.map(announce_five, ("ada", "bob", "cid", "dan")))
    assert list(Act.objects.order_by("number").values_list("number", flat=True)) == list(range(1, 21))
    assert auditing.head().number == 20


@pytest.mark.django_db
def test_the_command_writes_the_log_and_its_head(capsys: pytest.CaptureFixture[str]) -> None:
    act = append(kind="pause", by="ada", subject="a ladder")
    call_command("audit")
    assert audit.check_log(capsys.readouterr().out.splitlines()) == audit.Head(1, act.digest)
    call_command("audit", "--head")
    assert capsys.readouterr().out == f"1:{act.digest}\n"
