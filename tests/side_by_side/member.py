"""What happens in a forked process: it asks for tests, runs them, and tells how it went."""

import os
import signal
import sys
import traceback
import warnings
from contextlib import suppress
from functools import cached_property
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest


class Teller:
    """A plugin that hands on what the terminal and the summary are made from."""

    def __init__(self, config: pytest.Config, connection: Connection) -> None:
        self._config = config
        self._connection = connection

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        written = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._connection.send(("reported", written))

    def pytest_warning_recorded(
        self, warning_message: warnings.WarningMessage, when: str, nodeid: str, location: Any
    ) -> None:
        if when == "runtest":  # of what was collected, the others know
            found = warning_message
            plain = warnings.WarningMessage(str(found.message), found.category, found.filename, found.lineno)
            self._connection.send(("warned", (plain, when, nodeid, location)))


def run(session: pytest.Session, connection: Connection, number: int, temporary: Path) -> None:
    """All of a forked process. It leaves without what the one that it was forked from does at its end."""
    try:
        settle(session.config, number, temporary)
        session.config.pluginmanager.register(Teller(session.config, connection))
        with suppress(EOFError, ConnectionError, KeyboardInterrupt):  # whoever collected is gone, or wants no more
            run_tests(session, connection)
    finally:
        if code := int(sys.exc_info()[0] is not None):
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def settle(config: pytest.Config, number: int, temporary: Path) -> None:
    """What a process must not share with the others: the terminal, what output is caught in, folders, servers."""
    os.environ["TEST_PROCESS"] = str(number)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # leaves as at Ctrl-C
    plugins = config.pluginmanager
    plugins.unregister(name="terminalreporter")
    catching: Any = plugins.getplugin("capturemanager")
    catching.stop_global_capturing()
    catching.start_global_capturing()
    catching.suspend_global_capture()
    config.option.basetemp = str(temporary / f"process-{number}")
    config._tmp_path_factory = pytest.TempPathFactory.from_config(config, _ispytest=True)  # type: ignore[attr-defined]
    config.hook.pytest_process_forked(number=number)


def run_tests(session: pytest.Session, connection: Connection) -> None:
    try:
        position = next_one(connection)
        while position is not None:
            following = Following(session, connection)
            session.config.hook.pytest_runtest_protocol(item=session.items[position], nextitem=following)
            connection.send(("finished", position))
            position = following.position
    finally:
        for each in (signal.SIGINT, signal.SIGTERM):  # a second one must not leave half of it running
            signal.signal(each, lambda *_: None)
        session._setupstate.teardown_exact(None)


class Following:
    """The test after the present one, asked for when that has run: what both share is not taken down in between."""

    def __init__(self, session: pytest.Session, connection: Connection) -> None:
        self._session = session
        self._connection = connection

    @cached_property
    def position(self) -> int | None:
        return next_one(self._connection)

    def listchain(self) -> list[Any]:
        return [] if self.position is None else self._session.items[self.position].listchain()


def next_one(connection: Connection) -> int | None:
    connection.send(("wants", None))
    position: int | None = connection.recv()
    return position
