"""The board in words, a line for each thing on it: what the picture shows, for those who hear it."""

from collections.abc import Iterable, Sequence

from bots.viewer.boards.shangzhou.marks import NAMES
from bots.viewer.boards.shangzhou.phases import STEPS, phase, sentence, step
from bots.viewer.boards.shangzhou.table import ROUNDS
from bots.viewer.commentary.shangzhou import counted, square, things
from bots.viewer.commentary.story import listed
from bots.viewer.language import say
from engine.core import Seat
from engine.games.shangzhou import Lot, Position, Proposal, Standing


def in_words(at: Position, names: Sequence[str], found: Sequence[Standing]) -> dict[str, str]:
    """All but the stack is public."""
    return {
        say("Turn"): _turn(at, names),
        say("Order"): _order(at, names),
        say("Up for bid"): _all(_lot(number, lot, names) for number, lot in enumerate(at.lots, 1)),
        say("Offers"): _all(_offer(it, names) for it in at.offers),
        say("Stack"): say("%(number)s tiles face down.", number=len(at.stack)),
        say("Tiles on the board"): _zones(at),
        **{say("Seat %(seat)s", seat=seat): _seat(at, names[seat], seat, its) for seat, its in enumerate(found)},
    }


def _all(things: Iterable[str]) -> str:
    return f"{'; '.join(things) or say('nothing')}."


def _turn(at: Position, names: Sequence[str]) -> str:
    of = say("%(turn)s of %(max_turns)s", turn=at.turn, max_turns=at.options.max_turns)
    number = of if at.turn else say("before the first")
    now = f", {say(STEPS[step(at)])}" if step(at) >= 0 else ""
    asked = f" {asks}." if (asks := sentence(at, names)) else ""
    return f"{number}{now}.{asked}"


def _order(at: Position, names: Sequence[str]) -> str:
    rounds = phase(at) in ROUNDS
    seats = listed([names[seat] for seat in (at.live if rounds else at.priority)]) or say("nobody")
    return say(
        "Next: %(names)s%(overseer)s." if rounds else "Ties go to: %(names)s%(overseer)s.",
        names=seats,
        overseer="" if at.overseer is None else say("; %(name)s oversees", name=names[at.overseer]),
    )


def _offer(it: Proposal, names: Sequence[str]) -> str:
    return say(
        "%(by)s offers %(to)s %(give)s for %(want)s",
        by=names[it.by],
        to=names[it.to],
        give=things(it.give),
        want=things(it.want),
    )


def _lot(number: int, lot: Lot, names: Sequence[str]) -> str:
    bids = counted(lot.bids, names)
    return f"{number} {NAMES[lot.tile]}, {say('bids: %(bids)s', bids=bids) if bids else say('no bid')}"


def _zones(at: Position) -> str:
    kinds = {tile: [square(sector) for sector, zone in enumerate(at.zones) if zone == tile] for tile in NAMES}
    return _all(
        say("%(tile)s on %(sectors)s", tile=NAMES[tile], sectors=listed(where))
        for tile, where in kinds.items()
        if where
    )


def _seat(at: Position, name: str, seat: Seat, its: Standing) -> str:
    agents = [_agents(number, sector) for sector, number in enumerate(at.agents[seat]) if number]
    return say(
        "%(name)s: %(clout)s of %(clout_goal)s Clout, %(sectors)s of %(sector_goal)s sectors,"
        " %(nodes)s Critical Nodes. Home: %(home)s. In hand: %(hand)s. Agents: %(agents)s",
        name=name,
        clout=its.clout,
        clout_goal=at.options.clout_goal,
        sectors=its.sectors,
        sector_goal=at.options.sector_goal,
        nodes=its.nodes,
        home=square(at.homes[seat]) if at.homes[seat] >= 0 else say("not chosen"),
        hand=things(at.hand(seat)),
        agents=_all(agents),
    )


def _agents(number: int, sector: int) -> str:
    return say("%(number)s on %(sector)s", number=number, sector=square(sector))
