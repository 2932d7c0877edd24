"""Phase 8: who may bank Clout on Storage sectors, and what is relinquished."""

from collections.abc import Mapping

from engine.core import Flow, Seat, tell
from engine.games.shangzhou.actions import Ban, Veto
from engine.games.shangzhou.control import all_agents
from engine.games.shangzhou.events import Relinquished, Vetoed
from engine.games.shangzhou.extras import ask_each, extras_for
from engine.games.shangzhou.position import Position
from engine.games.shangzhou.questions import ToVeto


def veto_and_relinquish(position: Position) -> Flow[None]:
    """The leader in agents on a Storage sector may forbid those with fewer to bank there.

    Then all Clout goes back to the bank, save one for each agent on a Storage sector.
    """
    possible = possible_bans(position)
    questions = {seat: ToVeto(extras_for(position, seat), bans) for seat, bans in possible.items()}
    vetoes = yield from ask_each(position, questions, position.priority)
    relinquish(position, standing_bans(position, vetoes))


def possible_bans(position: Position) -> dict[Seat, list[Ban]]:
    """Return bans by leader: whom it may forbid to bank where. Players without Clout are left out."""
    out: dict[Seat, list[Ban]] = {}
    for sector, zone in enumerate(position.zones):
        if zone == "S" and (seat := leader(position, sector)) is not None:
            fewer = [
                other for other, count in enumerate(all_agents(position.agents, sector)) if count and other != seat
            ]
            if bans := [Ban(sector, other) for other in fewer if position.clout[other]]:
                out.setdefault(seat, []).extend(bans)
    return out


def leader(position: Position, sector: int) -> Seat | None:
    """Return the seat that alone has most agents there, or None."""
    counts = all_agents(position.agents, sector)
    most = max(counts)
    return counts.index(most) if counts.count(most) == 1 else None


def standing_bans(position: Position, vetoes: Mapping[Seat, Veto]) -> set[tuple[int, Seat]]:
    """Return the bans whose author still leads: Viruses may have gone with the answers."""
    out: set[tuple[int, Seat]] = set()
    for seat, veto in vetoes.items():
        held = [(ban.sector, ban.seat) for ban in veto.bans if leader(position, ban.sector) == seat]
        out.update(held)
        if held:
            tell(position, Vetoed(seat, [Ban(*ban) for ban in held]))
    return out


def relinquish(position: Position, banned: set[tuple[int, Seat]]) -> None:
    storage = [sector for sector, zone in enumerate(position.zones) if zone == "S"]
    rooms = [
        sum(by_sector[sector] for sector in storage if (sector, seat) not in banned)
        for seat, by_sector in enumerate(position.agents)
    ]
    kept = [min(clout, room) for clout, room in zip(position.clout, rooms, strict=True)]
    lost = [clout - left for clout, left in zip(position.clout, kept, strict=True)]
    position.clout = kept
    tell(position, Relinquished(kept.copy(), lost))
