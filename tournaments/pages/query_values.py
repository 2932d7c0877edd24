"""Values of queries and forms, checked."""

from tournaments.errors import Refused


def whole(text: str | None) -> int | None:
    """The whole number that `text` spells, if the database can hold it."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else None


def text_of(typed: str) -> str:
    """The same text, if the database can hold it. Raises Refused: not_text."""
    if "\0" in typed:
        raise Refused("not_text", "there is a NUL character in what you typed, so it is no text; take it out")
    return typed
