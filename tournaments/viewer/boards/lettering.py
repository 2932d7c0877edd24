"""Text that fits its room in any typeface."""

from collections.abc import Sequence

from tournaments.viewer.svg import Markup, clip, text


def squeeze(words: str, x: float, y: float, width: float, class_: str, letter: float = 6.6) -> Markup:
    """Words that stay within `width`, drawn closer where letters may be as wide as `letter`."""
    if len(words) * letter <= width:
        return text(words, x, y, class_)
    return text(words, x, y, class_, textLength=width, lengthAdjust="spacingAndGlyphs")


def squeezed(lines: Sequence[str], x: float, y: float, pitch: float, width: float, class_: str) -> Markup:
    """Lines under each other."""
    return "".join(squeeze(line, x, y + number * pitch, width, class_) for number, line in enumerate(lines))


def wrap(words: str, length: int, lines: int) -> list[str]:
    """Broken between words so that no line is longer, if it can be; what is over is clipped off the last line."""
    out: list[str] = []
    for word in words.split():
        if out and (len(out) == lines or len(out[-1]) + 1 + len(word) <= length):
            out[-1] = f"{out[-1]} {word}"
        else:
            out.append(word)
    return [clip(line, length) for line in out]
