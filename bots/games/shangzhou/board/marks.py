"""Shapes of tiles and tokens: a seat's tokens differ in shape as well as in colour."""

from typing import Final

from bots.viewer.language import say
from bots.viewer.svg import Markup, element, seat_words, sign, text, tooltip
from engine.core import Seat

NAMES: Final = {
    "C": "Commerce",
    "P": "Production",
    "U": "Public",
    "S": "Storage",
    "R": "Restricted",
    "N": "Critical",
    "H": "Hacker",
    "V": "Virus",
}
DOES: Final = {
    "C": "%(tile)s: yields a die’s roll of Clout each turn to those with agents there",
    "P": "%(tile)s: yields 3 Clout each turn to those with agents there",
    "U": "%(tile)s: yields nothing, and no other tile can be put there",
    "S": "%(tile)s: each agent there keeps 1 Clout for the next turn",
    "R": "%(tile)s: no agent may be placed there",
    "N": "%(tile)s: who holds all four alone wins",
    "H": "%(tile)s: is kept, and takes one tile off the board",
    "V": "%(tile)s: is kept, and removes all agents of one sector",
}
# About 24 wide and high, round their middle.
SHAPES: Final = {
    "C": "M-8-10H8A2 2 0 0 1 10-8V8A2 2 0 0 1 8 10H-8A2 2 0 0 1-10 8V-8A2 2 0 0 1-8-10ZM-7-7V-3H-3V-7ZM3-7V-3H7V-7Z"
    "M-2-2V2H2V-2ZM-7 3V7H-3V3ZM3 3V7H7V3Z",
    "P": "M-11 10V-2L-4-8V-2L3-8V-2L6-5V-11H10V10Z",
    "U": "M-11-3L0-11L11-3ZM-9-1H-5V6H-9ZM-2-1H2V6H-2ZM5-1H9V6H5ZM-11 7H11V10H-11Z",
    "S": "M-11-10H11V-4H-11ZM-9-2H9V10H-9ZM-3 1V4H3V1Z",
    "R": "M-11 0A11 11 0 0 1 11 0A11 11 0 0 1-11 0ZM-7-2.5V2.5H7V-2.5Z",
    "N": "M0-12L3.5-3.5L12 0L3.5 3.5L0 12L-3.5 3.5L-12 0L-3.5-3.5Z",
    "H": "M3-12L-8 2H-1L-3 12L8-3H1Z",
    "V": "M-1-12H1V-6.9L4.2-5.6L7.1-8.5L8.5-7.1L5.6-4.2L6.9-1H12V1H6.9L5.6 4.2L8.5 7.1L7.1 8.5L4.2 5.6L1 6.9V12H-1"
    "V6.9L-4.2 5.6L-7.1 8.5L-8.5 7.1L-5.6 4.2L-6.9 1H-12V-1H-6.9L-5.6-4.2L-8.5-7.1L-7.1-8.5L-4.2-5.6L-1-6.9Z",
    "home": "M0-12L12-1H8V11H-8V-1H-12Z",
}


def does(tile: str) -> str:
    """Return what a tile is called and what it does."""
    return say(DOES[tile], tile="Critical Node" if tile == "N" else NAMES[tile])


def piece_shapes() -> Markup:
    """Return the definitions that `mark` and `seat_piece` refer to."""
    paths = [element("path", id=f"sz-{name}", d=d, fill_rule="evenodd") for name, d in SHAPES.items()]
    return element("defs", "".join(paths))


def mark(shape: str, x: float, y: float, class_: str, size: float = 1) -> Markup:
    scale = f" scale({size:g})" if size != 1 else ""
    return element("use", href=f"#sz-{shape}", transform=f"translate({x:g} {y:g}){scale}", class_=class_)


def seat_piece(seat: Seat, number: object, x: float, y: float, size: float = 1, words: str = "") -> Markup:
    """Draw a seat's piece with a number of pieces or the seat's number on it; `words` say what it is."""
    scale = f" scale({size:g})" if size != 1 else ""
    piece = tooltip(words or seat_words(seat)) + sign(seat, 0, 0) + text(number, 0, 4.5, "on-seat")
    return element("g", piece, transform=f"translate({x:g} {y:g}){scale}")
