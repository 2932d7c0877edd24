"""How much the tests try: some of everything, or with `--full-budgets` as much as the figures in the docs are from.

Budgets are read while modules are imported, in decorators too, so they are chosen before any test is collected.
"""

import pytest
from hypothesis import settings

has_full_budgets = False  # whether this run tries as much as there is to try


def budget(usual: int, *, full: int) -> int:
    """Return how many examples, matches, seeds or rounds to try in this run."""
    return full if has_full_budgets else usual


settings.register_profile("usual", deadline=None, print_blob=True, max_examples=25)
settings.register_profile("full", deadline=None, print_blob=True, max_examples=1000)


def add_options(parser: pytest.Parser) -> None:
    full = "as much as the full budgets of the property tests and of the faults say"
    parser.addoption("--full-budgets", action="store_true", help=full)


def choose(config: pytest.Config) -> None:
    global has_full_budgets  # noqa: PLW0603  it is chosen once, before anything is collected
    has_full_budgets = config.getoption("full_budgets")
    settings.load_profile("full" if has_full_budgets else "usual")
