"""The ways in which Python copies a value, by pickling it or otherwise."""

import copy
import pickle
from collections.abc import Callable
from typing import Any


def pickled(value: Any) -> Any:
    """Return what another process would read."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301  our own


COPIES: list[Callable[[Any], Any]] = [pickled, copy.deepcopy]
