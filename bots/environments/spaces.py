"""The spaces of an environment, as Gymnasium and PettingZoo have them."""

from typing import Any

from bots.environments.encoding import Encoding
from bots.environments.extras import missing
from bots.environments.tensors import MASKED, OBSERVED, bounds

try:
    from gymnasium import spaces
except ImportError as error:
    raise missing("gymnasium", error) from None


def observation_space(encoding: Encoding) -> "spaces.Dict":
    low, high = bounds(encoding)
    box = spaces.Box(low, high, dtype=OBSERVED)
    return spaces.Dict({"observation": box, "action_mask": spaces.Box(0, 1, (encoding.actions.size,), MASKED)})


def action_space(encoding: Encoding) -> "spaces.Discrete[Any]":
    return spaces.Discrete(encoding.actions.size)
