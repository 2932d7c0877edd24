"""Which scripts a name is written in, and which may be mixed in one name (Unicode TS 39, highly restrictive).

Python has no data on scripts, but a character's Unicode name begins with its script: DEVANAGARI LETTER KA.
"""

from typing import Final
from unicodedata import category, name

# Those that people write today (Unicode Annex 31, table 5).
KNOWN: Final = frozenset(
    {
        *(
            "ARABIC",
            "ARMENIAN",
            "BENGALI",
            "BOPOMOFO",
            "CJK",
            "CYRILLIC",
            "DEVANAGARI",
            "ETHIOPIC",
            "GEORGIAN",
            "GREEK",
        ),
        *("GUJARATI", "GURMUKHI", "HANGUL", "HEBREW", "HIRAGANA", "KANNADA", "KATAKANA", "KHMER", "LAO", "LATIN"),
        *("MALAYALAM", "MYANMAR", "ORIYA", "SINHALA", "TAMIL", "TELUGU", "THAANA", "THAI", "TIBETAN"),
    }
)
AKIN: Final = {"IDEOGRAPHIC": "CJK", "EXTENDED": "ARABIC"}  # 々, and the digits of Persian and Urdu
TOGETHER: Final = (  # scripts of which one language uses several
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)
# Letters of linguists, clicks, tones and what is long out of use: they are taken for others and for signs.
STRANGE: Final = frozenset(
    chr(code)
    for first, last in (
        *((0x0184, 0x0185), (0x018D, 0x018D), (0x0196, 0x0196), (0x01A6, 0x01A8), (0x01AA, 0x01AB), (0x01B9, 0x01C3)),
        *((0x021C, 0x021D), (0x0222, 0x0225), (0x0234, 0x0258), (0x025A, 0x02FF), (0x0370, 0x037F), (0x03CF, 0x03FF)),
        *((0x0460, 0x0489), (0x0640, 0x0640), (0x1D00, 0x1DFF), (0x2C60, 0x2C7F), (0xA640, 0xA69F), (0xA720, 0xA7FF)),
        *((0xAB30, 0xAB6F), (0x1100, 0x11FF), (0xA960, 0xA97F), (0xD7B0, 0xD7FF)),
    )
    for code in range(first, last + 1)
)
LETTERS: Final = ("Lu", "Ll", "Lo", "Lm", "Nd")


def script_of(sign: str) -> str:
    """ "" where it is no letter, mark or digit of a script in use; COMBINING for a mark of several."""
    if sign in STRANGE or category(sign) not in (*LETTERS, "Mn", "Mc"):
        return ""
    word = name(sign, "").split(" ")[0].split("-")[0]
    word = AKIN.get(word, word)
    return word if word in KNOWN or word == "COMBINING" else ""


def is_letter(sign: str) -> bool:
    """Or a digit."""
    return (sign.isascii() and sign.isalnum()) or (category(sign) in LETTERS and script_of(sign) in KNOWN)


def is_mark(sign: str) -> bool:
    """Return whether a sign is a mark that a letter carries."""
    return category(sign) in ("Mn", "Mc") and bool(script_of(sign))


def scripts_of(text: str) -> set[str]:
    """The digits 0 to 9 belong to all."""
    return {script_of(sign) for sign in text if not (sign.isascii() and sign.isdigit())} & KNOWN


def may_stand_together(scripts: set[str]) -> bool:
    return len(scripts) < 2 or any(scripts <= group for group in TOGETHER)
