"""What arrives in an address or behind a button."""


def whole(text: str | None) -> int | None:
    """The whole number that `text` spells, if the database could know it."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else None
