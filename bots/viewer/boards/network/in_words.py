"""The map and the table in words, a line for each thing on them: what the picture shows, for those who hear it."""

from collections.abc import Sequence

from bots.viewer.boards.network import land, table
from bots.viewer.commentary.network import CALLED
from bots.viewer.commentary.story import listed
from bots.viewer.language import decimal, say, say_number
from engine.core import Seat
from engine.games.network import Position


def in_words(at: Position, names: Sequence[str], stands: Sequence[float], sentence: str) -> dict[str, str]:
    """Nothing is secret."""
    players = range(at.options.players)
    return {
        say("Turn"): f"{at.turn}. {sentence}.{_left(at)}",
        say("Under way"): f"{table.dealt(at, names) or say('nothing')}.",
        say("Cities"): f"{listed([f'({q}, {r})' for q, r in at.cities]) or say('no city')}.",
        **{say("Company %(company)s", company=company): _company(at, company, names) for company in players},
        **{say("Seat %(seat)s", seat=seat): _seat(at, name, seat, stands[seat]) for seat, name in enumerate(names)},
    }


def _left(at: Position) -> str:
    passed = say(" %(passes)s have passed in a row.", passes=at.passes) if at.passes else ""
    left = (
        say_number(" %(number)s turn is left.", " %(number)s turns are left.", at.turns_left)
        if at.trigger is not None
        else ""
    )
    return "" if at.ending else passed + left


def _company(at: Position, company: int, names: Sequence[str]) -> str:
    owned = [f"{name} {shares[company]}" for name, shares in zip(names, at.owned, strict=True) if shares[company]]
    owned += [say("in hand %(number)s", number=at.unauctioned[company])] * bool(at.unauctioned[company])
    owned += [say("in the pool %(number)s", number=at.pool[company])] * bool(at.pool[company])
    return say(
        "%(called)s: a share is worth $%(value)s, treasury $%(treasury)s. Built: %(built)s. Shares: %(owned)s.",
        called=CALLED[company],
        value=at.share_value[company],
        treasury=at.treasury[company],
        built=listed(land.hexes_of(at, company)) or say("the start alone"),
        owned=listed(owned),
    )


def _seat(at: Position, name: str, seat: Seat, stands: float) -> str:
    shares = [_shares(number, company) for company, number in enumerate(at.owned[seat]) if number]
    return say(
        "%(name)s: $%(cash)s, $%(worth)s with shares. Shares: %(shares)s.",
        name=name,
        cash=at.cash[seat],
        worth=decimal(stands),
        shares=listed(shares) or say("no share"),
    )


def _shares(number: int, company: int) -> str:
    return say("%(number)s of %(called)s", number=number, called=CALLED[company])
