"""The ring: its spaces, who owns them, how many product lines they have; and the tokens on it."""

from functools import cache, lru_cache
from math import cos, exp, pi, sin
from typing import Final

from bots.viewer.language import say, say_number
from bots.viewer.svg import Markup, element, group, numbered, text, tooltip
from engine.core import Seat
from engine.games.gigabucks import Position, conglomerate, corporations

MIDDLE: Final = 214  # of the ring, in both directions
INNER, OUTER, NUMBERS, TOKENS, LONGEST = 151.0, 175.0, 142.5, 122.0, 18.0
GAP: Final = 0.0012  # of a full turn, between neighbours of two owners
KEPT: Final = 4096  # drawings of spaces, which are far more than the kinds of them in a match
WITHIN, BEYOND = 133.0, 213.0  # how far what one clicks for a space goes in and out, its number and lines included
CROWDED: Final = 56  # with more spaces, only every fifth has its number


def point(radius: float, turn: float) -> tuple[float, float]:
    """A place by its distance from the middle and its part of a full turn, clockwise from the top."""
    return MIDDLE + radius * sin(2 * pi * turn), MIDDLE - radius * cos(2 * pi * turn)


def _band(inner: float, outer: float, begin: float, end: float) -> str:
    """The path of a piece of a ring."""
    (a, b), (c, d) = point(outer, begin), point(outer, end)
    (e, f), (g, h) = point(inner, end), point(inner, begin)
    outward, back = f"A{outer:g} {outer:g} 0 0 1 {c:.1f} {d:.1f}", f"A{inner:g} {inner:g} 0 0 0 {g:.1f} {h:.1f}"
    return f"M{a:.1f} {b:.1f}{outward}L{e:.1f} {f:.1f}{back}Z"


def space(position: Position, number: int) -> Markup:
    """A space: its number; its owner's colour and number, one piece with neighbours of the same owner; its lines.

    The more lines, the further a bar stands out, though ever less so.
    """
    size, owner = position.options.spaces, position.owner[number]
    words = tooltip(_words(position, number))
    if owner is None:
        look = "gb-inactive" if position.chartered[number] else "gb-vacant"
        piece = _piece(number, size, (True, True), look)
        return group(words, piece, _lines(number, size, position.lines[number], "gb-idle"))
    alone = owner != position.owner[number - 1], owner != position.owner[(number + 1) % size]
    piece = _piece(number, size, alone, f"seat-{owner}")
    return group(words, piece, _lines(number, size, position.lines[number], f"seat-{owner}"))


def _words(position: Position, number: int) -> str:
    """Return whose a space is and what it has. The cost of a landing changes with neighbours: it would mark a space."""
    if position.owner[number] is None:
        inactive = position.chartered[number]
        return say("Space %(space)s: inactive" if inactive else "Space %(space)s: not sold yet", space=number)
    single = "Space %(space)s of seat %(seat)s, %(number)s product line"
    several = "Space %(space)s of seat %(seat)s, %(number)s product lines"
    return say_number(single, several, position.lines[number], space=number, seat=position.owner[number])


@lru_cache(maxsize=KEPT)
def _piece(number: int, size: int, alone: tuple[bool, bool], look: str) -> Markup:
    """The band of a space, apart from neighbours of another owner, with its own number and its owner's."""
    before, after = (GAP if gap else 0 for gap in alone)
    turn = number / size
    band = _band(INNER, OUTER, turn - 0.5 / size + before, turn + 0.5 / size - after)
    label = _at(str(number), NUMBERS, turn, "gb-number") if size <= CROWDED or number % 5 == 0 else ""
    owner = _at(look[-1], (INNER + OUTER) / 2, turn, "on-seat") if look.startswith("seat") else ""
    return element("path", d=band, class_=f"gb-piece {look}") + label + owner


@lru_cache(maxsize=KEPT)
def _lines(number: int, size: int, lines: int, look: str) -> Markup:
    """The bar of product lines, and their number at its end."""
    if not lines:
        return ""
    turn, end = number / size, OUTER + 1 + LONGEST * (1 - exp(-lines / 12))
    half = 0.3 / size
    bar = element("path", d=_band(OUTER + 1, end, turn - half, turn + half), class_=look)
    wide = 2.2 * (len(str(lines)) - 1) * abs(sin(2 * pi * turn))  # beside the ring, a long number needs more room
    return bar + _at(str(lines), end + 8 + wide, turn, "gb-lines")


def _at(words: str, radius: float, turn: float, class_: str) -> Markup:
    x, y = point(radius, turn)
    return text(words, round(x, 1), round(y + 3.8, 1), class_)


@cache
def space_areas(size: int) -> Markup:
    """Draw the areas that are clicked to choose a space: larger than it, for a space is narrow on a phone."""
    bands = [_band(WITHIN, BEYOND, (number - 0.5) / size, (number + 0.5) / size) for number in range(size)]
    return "".join(
        element("path", d=band, class_="hit", data_place=f"space:{number}") for number, band in enumerate(bands)
    )


def ring_token(position: Position, seat: Seat) -> Markup:
    """A token inside the ring, before its space; with a halo if it is that player's turn."""
    space = position.tokens[seat]
    if space is None:
        return ""
    turn = space / position.options.spaces
    x, y = point(TOKENS, turn)
    halo = element("circle", r=13, class_="gb-halo") if seat == position.current and position.to_do else ""
    pin = element("path", d="M-5-8L0-12.5 5-8Z", transform=f"rotate({360 * turn:.1f})", class_=f"seat-{seat}")
    here = tooltip(say("Seat %(seat)s stands on space %(space)s", seat=seat, space=space))
    return group(here, halo, pin, numbered(seat, 0, 0), at=(round(x, 1), round(y, 1)))


def sale_frames(position: Position) -> Markup:
    """A frame round each space that is up for sale now, and a line along those that were landed on dearly."""
    size = position.options.spaces
    frames = [
        _band(INNER - 2, OUTER + 2, (number - 0.5) / size, (number + 0.5) / size)
        for number in sorted(_for_sale(position))
    ]
    due = [
        _band(INNER - 5, INNER - 2, (number - 0.5) / size, (number + 0.5) / size)
        for number in sorted(_costly(position))
    ]
    owed, lots = say("The landing here was dear"), say("Up for sale")
    kinds = [(owed, due, "gb-due"), (lots, frames, "gb-lot")]
    return "".join(
        group(tooltip(words), *(element("path", d=path, class_=look) for path in paths))
        for words, paths, look in kinds
        if paths
    )


def _costly(position: Position) -> list[int]:
    """The conglomerate that the current player owes for, or has paid for."""
    space = position.tokens[position.current]
    if space is None or not position.due or not position.due.amount or position.owner[space] != position.due.to:
        return []
    return conglomerate(position.owner, space)


def _for_sale(position: Position) -> set[int]:
    auction = position.auction
    if not auction:
        return set()
    if auction.space is not None:
        return {auction.space}
    if auction.kind == "involuntary" and auction.by is not None:
        return set(corporations(position, auction.by))
    return {corp for bundle in auction.menu for corp in bundle.corps}
