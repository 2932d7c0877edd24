"""Phase 8: who may bank Clout on Storage sectors, and what is relinquished."""

from collections.abc import Mapping

from engine.core import Flow, Seat, tell
from engine.games.shangzhou.actions import Ban, Veto
from engine.games.shangzhou.control import all_agents
from engine.games.shangzhou.events import Relinquished, Vetoed
from engine.games.shangzhou.extras import ask_each, extras_for
from engine.games.shangzhou.position import Position
from engine.games.shangzhou.questions import ToVeto


def veto_and_relinquish(at: Position) -> Flow[None]:
    """Whoever has most agents on a Storage sector may forbid those with fewer to bank there.

    Then all Clout goes back to the bank, save one for each agent on a Storage sector.
    """
    possible = possible_bans(at)
    questions = {seat: ToVeto(extras_for(at, seat), bans) for seat, bans in possible.items()}
    vetoes = yield from ask_each(at, questions, at.priority)
    relinquish(at, standing_bans(at, vetoes))


def possible_bans(at: Position) -> dict[Seat, list[Ban]]:
    """By leader: whom it may forbid to bank where. Not asked about are those without Clout."""
    out: dict[Seat, list[Ban]] = {}
    for sector, zone in enumerate(at.zones):
        if zone == "S" and (seat := leader(at, sector)) is not None:
            fewer = [other for other, there in enumerate(all_agents(at.agents, sector)) if there and other != seat]
            if bans := [Ban(sector, other) for other in fewer if at.clout[other]]:
                out.setdefault(seat, []).extend(bans)
    return out


def leader(at: Position, sector: int) -> Seat | None:
    """Who alone has most agents there."""
    there = all_agents(at.agents, sector)
    most = max(there)
    return there.index(most) if there.count(most) == 1 else None


def standing_bans(at: Position, vetoes: Mapping[Seat, Veto]) -> set[tuple[int, Seat]]:
    """Those whose author still leads: Viruses may have gone with the answers."""
    out: set[tuple[int, Seat]] = set()
    for seat, veto in vetoes.items():
        held = [(ban.sector, ban.seat) for ban in veto.bans if leader(at, ban.sector) == seat]
        out.update(held)
        if held:
            tell(at, Vetoed(seat, [Ban(*ban) for ban in held]))
    return out


def relinquish(at: Position, banned: set[tuple[int, Seat]]) -> None:
    storage = [sector for sector, zone in enumerate(at.zones) if zone == "S"]
    rooms = [
        sum(there[sector] for sector in storage if (sector, seat) not in banned) for seat, there in enumerate(at.agents)
    ]
    kept = [min(clout, room) for clout, room in zip(at.clout, rooms, strict=True)]
    lost = [clout - left for clout, left in zip(at.clout, kept, strict=True)]
    at.clout = kept
    tell(at, Relinquished(kept.copy(), lost))
