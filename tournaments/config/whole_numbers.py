"""Whole numbers from the environment."""

from collections.abc import Mapping

from workers.addresses import BadSetting


def whole_number(environment: Mapping[str, str], name: str, default: int, most: int) -> int:
    """From 1 to `most`. Raises BadSetting with the reason."""
    text = environment.get(name) or str(default)
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= most):
        raise BadSetting(f"{name} must be a whole number from 1 to {most}, not {text!r:.40}")
    return int(text)
