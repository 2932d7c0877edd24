"""The board in words, a line for each thing on it: what the picture shows, for those who hear it."""

from collections.abc import Iterable, Sequence

from bots.games.shangzhou.board.marks import NAMES
from bots.games.shangzhou.board.phases import STEPS, phase, phase_sentence, turn_step
from bots.games.shangzhou.board.table import ROUNDS
from bots.games.shangzhou.commentary import counted, square, things
from bots.viewer.commentary.story import join_with_and
from bots.viewer.language import say
from engine.core import Seat
from engine.games.shangzhou import Lot, Position, Proposal, Standing


def in_words(position: Position, names: Sequence[str], standings: Sequence[Standing]) -> dict[str, str]:
    """Describe the whole position: all but the stack is public."""
    return {
        say("Turn"): _turn(position, names),
        say("Order"): _order(position, names),
        say("Up for bid"): _all(_lot(number, lot, names) for number, lot in enumerate(position.lots, 1)),
        say("Offers"): _all(_offer(offer, names) for offer in position.offers),
        say("Stack"): say("%(number)s tiles face down.", number=len(position.stack)),
        say("Tiles on the board"): _zones(position),
        **{
            say("Seat %(seat)s", seat=seat): _seat(position, names[seat], seat, standing)
            for seat, standing in enumerate(standings)
        },
    }


def _all(things: Iterable[str]) -> str:
    return f"{'; '.join(things) or say('nothing')}."


def _turn(position: Position, names: Sequence[str]) -> str:
    of = say("%(turn)s of %(max_turns)s", turn=position.turn, max_turns=position.options.max_turns)
    number = of if position.turn else say("before the first")
    now = f", {say(STEPS[turn_step(position)])}" if turn_step(position) >= 0 else ""
    asked = f" {asks}." if (asks := phase_sentence(position, names)) else ""
    return f"{number}{now}.{asked}"


def _order(position: Position, names: Sequence[str]) -> str:
    rounds = phase(position) in ROUNDS
    seats = join_with_and([names[seat] for seat in (position.live if rounds else position.priority)]) or say("nobody")
    return say(
        "Next: %(names)s%(overseer)s." if rounds else "Ties go to: %(names)s%(overseer)s.",
        names=seats,
        overseer="" if position.overseer is None else say("; %(name)s oversees", name=names[position.overseer]),
    )


def _offer(offer: Proposal, names: Sequence[str]) -> str:
    return say(
        "%(by)s offers %(to)s %(give)s for %(want)s",
        by=names[offer.by],
        to=names[offer.to],
        give=things(offer.give),
        want=things(offer.want),
    )


def _lot(number: int, lot: Lot, names: Sequence[str]) -> str:
    bids = counted(lot.bids, names)
    return f"{number} {NAMES[lot.tile]}, {say('bids: %(bids)s', bids=bids) if bids else say('no bid')}"


def _zones(position: Position) -> str:
    kinds = {tile: [square(sector) for sector, zone in enumerate(position.zones) if zone == tile] for tile in NAMES}
    return _all(
        say("%(tile)s on %(sectors)s", tile=NAMES[tile], sectors=join_with_and(where))
        for tile, where in kinds.items()
        if where
    )


def _seat(position: Position, name: str, seat: Seat, standing: Standing) -> str:
    agents = [_agents(number, sector) for sector, number in enumerate(position.agents[seat]) if number]
    return say(
        "%(name)s: %(clout)s of %(clout_goal)s Clout, %(sectors)s of %(sector_goal)s sectors,"
        " %(nodes)s Critical Nodes. Home: %(home)s. In hand: %(hand)s. Agents: %(agents)s",
        name=name,
        clout=standing.clout,
        clout_goal=position.options.clout_goal,
        sectors=standing.sectors,
        sector_goal=position.options.sector_goal,
        nodes=standing.nodes,
        home=square(position.homes[seat]) if position.homes[seat] >= 0 else say("not chosen"),
        hand=things(position.hand(seat)),
        agents=_all(agents),
    )


def _agents(number: int, sector: int) -> str:
    return say("%(number)s on %(sector)s", number=number, sector=square(sector))
