"""Text without what no text needs: control characters but tabs and line ends, halves of characters, and code points
that Unicode keeps for no character. The database, XML and mail refuse them, each a part.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.http import QueryDict

BREAKS = re.compile("(?: ?[\v\f\x1c-\x1f\x85])+ ?")  # where some programs begin a new line, or field
NO_TEXT = re.compile(
    r"\x1b\[[0-9;?]*[A-Za-z]|"  # a terminal's colours
    "[\u202d\u202e"  # what turns round the text that follows
    "\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
    + "]"
)
LINKS = re.compile(  # what mail programs make a link of: a scheme, a host's dot, an address's @
    r"(?<=\w:)(?=//)|(?<=\S[.\u3002\uff0e\uff61])(?=[^\W\d_]{2})|(?<=\S)(?=@\w)|(?<=mailto:)|(?<=www\.)(?=\S)",
    re.IGNORECASE,
)
VERBATIM = re.compile(".*password.*|.*secret.*|source")  # fields that keep what was typed: nobody sees the difference


def clean_text(text: str) -> str:
    """Return what people typed, or programs sent, without those characters. Breaks become spaces, so that words stay
    apart."""
    return NO_TEXT.sub("", BREAKS.sub(" ", text))


def one_line(text: str) -> str:
    """Return the cleaned text with single spaces, as titles and subjects have them."""
    return " ".join(clean_text(text).split())


def without_links(text: str) -> str:
    """Return what people wrote with a space in each link and address, so that a mail program opens none."""
    return LINKS.sub(" ", text)


def storable(text: str) -> str:
    """Return what bots and programs wrote as the database can hold it, and otherwise as it is."""
    return text.replace("\0", "\ufffd").encode(errors="replace").decode()


def cleaned(value: Any) -> Any:
    """Return plain data with all its texts cleaned."""
    match value:
        case str():
            return clean_text(value)
        case dict():
            return {clean_text(key): cleaned(part) for key, part in value.items()}
        case list():
            return [cleaned(part) for part in value]
    return value


def cleaned_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a form or a body cleaned, but for passwords and sources of bots."""
    return {clean_text(name): part if VERBATIM.fullmatch(name) else cleaned(part) for name, part in fields.items()}


def cleaned_query(sent: "QueryDict") -> "QueryDict":
    """Return the fields of a query or a form, as `cleaned_fields`."""
    fields = sent.copy()
    fields.clear()
    for name, values in cleaned_fields(dict(sent.lists())).items():
        fields.setlist(name, values)
    return fields
