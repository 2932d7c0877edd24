"""Numbers, switches and choices from the environment."""

from collections.abc import Mapping, Sequence

from workers.addresses import BadSetting

DIGITS = 20


def whole_number(environment: Mapping[str, str], name: str, default: int, most: int, *, least: int = 1) -> int:
    """Return a whole number from `least` to `most`. Raises BadSetting with the reason."""
    text = environment.get(name) or str(default)
    if not (text.isascii() and text.isdigit() and len(text) <= DIGITS and least <= int(text) <= most):
        raise BadSetting(f"{name} must be a whole number from {least} to {most}, not {text!r:.40}")
    return int(text)


def share(environment: Mapping[str, str], name: str, default: float) -> float:
    """Return a number from 0 to 1. Raises BadSetting with the reason."""
    text = environment.get(name) or str(default)
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 <= number <= 1:
        raise BadSetting(f"{name} must be a number from 0 to 1, such as {default}, not {text!r:.40}")
    return number


def switch(environment: Mapping[str, str], name: str, *, default: bool = False) -> bool:
    """Return whether a setting is 1; 0 is off, and an empty one is the default. Raises BadSetting with the reason."""
    text = environment.get(name) or str(int(default))
    if text not in ("0", "1"):
        raise BadSetting(f"{name} must be 1 or 0, not {text!r:.40}")
    return text == "1"


def chosen_word(environment: Mapping[str, str], name: str, words: Sequence[str]) -> str:
    """The first, where nothing is said. Raises BadSetting with the words there are."""
    text = environment.get(name) or words[0]
    if text not in words:
        raise BadSetting(f"{name} must be {' or '.join(words)}, not {text!r:.40}")
    return text
