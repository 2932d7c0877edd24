"""The typed query, as words to search for."""

from dataclasses import dataclass
from unicodedata import normalize

LONGEST, MOST_WORDS = 100, 8  # characters; more words than that are left out


@dataclass(frozen=True, slots=True)
class Words:
    """`text` with single spaces; `number` of a match, where it can be one (`1204`, `#1204`)."""

    text: str
    each: tuple[str, ...]
    number: int | None

    def __bool__(self) -> bool:
        return bool(self.each)


def words_of(typed: str) -> Words:
    """Return the words of anything typed."""
    each = tuple(normalize("NFKC", typed[:LONGEST]).split()[:MOST_WORDS])  # as names are kept
    digits = each[0].removeprefix("#") if len(each) == 1 else ""
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None
    return Words(" ".join(each), each, number)
