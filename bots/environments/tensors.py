"""Observations and masks as NumPy arrays, new ones each time: whoever holds one may keep and change it."""

from typing import Any, Final

from bots.environments.codecs import MOST
from bots.environments.course import Course
from bots.environments.encoding import SO_FAR, Encoding
from bots.environments.extras import missing
from engine.core import Seat

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError as error:
    raise missing("gymnasium", error) from None

Observation = dict[str, Any]  # "observation" and "action_mask"
OBSERVED: Final = np.dtype(np.int32)
MASKED: Final = np.dtype(np.int8)


def observation(course: Course, seat: Seat) -> Observation:
    """Return what `seat` observes; nothing is masked in if it does not decide next."""
    return {"observation": vector(course, seat), "action_mask": mask(course, seat)}


def vector(course: Course, seat: Seat) -> NDArray[np.int32]:
    return np.frombuffer(bytearray(course.observed(seat)), OBSERVED)


def mask(course: Course, seat: Seat) -> NDArray[np.int8]:
    row = course.mask() if seat == course.seat else bytes(course.encoding.actions.size)
    return np.frombuffer(bytearray(row), MASKED)


def bounds(encoding: Encoding) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The least and the most that each number of an observation can be."""
    fields = encoding.layout.fields
    low = [field.least for field in fields for _ in range(field.size)]
    high = [field.most for field in fields for _ in range(field.size)]
    kinds, tail = len(encoding.asked), encoding.size - encoding.layout.size
    high += [*[1] * kinds, MOST, MOST, *[encoding.actions.size] * SO_FAR]
    return np.array([*low, *[0] * tail], OBSERVED), np.array(high, OBSERVED)
