"""The map and the table in words, a line for each thing on them: what the picture shows, for those who hear it."""

from collections.abc import Sequence

from bots.viewer.boards.network import land, table
from bots.viewer.commentary.network import CALLED
from bots.viewer.commentary.story import listed
from engine.core import Seat
from engine.games.network import Position


def in_words(at: Position, names: Sequence[str], stands: Sequence[float], sentence: str) -> dict[str, str]:
    """Nothing is secret."""
    players = range(at.options.players)
    return {
        "Turn": f"{at.turn}. {sentence}.{_left(at)}",
        "Deal": f"{table.dealt(at, names) or 'none under way'}.",
        "Cities": f"{listed([f'({q}, {r})' for q, r in at.cities]) or 'none'}.",
        **{f"Company {company}": _company(at, company, names) for company in players},
        **{f"Seat {seat}": _seat(at, name, seat, stands[seat]) for seat, name in enumerate(names)},
    }


def _left(at: Position) -> str:
    passed = f" {at.passes} have passed in a row." if at.passes else ""
    return "" if at.ending else passed + (f" {at.turns_left} turns are left." if at.trigger is not None else "")


def _company(at: Position, company: int, names: Sequence[str]) -> str:
    owned = [f"{name} {shares[company]}" for name, shares in zip(names, at.owned, strict=True) if shares[company]]
    owned += [f"in hand {at.unauctioned[company]}"] * bool(at.unauctioned[company])
    owned += [f"in the pool {at.pool[company]}"] * bool(at.pool[company])
    built = listed(land.hexes_of(at, company)) or "the start alone"
    value, treasury = at.share_value[company], at.treasury[company]
    return (
        f"{CALLED[company]}: a share is worth ${value}, treasury ${treasury}. Built: {built}. Shares: {listed(owned)}."
    )


def _seat(at: Position, name: str, seat: Seat, stands: float) -> str:
    shares = [f"{number} of {CALLED[company]}" for company, number in enumerate(at.owned[seat]) if number]
    return f"{name}: ${at.cash[seat]}, ${stands:g} with shares. Shares: {listed(shares) or 'none'}."
