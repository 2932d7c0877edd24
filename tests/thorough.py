"""How much the tests try: always enough to notice, and a full budget with `--thorough` (`tests/conftest.py`).

Budgets are read while modules are imported, in decorators too, so they are chosen before any test is collected.
"""

import pytest
from hypothesis import settings

chosen = False  # whether this run is thorough


def budget(usual: int, *, thorough: int) -> int:
    """How many examples, matches, seeds or rounds to try in this run."""
    return thorough if chosen else usual


settings.register_profile("usual", deadline=None, print_blob=True)
settings.register_profile("thorough", deadline=None, print_blob=True, max_examples=1000)


def choose(config: pytest.Config) -> None:
    global chosen  # noqa: PLW0603  it is chosen once, before anything is collected
    chosen = config.getoption("thorough")
    settings.load_profile("thorough" if chosen else "usual")
