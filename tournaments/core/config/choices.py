"""Settings from the environment that allow a few words."""

from collections.abc import Mapping, Sequence

from workers.addresses import BadSetting


def chosen_word(environment: Mapping[str, str], name: str, words: Sequence[str]) -> str:
    """The first, where nothing is said. Raises BadSetting with the words there are."""
    text = environment.get(name) or words[0]
    if text not in words:
        raise BadSetting(f"{name} must be {' or '.join(words)}, not {text!r:.40}")
    return text
