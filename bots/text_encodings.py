"""The encodings in which editors save a text, told by its first bytes."""

import codecs

# The mark of UTF-32 begins with that of UTF-16.
MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
UNMARKED = {(False, True): "UTF-16-LE", (True, False): "UTF-16-BE"}  # by which of the first two bytes are NUL


def declared_encoding(content: bytes) -> str:
    """Return the encoding of a text that begins with an ASCII character or a mark."""
    marked = next((encoding for mark, encoding in MARKS.items() if content.startswith(mark)), "")
    return marked or UNMARKED.get((content[:1] == b"\0", content[1:2] == b"\0"), "UTF-8")


def decoded(content: bytes) -> str:
    """Return the text without its mark, its line ends as Unix writes them. Raises UnicodeDecodeError."""
    text = content.decode(declared_encoding(content)).removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    return text.replace("\r\n", "\n").replace("\r", "\n")
