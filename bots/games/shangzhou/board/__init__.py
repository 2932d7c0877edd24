"""The board of Shangzhou-Gold: sixty-four sectors, the tiles up for bid, and how near each player is to winning."""

from collections.abc import Iterable, Sequence
from typing import Final

from bots.games.shangzhou.board import sectors, table
from bots.games.shangzhou.board.in_words import in_words
from bots.games.shangzhou.board.marks import piece_shapes
from bots.games.shangzhou.board.phases import STEPS, phase_sentence, turn_step
from bots.games.shangzhou.board.table import worth as worth
from bots.viewer.language import say
from bots.viewer.screens import WIDE, same_place
from bots.viewer.svg import Layout, Picture, Place, clip, shorten
from engine.core import Seat
from engine.games.shangzhou import Position, Standing, standings

UNIT: Final = "% of a victory"
SCALE: Final = 1.25  # of the sectors on a wide screen
QUIET: Final = (
    "board",
    "steps",
    "key",
    "turn",
    "order",
    "now",
    "asked",
    "reach",
    "stack",
    "hand",
    "plate-",
    "holds-",
    "way-",
)
LONGEST_TEXT: Final = 399  # characters of a picture in words


def draw(position: Position, names: Sequence[str], shown: frozenset[Seat]) -> Picture:  # noqa: ARG001 - all but the stack is public
    """The same for everybody: the stack alone is hidden, and lies face down."""
    ranking = standings(position)
    parts = {
        "shapes": piece_shapes(),
        "board": sectors.empty_sectors(),
        "wide-steps": table.step_signs(),
        "wide-key": table.key(3, 130),
        "slim-key": table.key(4, 120),
        "turn": table.turn(position),
        "order": table.order(position),
        "wide-now": table.now(position),
        "slim-now": table.now_alone(position),
        "asked": table.question(position, names),
        **sectors.sectors(position),
        "reach": sectors.reach_dots(position),
        "places": sectors.sector_areas(),
        **table.lots(position),
        "hand": table.hand(position),
        **table.players(position, names, ranking),
    }
    players = position.options.players
    slim = Layout(table.WIDTH, table.slim_height(players), table.slim_lines(players))
    words = in_words(position, names, ranking)
    return Picture(*WIDE, parts, _says(position, names, ranking), _wide(players, parts), slim, QUIET, words)


def _wide(players: int, parts: Iterable[str]) -> dict[str, Place]:
    """The steps over the sectors and the tiles, and all else beside them."""
    squares = Place(-4, 30 - SCALE * sectors.TOP, SCALE)
    on_board = same_place(parts, "board", "sector-", "reach", "places", "lot-", "stack", "hand", place=squares)
    above = same_place(parts, "wide-steps", "wide-now", place=Place(4, -32, 1.24))
    return {**on_board, **above, **table.wide_cards(players)}


def _says(position: Position, names: Sequence[str], ranking: Sequence[Standing]) -> str:
    now = f", {say(STEPS[turn_step(position)])}" if turn_step(position) >= 0 else ""
    lines = "; ".join(
        say(
            "seat %(seat)s, %(name)s: %(clout)s Clout, %(sectors)s sectors, %(nodes)s nodes",
            seat=seat,
            name=shorten(names, seat, 15),
            clout=standing.clout,
            sectors=standing.sectors,
            nodes=standing.nodes,
        )
        for seat, standing in enumerate(ranking)
    )
    question = f"{asks}. " if (asks := phase_sentence(position, names)) else ""
    return clip(
        say(
            "Shangzhou-Gold, turn %(turn)s%(now)s. %(question)sStanding: %(each)s.",
            turn=position.turn,
            now=now,
            question=question,
            each=lines,
        ),
        LONGEST_TEXT,
    )
