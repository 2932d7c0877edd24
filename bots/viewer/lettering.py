"""Text that fits its room in any typeface."""

from collections.abc import Sequence
from typing import Final

from bots.viewer.svg import Markup, clip, text

CLOSEST: Final = 0.72  # of their own width
NARROW, BROAD = frozenset("fijlrtI.,:;'!|()[] "), frozenset("mwMW%@…")


def _letters(words: str) -> float:
    """How many middling letters these are as wide as."""
    return sum(0.7 if letter in NARROW else 1.5 if letter in BROAD else 1.0 for letter in words)


def squeeze(words: str, x: float, y: float, width: float, class_: str, letter: float = 6.6) -> Markup:
    """Words that stay within `width`, drawn closer where letters may be as wide as `letter`, and clipped where they
    would be too close to be read."""
    while _letters(words) * letter * CLOSEST > width and len(words) > 2:
        words = clip(words, len(words) - 1)
    if _letters(words) * letter <= width:
        return text(words, x, y, class_)
    return text(words, x, y, class_, textLength=width, lengthAdjust="spacingAndGlyphs")


def squeezed(
    lines: Sequence[str], x: float, y: float, pitch: float, width: float, class_: str, letter: float = 6.6
) -> Markup:
    """Lines under each other."""
    return "".join(squeeze(line, x, y + number * pitch, width, class_, letter) for number, line in enumerate(lines))


def wrap(words: str, length: int, lines: int) -> list[str]:
    """Broken between words so that no line is longer, if it can be; what is over is clipped off the last line."""
    out: list[str] = []
    for word in words.split():
        if out and (len(out) == lines or len(out[-1]) + 1 + len(word) <= length):
            out[-1] = f"{out[-1]} {word}"
        else:
            out.append(word)
    return [clip(line, length) for line in out]
