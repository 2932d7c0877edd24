"""Starts of the built-in servers that take long: a real Valkey, which begins with something else to do."""

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import redis

from tests.tournaments.ops.launcher.processes import bare_environment
from tournaments.ops.launcher import server_start
from tournaments.ops.launcher.embedded_server import ServerError
from tournaments.ops.launcher.postgres import Postgres
from tournaments.ops.launcher.subprocess_group import Program
from tournaments.ops.launcher.valkey import Valkey

TALKS = "for n in 1 2 3 4 5 6 7 8 9 10 11 12; do echo loading $n; sleep 0.1; done"
COMPUTES = f"{sys.executable} -S -c 'import time\nwhile time.process_time() < 1.2: pass'"


class Slow(Valkey):
    before = ":"  # what its process does before it is a server

    @property
    def program(self) -> Program:
        usual = super().program
        command = ("sh", "-c", f'{self.before}; exec "$@"', "sh", *usual.command)
        return replace(usual, command=command, environment=bare_environment())


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    monkeypatch.setattr(server_start, "STILL_SECONDS", 0.6)
    monkeypatch.setattr(server_start, "MESSAGE_EVERY", 0.2)
    monkeypatch.setattr(server_start, "CHECK_EVERY", 0.1)
    with tempfile.TemporaryDirectory(prefix="boardroom-tests-") as folder:
        server = Slow(Path(folder) / "valkey", Path(folder) / "valkey.log")
        yield server
        server.stop()


@pytest.mark.parametrize("before", [TALKS, COMPUTES])
def test_a_server_that_is_at_work_is_waited_for_and_that_is_said(slow: Slow, before: str) -> None:
    """Twice as long as one may be still: by its log, and by its processor time alone."""
    slow.before, lines = before, list[str]()
    slow.start(lines.append)
    with redis.Redis.from_url(slow.url) as connection:
        assert connection.ping()
    assert lines[0].startswith("valkey: it does not answer after ")
    assert "It is waited for while it works." in lines[0]
    assert any("loading" in line for line in lines) == (before == TALKS)


def test_a_server_that_is_still_is_given_up(slow: Slow) -> None:
    slow.before = "sleep 1000"
    with pytest.raises(ServerError, match="valkey did not start: it does not answer"):
        slow.start()
    assert slow.process
    assert slow.process.poll() is not None


def test_a_server_that_ends_again_and_again_is_given_up_with_its_last_words(slow: Slow) -> None:
    slow.before = "echo there is no room; exit 1"
    with pytest.raises(ServerError, match=r"it ends again and again(.|\n)*there is no room"):
        slow.start()


def test_no_start_takes_for_ever(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_start, "LONGEST", 1.0)
    slow.before = "while :; do echo loading; sleep 0.05; done"
    with pytest.raises(ServerError, match="it does not answer"):
        slow.start()


def test_a_server_that_lets_nobody_in_is_not_waited_for() -> None:
    with tempfile.TemporaryDirectory(prefix="boardroom-tests-") as folder:
        Path(folder).chmod(0o711)
        first = Postgres(Path(folder) / "postgres", Path(folder) / "postgres.log", durable=False)
        first.start()
        first.stop()
        (first.folder / "password").write_text("another")
        second = Postgres(Path(folder) / "postgres", Path(folder) / "postgres.log", durable=False)
        try:
            with pytest.raises(ServerError, match="postgres runs, but cannot be used") as refused:
                second.start()
            assert "password authentication failed" in str(refused.value)
        finally:
            second.stop()
