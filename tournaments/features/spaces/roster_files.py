"""Text files as the programs of any system write them, made text."""

import codecs
import re
from typing import Final

from bots.text_encodings import unmarked_utf16
from tournaments.core.config.plain_text import clean
from tournaments.core.errors import Refused
from tournaments.features.spaces.address_lists import unified_line_ends
from tournaments.features.spaces.roster_text import MOST_BYTES

MARKS: Final = {  # the longer first: one begins as the other
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Bytes that Windows' letters do not use, or use as capitals (Š, Œ, Ž, Ÿ), where an old Mac writes ä, å, é, ü.
NOT_WINDOWS: Final = re.compile(rb"[\x81\x8d\x8f\x90\x9d]|[a-z][\x8a\x8c\x8e\x9f]|[A-Z][\x8a\x8c\x8e\x9f][a-z]")
OTHERS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF", b"{\\rtf")  # spreadsheets and documents


def decoded(data: bytes) -> str:
    """Return the text by its mark, else as UTF-8, else in Windows' or an old Mac's Latin letters. Raises Refused:
    roster_too_large, bad_roster."""
    if len(data) > MOST_BYTES:
        raise Refused(
            "roster_too_large",
            "the file has %(data)s bytes; a roster has %(most_bytes)s at most",
            data=f"{len(data):,}",
            most_bytes=f"{MOST_BYTES:,}",
        )
    if data.startswith(OTHERS):
        raise Refused(
            "bad_roster", "this is a spreadsheet or document; save it as CSV or as text, and choose that file"
        )
    return clean(unified_line_ends(data.decode(_coding(data), "replace"))).lstrip("\ufeff")


def _coding(data: bytes) -> str:
    for mark, coding in MARKS.items():
        if data.startswith(mark):
            return coding
    if coding := unmarked_utf16(data):
        return coding
    try:
        data.decode()
    except UnicodeDecodeError:
        only_returns = b"\r" in data and b"\n" not in data  # as Excel's "CSV (Macintosh)" ends its lines
        return "mac-roman" if only_returns or NOT_WINDOWS.search(data) else "cp1252"
    return "utf-8"
