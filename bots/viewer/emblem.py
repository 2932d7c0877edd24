"""Emblems: a figure for each name, the same on the left and on the right, by which bots are told apart at a glance.

An emblem is a pure function of the name and of two colours. Who sees no colours tells them apart too: the figure has
two tones on a third, and the tile one of four shapes.
"""

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Final, NamedTuple

ROWS: Final = 6  # of the figure, and columns; the tile has one more on each side
STATES: Final = "   ###.."  # of a cell, by three bits: what is blank, drawn, or drawn in the second tone
TILES: Final = (
    "M1 0h6q1 0 1 1v6q0 1-1 1H1q-1 0-1-1V1q0-1 1-1z",
    "M1.5 0h5L8 1.5v5L6.5 8h-5L0 6.5v-5z",
    "M0 4q0-4 4-4t4 4v4H0z",
    "M0 0h8v4q0 4-4 4t-4-4z",
)
COLOURS: Final = (  # of the tile and of the figure
    *("#17324d #f4c95d", "#5b2333 #f7d9c4", "#0b4f48 #a7f0c8", "#3d2c6b #e0c3fc", "#7a2e0e #ffd9a0", "#1f3b1c #d4e79e"),
    *("#f2d0a4 #6b2b1a", "#cfe8ef #123f5a", "#f6c6d0 #6a1239", "#dfe5c0 #34430f", "#202428 #ffb45c", "#ded3f5 #43227a"),
)
HEX: Final = re.compile(r"#[0-9a-f]{6}")
CONTRAST: Final = 3.0  # that the two colours of an emblem have at least


class Emblem(NamedTuple):
    """What is drawn: the shape of the tile, the rows of the figure, and the two colours."""

    tile: int
    rows: tuple[str, ...]
    ground: str
    figure: str


def emblem_of(name: str, colours: str = "") -> Emblem:
    """Return the emblem of a name; `colours` are two of the form `#17324d`, by default those of the name."""
    bits = int.from_bytes(sha256(name.encode("utf-8", "replace")).digest())
    halves = ["".join(STATES[bits >> 3 * (3 * row + column) & 7] for column in range(3)) for row in range(ROWS)]
    rest = bits >> 9 * ROWS
    ground, figure = (colours or COLOURS[(rest >> 2) % len(COLOURS)]).split()
    return Emblem(rest & 3, tuple(half + half[::-1] for half in halves), ground, figure)


def emblem_svg(emblem: Emblem, attributes: str) -> str:
    """Return the SVG, less than 1 kB, with these attributes."""
    tones = (("#", ""), (".", ' opacity=".5"'))
    figure = "".join(
        f'<path fill="{emblem.figure}"{opacity} d="{lines}"/>'
        for tone, opacity in tones
        if (lines := "".join(boxes_of(emblem.rows, tone)))
    )
    tile = f'<path fill="{emblem.ground}" d="{TILES[emblem.tile]}"/>'
    return f'<svg {attributes} viewBox="0 0 8 8">{tile}{figure}</svg>'


def boxes_of(rows: Sequence[str], tone: str) -> Iterator[str]:
    """Yield the cells of a tone, those side by side as one box."""
    for y, row in enumerate(rows, 1):
        x = 1
        for state, cells in groupby(row):
            width = len(list(cells))
            if state == tone:
                yield f"M{x} {y}h{width}v1h-{width}z"
            x += width


def contrast(first: str, second: str) -> float:
    """Return how much two colours contrast, from 1 to 21, as WCAG has it."""
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    shares = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
