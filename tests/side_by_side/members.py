"""The processes that run the tests, seen by the one that has collected them."""

import contextlib
import os
import signal
import time
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import pytest

from tests.side_by_side import member
from tests.side_by_side.waiting import TOGETHER, Group, Waiting

PATIENCE = 20.0  # seconds to stop what the tests have started


@dataclass(slots=True)
class Member:
    number: int
    pid: int
    connection: Connection
    group: Group | None = None  # that of its last test
    given: list[int] = field(default_factory=list)  # tests that it has not finished, the one it runs first


class Team:
    def __init__(self, session: pytest.Session) -> None:
        self._session = session
        self._items = session.items
        self._waiting = Waiting([item.stash.get(TOGETHER, item.path) for item in session.items])
        self._temporary: Path = session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        self._members: dict[Connection, Member] = {}

    def run(self) -> None:
        for number in range(min(self._session.config.getoption("processes"), len(self._items))):
            self._fork(number)
        while self._members:
            for connection in wait(list(self._members)):
                assert isinstance(connection, Connection)
                self._hear(self._members[connection])

    def _fork(self, number: int) -> None:
        ours, its = Pipe()
        if not (pid := os.fork()):
            for other in (ours, *self._members):
                other.close()
            member.run(self._session, its, number, self._temporary)
        its.close()
        self._members[ours] = Member(number, pid, ours)

    def _hear(self, member: Member) -> None:
        said, what = "died", None
        with contextlib.suppress(EOFError, ConnectionError):
            said, what = member.connection.recv()
        getattr(self, f"_{said}")(member, what)

    def _wants(self, member: Member, _: None) -> None:
        stopped = self._session.shouldfail or self._session.shouldstop
        taken = None if stopped else self._waiting.take(member.group)
        if taken:
            member.group, position = taken
            member.given.append(position)
        with contextlib.suppress(ConnectionError):  # it has died since it asked, and is heard of again
            member.connection.send(taken and taken[1])

    def _reported(self, _: Member, written: dict[str, Any]) -> None:
        hook = self._session.config.hook
        report = hook.pytest_report_from_serializable(config=self._session.config, data=written)
        hook.pytest_runtest_logreport(report=report)

    def _warned(self, _: Member, said: tuple[Any, ...]) -> None:
        hook = self._session.config.hook
        names = ("warning_message", "when", "nodeid", "location")
        hook.pytest_warning_recorded.call_historic(kwargs=dict(zip(names, said, strict=True)))

    def _finished(self, member: Member, position: int) -> None:
        item = self._items[position]
        self._session.config.hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        member.given.remove(position)

    def _died(self, member: Member, _: None) -> None:
        """If it died over a test, that has failed, and another process does the rest."""
        del self._members[member.connection]
        member.connection.close()
        code = os.waitstatus_to_exitcode(os.waitpid(member.pid, 0)[1])
        if member.given or code:
            self._blame(member, f"The process of this test ended with {ended(code)}.")
        if member.given:
            self._waiting.give_back(member.given[1:])
            self._fork(member.number)

    def _blame(self, member: Member, reason: str) -> None:
        items = [self._items[position] for position in member.given[:1]]
        nodeid, location = next(((item.nodeid, item.location) for item in items), ("a process", ("", None, "")))
        report = pytest.TestReport(nodeid, location, {}, "failed", reason, "call")
        self._session.config.hook.pytest_runtest_logreport(report=report)

    def stop(self) -> None:
        """Processes that are still there take down what they have set up; then whoever has not, is killed."""
        for each in self._members.values():
            os.kill(each.pid, signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE
        for each in self._members.values():
            while not os.waitpid(each.pid, os.WNOHANG)[0]:
                time.sleep(0.05)
                if time.monotonic() > deadline:
                    os.kill(each.pid, signal.SIGKILL)


def ended(code: int) -> str:
    with contextlib.suppress(ValueError):
        return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"
