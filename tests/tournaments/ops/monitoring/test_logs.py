"""What is written to the logs, by the site and by match workers."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tournaments.ops.launcher.processes import ROOT
from tournaments.ledger.recording.tasks import claims
from tournaments.ops.launcher.subprocess_group import trim
from workers.logs import JsonFormatter, PlainFormatter, configuration, log_about


def a_line(formatter: logging.Formatter, message: str, *values: object, error: Exception | None = None) -> str:
    exception = (type(error), error, None) if error else None
    return formatter.format(logging.LogRecord("room", logging.INFO, "file", 1, message, values, exception))


def test_a_line_of_json_has_time_level_logger_message_and_what_it_is_about() -> None:
    with log_about(match=12, lease=3), log_about(worker="den/1"):
        entry = json.loads(a_line(JsonFormatter(), "%s in %d s", "played", 4))
    assert entry.pop("time").endswith("+00:00")
    expected = {
        "level": "INFO",
        "logger": "room",
        "message": "played in 4 s",
        "match": 12,
        "lease": 3,
        "worker": "den/1",
    }
    assert entry == expected


def test_a_plain_line_says_the_match_too() -> None:
    with log_about(match=12, lease=3):
        assert a_line(PlainFormatter(), "played").endswith("INFO room: played [match 12, lease 3]")
    assert a_line(PlainFormatter(), "played").endswith("INFO room: played")


@pytest.mark.parametrize("formatter", [PlainFormatter, JsonFormatter])
def test_strangers_words_cannot_forge_a_second_line(formatter: Callable[[], logging.Formatter]) -> None:
    line = a_line(formatter(), "refused: %s", "a reason\r\n2026-01-01 INFO room: recorded")
    assert len(line.splitlines()) == 1


def test_an_error_comes_with_its_traceback() -> None:
    entry = json.loads(a_line(JsonFormatter(), "it failed", error=ValueError("no such seat")))
    assert entry["error"].endswith("ValueError: no such seat")


@pytest.mark.parametrize(("name", "value"), [("LOG_FORMAT", "xml"), ("LOG_LEVEL", "loud")])
def test_a_setting_that_makes_no_sense_is_refused_in_a_sentence(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be one of .*, not '{value}'"):
        configuration({name: value})


def test_what_a_report_is_about_is_told_even_if_it_is_no_report() -> None:
    assert claims({"match": 1, "lease": None, "seed": "5e"}) == {"match": 1, "lease": "None"}
    assert claims(["match"]) == claims(None) == {}
    assert claims({"match": 1 << 63, "lease": True}) == {"match": str(1 << 63), "lease": "True"}
    assert claims({"worker": "w" * 9000}) == {"worker": "w" * 120}


@pytest.mark.parametrize("app", ["workers.app", "tournaments.core.broker.celery_app"])
def test_celery_leaves_its_own_lines_to_us(app: str) -> None:
    """The log of a process is of one form, whatever its libraries would rather write."""
    code = f"from {app} import app; app.log.setup(); import logging; logging.getLogger('celery').warning('a word')"
    environment = {**os.environ, "LOG_FORMAT": "json"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=True)
    assert json.loads(done.stderr)["message"] == "a word"


def test_a_long_log_is_set_aside_while_somebody_writes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.ops.launcher.subprocess_group.LOG_BYTES", 10)
    log = tmp_path / "site.log"
    with log.open("ab", buffering=0) as writer:
        writer.write(b"the first lines\n")
        trim(log)
        writer.write(b"more\n")
    assert log.read_text() == "more\n"
    assert (tmp_path / "site.old.log").read_text() == "the first lines\n"
