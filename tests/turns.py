"""Dear tests take turns: a whole run has a quarter of them, by the day, and with `--thorough` all.

`tests/dear.txt` names them: those that cost LEAST seconds of CPU time or more, on the mean over their parameters, the
last time that somebody ran `python3 manage.py test --thorough --costs`. A run of some files has all that
are in them. Nothing is left out for good: what one day's run does not have, the next three have.
"""

import os
from collections import defaultdict
from collections.abc import Generator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from zlib import crc32

import pytest

TURNS = 4
LEAST = 0.2
LIST = Path(__file__).parent / "dear.txt"
CPU = "cpu seconds"
Costs = defaultdict[str, list[float]]
BEGAN = pytest.StashKey[float]()


def add_options(parser: pytest.Parser) -> None:
    parser.addoption("--turn", type=int, metavar="N", help=f"which dear tests a whole run has: 0 to {TURNS - 1}")
    parser.addoption("--costs", action="store_true", help=f"write {LIST.name}: the tests that cost most")


def turn_of(config: pytest.Config) -> int:
    chosen: int | None = config.getoption("turn")
    return chosen if chosen is not None else date.toordinal(datetime.now(UTC).date()) % TURNS


def name_of(test: str) -> str:
    """Without its parameters."""
    return test.partition("[")[0]


def waiting(config: pytest.Config, items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Those of a whole run whose turn comes on another day."""
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return []
    dear, now = frozenset(LIST.read_text().split()), turn_of(config)
    return [item for item in items if name_of(item.nodeid) in dear and crc32(item.nodeid.encode()) % TURNS != now]


def cpu() -> float:
    """Of this process, and of those that it has seen end."""
    return sum(os.times()[:4])


class Measured:
    """A plugin: what each test costs, in a report of which every process hands it on."""

    def __init__(self) -> None:
        self.costs: Costs = defaultdict(list)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        item.stash[BEGAN] = cpu()
        return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        if call.when == "teardown":
            item.user_properties.append((CPU, cpu() - item.stash[BEGAN]))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.costs[name_of(report.nodeid)] += [float(str(cost)) for name, cost in report.user_properties if name == CPU]

    def pytest_terminal_summary(self) -> None:
        dear = sorted(name for name, costs in self.costs.items() if costs and sum(costs) / len(costs) >= LEAST)
        LIST.write_text("".join(f"{name}\n" for name in dear))
