"""The encodings in which editors save a text, told by its bytes."""

import codecs

# The mark of UTF-32 begins with that of UTF-16.
MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
UNMARKED = {"UTF-16-BE": 0, "UTF-16-LE": 1}  # which byte of two is NUL in an ASCII character
LEAST_ASCII = 1 / 10  # of the characters of a text, and two at least: its line ends, spaces and signs


def declared_encoding(content: bytes) -> str:
    """Return the encoding of a text by its mark, or by where the NUL bytes of its ASCII characters are."""
    marked = next((encoding for mark, encoding in MARKS.items() if content.startswith(mark)), "")
    return marked or unmarked_utf16(content) or "UTF-8"


def unmarked_utf16(content: bytes) -> str:
    """Return which UTF-16 a text without its mark is in, whatever it begins with; "" if in none."""
    if content.startswith(codecs.BOM_UTF8):
        return ""
    zeros = {encoding: content[first::2].count(0) for encoding, first in UNMARKED.items()}
    most = max(zeros, key=zeros.__getitem__)
    begins = content[:2].count(0) == 1 and content[UNMARKED[most]] == 0
    enough = len(content) % 2 == 0 and zeros[most] >= max(2, len(content) // 2 * LEAST_ASCII)
    return most if zeros[most] > sum(zeros.values()) / 2 and (begins or enough) else ""


def decoded(content: bytes) -> str:
    """Return the text without its mark, its line ends as Unix writes them. Raises UnicodeDecodeError."""
    text = content.decode(declared_encoding(content)).removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    return text.replace("\r\n", "\n").replace("\r", "\n")
