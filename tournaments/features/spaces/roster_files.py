"""Text files as the programs of any system write them, made text."""

import codecs
import re
from typing import Final

from bots.text_encodings import unmarked_utf16
from tournaments.core.config.plain_text import clean_text
from tournaments.core.errors import Refused
from tournaments.features.spaces.address_lists import unified_line_ends
from tournaments.features.spaces.roster_text import MOST_BYTES

MARKS: Final = {  # the longer first: one begins as the other
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
WINDOWS, MAC = "cp1252", "mac-roman"
GUESSED: Final = (WINDOWS, MAC)
# Bytes that Windows' letters do not use, or use as capitals (Š, Œ, Ž, Ÿ), where an old Mac writes ä, å, é, ü.
NOT_WINDOWS: Final = re.compile(rb"[\x81\x8d\x8f\x90\x9d]|[a-z][\x8a\x8c\x8e\x9f]|[A-Z][\x8a\x8c\x8e\x9f][a-z]")
# What letters of Windows other than the Western ones become, read as those: £ukasz, Pawe³, Ro¿ek, Èâàí.
CENTRAL: Final = re.compile(rb"[\xa3\xa5][a-z]|[A-Za-z]{2}[\xb3\xb9]|[A-Za-z][\xb3\xb9][a-z]")
NOT_WESTERN: Final = re.compile(rb"[A-Za-z][\xaf\xbc\xbe\xbf][a-z]|[\xc0-\xff]{3}")
OTHERS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF", b"{\\rtf")  # spreadsheets and documents


def decoded_roster(data: bytes) -> str:
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
    coding = _coding(data)
    if coding in GUESSED and not _is_western(data, coding):
        raise Refused(
            "bad_roster",
            "its letters are neither in UTF-8 nor Western European ones; save it as “CSV UTF-8”, and choose that file",
        )
    return clean_text(unified_line_ends(data.decode(coding, "replace"))).lstrip("\ufeff")


def is_guessed(data: bytes) -> bool:
    """Return whether letters of the file could be others than those that it is read in."""
    return _coding(data) in GUESSED


def _is_western(data: bytes, coding: str) -> bool:
    if b"\r" in data and b"\n" not in data:
        return True
    return not CENTRAL.search(data) and (coding == MAC or not NOT_WESTERN.search(data))


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
        return MAC if only_returns or NOT_WINDOWS.search(data) else WINDOWS
    return "utf-8"
