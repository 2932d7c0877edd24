"""The sixty-four sectors: what lies on each, whose agents are there, and who alone controls it."""

from functools import cache
from typing import Final

from bots.games.shangzhou.board.marks import does, mark, seat_piece
from bots.games.shangzhou.board.phases import phase, to_answer
from bots.viewer.language import cached_by_language, say, say_number
from bots.viewer.svg import Markup, element, group, rect, text, tooltip
from engine.core import Seat
from engine.games.shangzhou import HOMES, Position, valid
from engine.games.shangzhou.pieces import SECTORS, SIDE

LEFT, TOP, CELL = 16, 78, 49
BOTTOM: Final = TOP + SIDE * CELL
# What a sector without agents is called: there is room for five letters.
CALLED: Final = {"C": "Com.", "P": "Prod.", "U": "Pub.", "S": "Stor.", "R": "Restr", "N": "Node"}
# What is no tile, in short and in full.
OURS: Final = {"home": ("Home", "Home Node"), "free": ("free", "A place for a Home Node")}
FILES: Final = "abcdefgh"
# Where the tokens of one, two, three or four seats lie in a sector.
PLACES: Final = {
    1: ((28, 28),),
    2: ((35, 13), (18, 35)),
    3: ((36, 12), (13, 35), (37, 36)),
    4: ((37, 12), (12, 37), (37, 37), (13, 12)),
}


def corner(sector: int) -> tuple[int, int]:
    """a1 lies below on the left, as on a chessboard."""
    row, column = divmod(sector, SIDE)
    return LEFT + CELL * column, TOP + CELL * (SIDE - 1 - row)


@cached_by_language()
def empty_sectors() -> Markup:
    """The sectors with nothing on them, and their names at the edge."""
    squares = [rect(*corner(sector), CELL, CELL, f"sz-square-{sum(divmod(sector, SIDE)) % 2}") for sector in SECTORS]
    files = [text(name, LEFT + CELL * (n + 0.5), BOTTOM + 13, "faint middle") for n, name in enumerate(FILES)]
    ranks = [text(n + 1, LEFT - 8, BOTTOM - CELL * (n + 0.5) + 4, "faint middle") for n in range(SIDE)]
    named = group(tooltip(say("Sectors are named as on a chessboard")), *files, *ranks)
    return "".join([*squares, named])


@cache
def sector_areas() -> Markup:
    """Draw the areas that are clicked to choose a sector, above all that lies there."""
    squares = [rect(*corner(sector), CELL, CELL, "hit", data_place=f"sector:{sector}") for sector in SECTORS]
    return "".join(squares)


def sectors(position: Position) -> dict[str, Markup]:
    home_of = {home: seat for seat, home in enumerate(position.homes)}
    free = HOMES if position.to_settle else ()
    return {
        f"sector-{sector}": _sector(sector, zone or "free" * (sector in free), home_of.get(sector, -1), agents)
        for sector, (zone, agents) in enumerate(zip(position.zones, zip(*position.agents, strict=True), strict=True))
    }


@cached_by_language(1 << 14)
def _sector(sector: int, zone: str, home: Seat, agents: tuple[int, ...]) -> Markup:
    if not zone and not any(agents):
        return ""
    seats = [seat for seat, number in enumerate(agents) if number]
    held = rect(2, 2, CELL - 4, CELL - 4, f"sz-held seat-{seats[0]} outline", rx=5) if len(seats) == 1 else ""
    places, size = PLACES.get(len(seats), ()), 1.2 if len(seats) == 1 else 1
    number = [
        seat_piece(seat, agents[seat], *place, size, _agents(seat, agents[seat]))
        for seat, place in zip(seats, places, strict=True)
    ]
    here = "" if zone else tooltip(say("Agents, who hold a sector if nobody else’s are there"))
    return group(here, _tile(zone, home, bool(seats)), held, *number, at=corner(sector))


def _agents(seat: Seat, number: int) -> str:
    return say_number("%(number)s agent of seat %(seat)s", "%(number)s agents of seat %(seat)s", number, seat=seat)


def _tile(zone: str, home: Seat, covered: bool) -> Markup:
    """Draw the tile's sign: small and in the corner where agents need the room."""
    if not zone:
        return ""
    x, y, size = (14, 14, 0.7) if covered else (CELL / 2, CELL / 2 - 5, 0.95)
    shape, ink = (
        ("home", "sz-free") if zone == "free" else (zone, f"seat-{home}" if zone == "home" else f"sz-ink-{zone}")
    )
    short, full = [say(words) for words in OURS[zone]] if zone in OURS else (CALLED[zone], does(zone))
    called = "" if covered else text(short, CELL / 2, CELL - 5, "middle")
    return tooltip(full) + rect(2, 2, CELL - 4, CELL - 4, f"sz-{zone}", rx=5) + mark(shape, x, y, ink, size) + called


def reach_dots(position: Position) -> Markup:
    """Dots where the one who may place agents may do so."""
    seats = to_answer(position)
    if not seats or phase(position) != "expand" or not position.clout[seats[0]]:
        return ""
    dots = [corner(sector) for sector in valid(position, seats[0])]
    drawn = element("path", d="".join(f"M{x + 7} {y + CELL - 7}h.1" for x, y in dots), class_="sz-reach")
    return group(tooltip(say("agents may be placed here now")), drawn)
