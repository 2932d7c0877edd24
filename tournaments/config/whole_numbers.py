"""Whole numbers from the environment."""

from collections.abc import Mapping


def whole_number(environment: Mapping[str, str], name: str, default: int, most: int) -> int:
    """From 1 to `most`. Raises ValueError with the reason."""
    text = environment.get(name) or str(default)
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= most):
        raise ValueError(f"{name} must be a whole number from 1 to {most}, not {text!r:.40}")
    return int(text)
