"""The map: its hexes never move, a built hex shows its company and its chips, and bridges join those of a company."""

from functools import lru_cache
from math import sqrt
from typing import Final

from bots.games.network.commentary import CALLED, company_hue, company_letter
from bots.viewer.language import cached_by_language, say
from bots.viewer.svg import Markup, element, group, rect, text, tooltip
from engine.games.network import Board, Layout, Position, board
from engine.games.network.pieces import LARGE, SMALL, Hex, Kind, disc

Point = tuple[float, float]

WIDTH: Final = 480
MAP_TOP, MAP_BOTTOM = 78, 506
SIZES: Final = {SMALL: 38.0, LARGE: 30.0}  # from the middle of a hex to its corners, by radius of the map
GAP: Final = 0.94  # how much of its size a hex takes up: what is left shows as a line between two
BRIDGE: Final = 0.12  # how far it reaches to each side of an edge, in steps from hex to hex
KINDS: Final = {"standard": "standard hex", "city": "city", "mountain": "mountain", "start": "start"}
PEAKS: Final = "M-15 9L-5 -9L1 1L5 -4L15 9Z"
CITY: Final = "M-11 9V-2H-5V-9H3V-4H11V9Z"
FLOOR, CHIP = 7, 4  # where the lowest chip of a stack lies, and how much higher each of the others


@lru_cache(maxsize=8)
def middles(radius: int) -> tuple[Point, ...]:
    """Return the middle of each hex, by number."""
    size, x, y = SIZES[radius], WIDTH / 2, (MAP_TOP + MAP_BOTTOM) / 2
    return tuple((round(x + sqrt(3) * size * (q + r / 2), 1), round(y + 1.5 * size * r, 1)) for q, r in disc(radius))


@cached_by_language(256)
def landscape(layout: Layout) -> Markup:
    """Draw all that is there before anybody builds."""
    laid_out = board(layout)
    laid = zip(laid_out.kinds, disc(layout.radius), middles(layout.radius), strict=True)
    return "".join(_hex(layout.radius, *each) for each in laid) + _key()


def _title(kind: Kind, place: Hex) -> Markup:
    """Return the coordinates by which bots name the hex, and what it is, to be seen by pointing at it."""
    q, r = place
    return element("title", f"({q}, {r}) {say(KINDS[kind])}")


def hex_shapes(layout: Layout) -> Markup:
    """Return the definitions that the other parts refer to."""
    radius = layout.radius
    size = SIZES[radius] * GAP
    half, quarter = round(size * sqrt(3) / 2, 1), size / 2
    d = f"M0 {-size:g}L{half:g} {-quarter:g}V{quarter:g}L0 {size:g}L{-half:g} {quarter:g}V{-quarter:g}Z"
    shapes = {f"nw-hex-{radius}": d, "nw-city": CITY, "nw-peaks": PEAKS}
    return element("defs", "".join(element("path", id=name, d=d) for name, d in shapes.items()))


def _hex(radius: int, kind: Kind, place: Hex, middle: Point) -> Markup:
    x, y = middle
    marks = {"city": ("nw-city", "nw-key"), "mountain": ("nw-peaks", "nw-mark")}
    mark = _mark(*marks[kind], x, y - 7 * (kind == "city")) if kind in marks else ""
    words = text(say("start"), x, y - 2, "nw-start-word middle") + text(5, x, y + 15, "nw-start-word middle strong")
    drawn = use_hex(radius, middle, f"nw-{kind}") + mark + (words if kind == "start" else "")
    return group(_title(kind, place), drawn)


def use_hex(radius: int, middle: Point, class_: str, place: tuple[int, int] | None = None) -> Markup:
    named = {"data_place": f"hex:{place[0]},{place[1]}"} if place else {}
    return element("use", href=f"#nw-hex-{radius}", x=middle[0], y=middle[1], class_=class_, **named)


def _mark(shape: str, class_: str, x: float, y: float) -> Markup:
    return element("use", href=f"#{shape}", x=x, y=y, class_=class_)


def _key() -> Markup:
    city, peaks = _mark("nw-city", "nw-key", 18, 474), _mark("nw-peaks", "nw-mark", 18, 496)
    pays = tooltip(say("when built, pays each share of its company a dollar a chip"))
    city = group(pays, city, text(say("city"), 38, 479, "faint"))
    return city + group(tooltip(say("nobody builds there")), peaks, text(say("mountain"), 38, 501, "faint"))


@cached_by_language(256)
def hex_areas(layout: Layout) -> Markup:
    """Draw the areas that are clicked to choose a hex, above all that is built on it."""
    radius, kinds = layout.radius, board(layout).kinds
    named = zip(kinds, disc(radius), middles(radius), strict=True)
    sites = [(_title(kind, hex_), middle, hex_) for kind, hex_, middle in named if kind in ("standard", "city")]
    return "".join(group(title, use_hex(radius, middle, "hit", hex_)) for title, middle, hex_ in sites)


def hexes(position: Position) -> dict[str, Markup]:
    """A part for each hex that can be built."""
    board = position.board
    radius = board.layout.radius
    return {
        f"hex-{number}": _built(radius, number, position.owner[number], position.value[number], kind)
        if position.value[number]
        else ""
        for number, kind in enumerate(board.kinds)
        if kind in ("standard", "city")
    }


@cached_by_language(1 << 12)
def _built(radius: int, number: int, company: int, value: int, kind: Kind) -> Markup:
    """The hex in the company's colour, its cube on the left, and on the right a stack of chips, counted on top."""
    middle = middles(radius)[number]
    chips = "".join(_chip(FLOOR - CHIP * level) for level in range(value))
    count = text(value, 9, FLOOR + 5 - CHIP * (value - 1), "middle nw-figure")
    cube = rect(-23, -9, 18, 18, f"nw-cube {company_hue(company)} outline", rx=3)
    cube += text(company_letter(company), -14, 5, "middle nw-figure")
    city = _mark("nw-city", "nw-built-mark", 0, -17) if kind == "city" else ""
    inner = group(city, cube, chips, count, at=middle)
    inked = use_hex(radius, middle, f"nw-built-{kind} {company_hue(company)}") + inner
    q, r = disc(radius)[number]
    says = say("(%(q)s, %(r)s): %(value)s of %(company)s", q=q, r=r, company=CALLED[company], value=value)
    return group(element("title", says), inked, data_follow=company, tabindex=-1)  # a tap follows its company too


def _chip(y: float) -> Markup:
    return element("ellipse", cx=9, cy=y, rx=12, ry=8, class_="nw-chip")


def hexes_of(position: Position, company: int) -> list[str]:
    """List the company's hexes in words."""
    hexes = zip(disc(position.board.layout.radius), position.owner, position.value, strict=True)
    built = [hex_ for hex_ in hexes if hex_[1] == company and hex_[2]]
    return [say("%(value)s on (%(q)s, %(r)s)", value=value, q=q, r=r) for (q, r), _, value in built]


def networks(position: Position) -> dict[str, Markup]:
    """Draw for each company the bridges between its hexes, over their edges."""
    owner = tuple(position.owner)
    return {
        f"network-{company}": _bridges(position.board, owner, company) for company in range(position.options.players)
    }


@cached_by_language(1 << 9)
def _bridges(board_: Board, owner: tuple[int, ...], company: int) -> Markup:
    hexes = [number for number, owned_by in enumerate(owner) if owned_by == company]
    joined = {
        (min(first, second), max(first, second))
        for first in hexes
        for second in board_.open[first]
        if second in hexes or second == board_.start
    }
    where = middles(board_.layout.radius)
    d = "".join(_bridge(where[first], where[second]) for first, second in sorted(joined))
    drawn = element("path", d=d, class_=f"nw-bridge {company_hue(company)} outline")
    joins = tooltip(say("joins the hexes of one company’s network"))
    return group(joins, drawn, data_follow=company) if d else ""


def _bridge(first: Point, second: Point) -> str:
    """Over the edge between two hexes."""
    (x1, y1), (x2, y2) = first, second
    near, far = 0.5 - BRIDGE, 0.5 + BRIDGE
    start, end = (x1 + (x2 - x1) * near, y1 + (y2 - y1) * near), (x1 + (x2 - x1) * far, y1 + (y2 - y1) * far)
    return f"M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}"
