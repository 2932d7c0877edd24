"""`boardroom series`: decided by the site's own test, stopped and gone on with, on any number of cores."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bots.command.errors import explained
from bots.command.journal import Journal
from bots.command.main import main
from bots.command.outcomes import Outcome
from bots.command.series import count_set
from bots.command.series_decision import Series
from bots.sequential_test import Evidence, SequentialTest
from tests.bots.command.printed import printed
from tests.tournaments.ops.launcher.processes import ROOT, descendants, still_there, until

Captured = pytest.CaptureFixture[str]


def test_it_decides_and_goes_on_from_a_journal_that_was_cut_off(tmp_path: Path, capsys: Captured) -> None:
    journal = tmp_path / "night.jsonl"
    series = ["zaibatsu", "random", "marginal", "--test=-800:0", "--journal", str(journal)]
    assert main(["series", *series, "--cores", "2", "--json"]) == 3
    decided = json.loads(capsys.readouterr().out)
    assert (decided["test"]["accepted"], decided["test"]["sets"]) == (False, 16)
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-3]) + lines[-3][:20])  # cut off in the middle of a line
    assert printed(capsys, "series", *series)["test"] == decided["test"]
    numbers = [json.loads(line)["number"] for line in journal.read_bytes().splitlines()[1:]]
    assert numbers == list(range(len(numbers)))


def test_maps_of_network_are_generated_unless_another_is_asked_for(capsys: Captured) -> None:
    assert main(["series", "network", "random", "random", "--most", "16", "--test=-800:800", "--json"]) in (0, 3)
    assert json.loads(capsys.readouterr().out)["options"]["map"] == "generated"


def test_a_series_says_when_the_same_games_are_played_again() -> None:
    decided = Series(["new", "old"], Evidence(SequentialTest(), 2, 100))
    for number in range(40):
        first = Outcome(2 * number, [0, 1], "s", [1, 2], [9, 5], [4, 4], [1.0, 1.0])
        second = Outcome(2 * number + 1, [1, 0], "s", [1, 2], [9, 5 + number % 2], [4, 4], [1.0, 1.0])
        count_set(decided, [first, second])
    sets = decided.evidence.sets  # until it was decided
    assert f"only 2 of {sets} sets differ: the same games are counted again" in decided.sentences()[-1]
    decided.results |= {((number,),) for number in range(18)}
    assert not decided.repeats


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"a letter\n", "not_a_journal"),
        (b"a letter", "not_a_journal"),
        (b"[]\n", "not_a_journal"),
        (b'{"journal": 1, "game": "kaiju"}\n', "other_journal"),
        (b"\xff\xfe\n", "not_a_journal"),
    ],
)
def test_a_file_that_is_no_journal_is_left_as_it_is(
    tmp_path: Path, capsys: Captured, content: bytes, code: str
) -> None:
    journal = tmp_path / "odd"
    journal.write_bytes(content)
    assert printed(capsys, "series", "zaibatsu", "random", "random", "--journal", str(journal))["error"]["code"] == code
    assert journal.read_bytes() == content


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--test", "up"], "bad_test"),
        (["--test=30:0"], "bad_bounds"),
        (["--alpha", "0.7"], "bad_error_rate"),
        (["--most", "3"], "bad_command"),
        (["--journal", "/"], "is_folder"),
    ],
)
def test_a_bad_test_is_refused(capsys: Captured, arguments: list[str], code: str) -> None:
    assert printed(capsys, "series", "zaibatsu", "random", "random", *arguments)["error"]["code"] == code


def outcome(number: int) -> Outcome:
    return Outcome(number, [0, 1], f"home/{number}", [1, 2], [30, 20], [5, 5], [1.0, 1.5])


def test_a_disk_that_gets_full_loses_one_match_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, head, write = tmp_path / "night.jsonl", {"game": "zaibatsu"}, os.write

    def half(handle: int, data: bytes) -> int:
        write(handle, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    with Journal(path, head) as journal:
        journal.add(outcome(0))
        monkeypatch.setattr("bots.command.journal.os.write", half)
        with pytest.raises(OSError, match="No space") as caught:
            journal.add(outcome(1))
        monkeypatch.setattr("bots.command.journal.os.write", write)
    error = explained(caught.value)
    assert error is not None
    assert (error.code, error.exit_code) == ("full_disk", 1)
    with Journal(path, head) as journal:
        assert journal.outcomes == [outcome(0)]
        journal.add(outcome(1))
    with Journal(path, head) as journal:
        assert journal.outcomes == [outcome(0), outcome(1)]


@pytest.mark.parametrize(("place", "code"), [("/dev/zero", "not_a_journal"), ("/none/j", "cannot_read_or_write")])
def test_a_place_where_nothing_can_be_kept_is_told(capsys: Captured, place: str, code: str) -> None:
    assert printed(capsys, "series", "zaibatsu", "random", "random", "--journal", place)["error"]["code"] == code


def test_a_command_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    journal = tmp_path / "night.jsonl"
    series = ["series", "zaibatsu", "marginal", "marginal", "--cores", "2", "--journal", str(journal)]
    command = subprocess.Popen([sys.executable, "-m", "bots.command", *series], stderr=subprocess.DEVNULL, cwd=ROOT)
    until(lambda: journal.exists() and len(journal.read_bytes().splitlines()) > 3, what="a few matches")
    started = descendants(command.pid)
    assert len(started) >= 4  # two that play, and two that bots are forked from
    command.kill()
    command.wait()
    until(lambda: not still_there(started), what="the end of all of them")
