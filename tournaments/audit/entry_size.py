"""How much one entry of the public log holds: everybody may read all of them, and for good.

Of a long text there is the beginning, its length and its SHA-256: whoever has it can show that it is the one.
"""

from hashlib import sha256

from engine.sentences import Sentence
from tournaments.audit.chain import Plain, canonical
from tournaments.core.config.budgets import Budget, declare

ENTRY = declare(
    Budget(
        name="entry that an organiser's action writes",
        resource="Public log",
        most=100_000,
        unit="bytes",
        holder="entry",
        where="tournaments.audit.log.append",
        sentence=Sentence("what one action writes into the public log has at most %(most)s bytes; do it in parts"),
    )
)
TEXT = declare(
    Budget(
        name="text in an entry",
        resource="Public log",
        most=2000,
        unit="characters",
        holder="text",
        where="tournaments.audit.entry_size.bounded_detail",
        sentence="a text in the log has at most %(most)s characters; of a longer one there is the beginning",
    )
)
BEGINNING = 200  # characters of a text that is too long


def bounded_detail(detail: dict[str, Plain]) -> dict[str, Plain]:
    """Return the detail with the beginnings of its long texts, and of more of them where it is too long as a whole."""
    shortened = with_beginnings(detail, TEXT.most)
    return shortened if size_in_log(shortened) <= ENTRY.most else with_beginnings(detail, BEGINNING)


def size_in_log(detail: dict[str, Plain]) -> int:
    """Return its bytes in a line of the log."""
    return len(canonical(detail))


def with_beginnings(detail: dict[str, Plain], most: int) -> dict[str, Plain]:
    """Return the detail with the beginnings of texts of more than `most` characters."""
    return {beginning_of_text(name, most): _with_beginnings(value, most) for name, value in detail.items()}


def _with_beginnings(value: Plain, most: int) -> Plain:
    match value:
        case str():
            return beginning_of_text(value, most)
        case dict():
            return with_beginnings(value, most)
        case list():
            return [_with_beginnings(part, most) for part in value]
    return value


def beginning_of_text(text: str, most: int = TEXT.most) -> str:
    """Return the text, or its beginning, its length and its digest if it has more than `most` characters."""
    if len(text) <= most:
        return text
    digest = sha256(text.encode()).hexdigest()
    return f"{text[:BEGINNING]}… ({len(text):,} characters, SHA-256 {digest})"
