"""The board of Shangzhou-Gold: sixty-four sectors, the tiles up for bid, and how near each player is to winning."""

from collections.abc import Iterable, Sequence
from typing import Final

from engine.core import Seat
from engine.games.shangzhou import Position, Standing, standings
from tournaments.viewer.boards.shangzhou import sectors, table
from tournaments.viewer.boards.shangzhou.marks import shapes
from tournaments.viewer.boards.shangzhou.phases import STEPS, sentence, step
from tournaments.viewer.svg import Picture, clip, group, shorten

UNIT: Final = "% of a victory"
LONGEST_TEXT: Final = 399  # characters of a picture in words


def draw(at: Position, names: Sequence[str], shown: frozenset[Seat]) -> Picture:  # noqa: ARG001 - all but the stack is public
    """The same for everybody: the stack alone is hidden, and lies face down."""
    found = standings(at)
    height = table.height(at.options.players)
    parts = {
        "board": shapes() + sectors.board() + table.steps(),
        "key": group(table.key(), at=(0, height - 24)),
        "turn": table.turn(at),
        "order": table.order(at),
        "now": table.now(at),
        "asked": table.question(at, names),
        **sectors.sectors(at),
        "reach": sectors.reach(at),
        **table.lots(at),
        **table.players(at, names, found),
    }
    return Picture(table.WIDTH, height, parts, _says(at, names, found))


def worth(at: Position) -> list[float]:
    """How far each is on the way to a victory on which it is farthest: Clout, sectors or Critical Nodes.

    Clout on a tile is the bidder's as long as the bids go on.
    """
    bid = [sum(lot.bids[seat] for lot in at.lots) for seat in range(at.options.players)]
    whole = [its._replace(clout=its.clout + more) for its, more in zip(standings(at), bid, strict=True)]
    return [_progress(table.ways(at, seat, its).values()) for seat, its in enumerate(whole)]


def _progress(ways: Iterable[tuple[int, int]]) -> float:
    return round(100 * max(has / goal for has, goal in ways), 1)


def _says(at: Position, names: Sequence[str], found: Sequence[Standing]) -> str:
    now = f", {STEPS[step(at)]}" if step(at) >= 0 else ""
    each = "; ".join(
        f"seat {seat}, {shorten(names, seat, 15)}: {its.clout} Clout, {its.sectors} sectors, {its.nodes} nodes"
        for seat, its in enumerate(found)
    )
    question = f"{asks}. " if (asks := sentence(at, names)) else ""
    return clip(f"Shangzhou-Gold, turn {at.turn}{now}. {question}Standing: {each}.", LONGEST_TEXT)
