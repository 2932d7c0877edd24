"""How much the tests try. The usual run has something of everything; what is too dear for it comes with `--thorough`.

`--full-budgets` has the property tests and the faults try as much as the figures in the docs are from. Budgets are read
while modules are imported, in decorators too, so they are chosen before any test is collected.
"""

from collections.abc import Collection, Iterable
from typing import Any

import pytest
from hypothesis import settings

is_thorough = False  # whether this run leaves nothing out
has_full_budgets = False  # whether it tries as much as there is to try
LEFT_OUT = pytest.StashKey[int]()  # how many tests this run leaves out


def budget(usual: int, *, thorough: int | None = None, full: int) -> int:
    """How many examples, matches, seeds or rounds to try in this run."""
    if has_full_budgets:
        return full
    return thorough if is_thorough and thorough is not None else usual


def only(*usual: str) -> pytest.MarkDecorator:
    """Only with `--thorough`. `usual`: the cheaper tests, `FILE::NAME`, that find the ordinary mistake in every run."""
    return pytest.mark.thorough(*usual)


def part(parameters: Iterable[Any], usual: Collection[Any], *covering: str) -> list[Any]:
    """The parameters of a test, of which every run has those in `usual`; the rest come with `--thorough`."""
    return [each if each in usual else pytest.param(each, marks=only(*covering)) for each in parameters]


settings.register_profile("usual", deadline=None, print_blob=True, max_examples=25)
settings.register_profile("full", deadline=None, print_blob=True, max_examples=1000)


def add_options(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="run the tests that are too dear for every run too")
    full = "all tests, and as much as the full budgets of the property tests and of the faults say"
    parser.addoption("--full-budgets", action="store_true", help=full)


def choose(config: pytest.Config) -> None:
    global is_thorough, has_full_budgets  # noqa: PLW0603  they are chosen once, before anything is collected
    config.addinivalue_line("markers", "thorough(*usual): too dear for every run, which has `usual` of the same")
    config.stash[LEFT_OUT] = 0
    has_full_budgets = config.getoption("full_budgets")
    is_thorough = has_full_budgets or config.getoption("thorough")
    settings.load_profile("full" if has_full_budgets else "usual")


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Those that are too dear, from `items`, unless this run has everything."""
    if is_thorough:
        return
    dear = [item for item in items if item.get_closest_marker("thorough")]
    items[:] = [item for item in items if not item.get_closest_marker("thorough")]
    config.stash[LEFT_OUT] = len(dear)
    config.hook.pytest_deselected(items=dear)
