"""Values of queries and forms, checked."""


def whole(text: str | None) -> int | None:
    """The whole number that `text` spells, if the database can hold it."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else None
