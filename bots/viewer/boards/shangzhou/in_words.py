"""The board in words, a line for each thing on it: what the picture shows, for those who hear it."""

from collections.abc import Iterable, Sequence

from bots.viewer.boards.shangzhou.marks import NAMES
from bots.viewer.boards.shangzhou.phases import STEPS, phase, sentence, step
from bots.viewer.boards.shangzhou.table import ROUNDS
from bots.viewer.commentary.shangzhou import counted, square, things
from bots.viewer.commentary.story import listed
from engine.core import Seat
from engine.games.shangzhou import Lot, Position, Standing


def in_words(at: Position, names: Sequence[str], found: Sequence[Standing]) -> dict[str, str]:
    """All but the stack is public."""
    return {
        "Turn": _turn(at, names),
        "Order": f"{_order(at, names)}.",
        "Up for bid": _all(_lot(number, lot, names) for number, lot in enumerate(at.lots, 1)),
        "Offers": _all(
            f"{names[it.by]} offers {names[it.to]} {things(it.give)} for {things(it.want)}" for it in at.offers
        ),
        "Stack": f"{len(at.stack)} tiles face down.",
        "Tiles on the board": _zones(at),
        **{f"Seat {seat}": _seat(at, names[seat], seat, its) for seat, its in enumerate(found)},
    }


def _all(things: Iterable[str]) -> str:
    return f"{'; '.join(things) or 'nothing'}."


def _turn(at: Position, names: Sequence[str]) -> str:
    number = f"{at.turn} of {at.options.max_turns}" if at.turn else "before the first"
    now = f", {STEPS[step(at)]}" if step(at) >= 0 else ""
    asked = f" {asks}." if (asks := sentence(at, names)) else ""
    return f"{number}{now}.{asked}"


def _order(at: Position, names: Sequence[str]) -> str:
    rounds = phase(at) in ROUNDS
    seats = listed([names[seat] for seat in (at.live if rounds else at.priority)])
    overseer = "" if at.overseer is None else f"; {names[at.overseer]} oversees"
    return f"{'Next' if rounds else 'Ties go to'}: {seats or 'nobody'}{overseer}"


def _lot(number: int, lot: Lot, names: Sequence[str]) -> str:
    return f"{number} {NAMES[lot.tile]}, {f'bids: {bids}' if (bids := counted(lot.bids, names)) else 'no bid'}"


def _zones(at: Position) -> str:
    kinds = {tile: [square(sector) for sector, zone in enumerate(at.zones) if zone == tile] for tile in NAMES}
    return _all(f"{NAMES[tile]} on {listed(where)}" for tile, where in kinds.items() if where)


def _seat(at: Position, name: str, seat: Seat, its: Standing) -> str:
    home = square(at.homes[seat]) if at.homes[seat] >= 0 else "not chosen"
    agents = [f"{number} on {square(sector)}" for sector, number in enumerate(at.agents[seat]) if number]
    goals = at.options
    return (
        f"{name}: {its.clout} of {goals.clout_goal} Clout, {its.sectors} of {goals.sector_goal} sectors,"
        f" {its.nodes} Critical Nodes. Home: {home}. In hand: {things(at.hand(seat))}. Agents: {_all(agents)}"
    )
