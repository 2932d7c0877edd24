"""The board of Shangzhou-Gold: sixty-four sectors, the tiles up for bid, and how near each player is to winning."""

from collections.abc import Iterable, Sequence
from typing import Final

from bots.viewer.boards.screens import WIDE, together
from bots.viewer.boards.shangzhou import sectors, table
from bots.viewer.boards.shangzhou.in_words import in_words
from bots.viewer.boards.shangzhou.marks import shapes
from bots.viewer.boards.shangzhou.phases import STEPS, sentence, step
from bots.viewer.language import say
from bots.viewer.svg import Layout, Picture, Place, clip, shorten
from engine.core import Seat
from engine.games.shangzhou import Position, Standing, standings

UNIT: Final = "% of a victory"
SCALE: Final = 1.25  # of the sectors on a wide screen
QUIET: Final = ("board", "steps", "key", "turn", "order", "now", "asked", "reach", "stack", "hand", "plate-", "holds-")
LONGEST_TEXT: Final = 399  # characters of a picture in words


def draw(at: Position, names: Sequence[str], shown: frozenset[Seat]) -> Picture:  # noqa: ARG001 - all but the stack is public
    """The same for everybody: the stack alone is hidden, and lies face down."""
    found = standings(at)
    parts = {
        "shapes": shapes(),
        "board": sectors.board(),
        "wide-steps": table.steps(),
        "wide-key": table.key(3, 130),
        "slim-key": table.key(4, 120),
        "turn": table.turn(at),
        "order": table.order(at),
        "wide-now": table.now(at),
        "slim-now": table.now_alone(at),
        "asked": table.question(at, names),
        **sectors.sectors(at),
        "reach": sectors.reach(at),
        "places": sectors.places(),
        **table.lots(at),
        "hand": table.hand(at),
        **table.players(at, names, found),
    }
    players = at.options.players
    slim = Layout(table.WIDTH, table.height(players), table.slim(players))
    words = in_words(at, names, found)
    return Picture(*WIDE, parts, _says(at, names, found), _wide(players, parts), slim, QUIET, words)


def _wide(players: int, parts: Iterable[str]) -> dict[str, Place]:
    """The steps over the sectors and the tiles, and all else beside them."""
    squares = Place(-4, 30 - SCALE * sectors.TOP, SCALE)
    on_board = together(parts, "board", "sector-", "reach", "places", "lot-", "stack", "hand", at=squares)
    above = together(parts, "wide-steps", "wide-now", at=Place(4, -32, 1.24))
    return {**on_board, **above, **table.wide(players)}


def worth(at: Position) -> list[float]:
    """How far each is on the way to a victory on which it is farthest: Clout, sectors or Critical Nodes.

    Clout on a tile is the bidder's as long as the bids go on.
    """
    bid = [sum(lot.bids[seat] for lot in at.lots) for seat in range(at.options.players)]
    whole = [its._replace(clout=its.clout + more) for its, more in zip(standings(at), bid, strict=True)]
    return [_progress(table.ways(at, seat, its)) for seat, its in enumerate(whole)]


def _progress(ways: Iterable[tuple[int, int]]) -> float:
    return round(100 * max(has / goal for has, goal in ways), 1)


def _says(at: Position, names: Sequence[str], found: Sequence[Standing]) -> str:
    now = f", {say(STEPS[step(at)])}" if step(at) >= 0 else ""
    each = "; ".join(
        say(
            "seat %(seat)s, %(name)s: %(clout)s Clout, %(sectors)s sectors, %(nodes)s nodes",
            seat=seat,
            name=shorten(names, seat, 15),
            clout=its.clout,
            sectors=its.sectors,
            nodes=its.nodes,
        )
        for seat, its in enumerate(found)
    )
    question = f"{asks}. " if (asks := sentence(at, names)) else ""
    return clip(
        say(
            "Shangzhou-Gold, turn %(turn)s%(now)s. %(question)sStanding: %(each)s.",
            turn=at.turn,
            now=now,
            question=question,
            each=each,
        ),
        LONGEST_TEXT,
    )
