"""pytest plugin (`-p tests.side_by_side.plugin`): `--processes 5` runs the tests in five processes.

They are forked when all tests are collected, so that is done once. Reports go to the process that has collected, an
ordinary run of pytest: it counts, stops at `-x`, remembers what failed, and writes the summary.
"""

import os

import pytest

from tests.side_by_side.members import Team


class Hooks:
    @pytest.hookspec
    def pytest_process_forked(self, number: int) -> None:
        """In a process of the tests, before the first one: let go of what belongs to all of them."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(Hooks)


def pytest_load_initial_conftests() -> None:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a process with threads cannot be forked safely


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--processes", type=int, default=1, metavar="N", help="run the tests in N processes")


def pytest_report_header(config: pytest.Config) -> str | None:
    number = config.getoption("processes")
    return f"processes: {number}" if number > 1 else None


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """None leaves it to pytest: to run the tests here, to list them, or to say what could not be collected."""
    if session.config.getoption("processes") < 2 or session.config.option.collectonly or session.testsfailed:
        return None
    team = Team(session)
    try:
        team.run()
    finally:
        team.stop()
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)
    return True
