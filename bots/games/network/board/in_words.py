"""The map and the table in words, a line for each thing on them: what the picture shows, for those who hear it."""

from collections.abc import Sequence

from bots.games.network.board import land, table
from bots.games.network.commentary import CALLED
from bots.viewer.commentary.story import join_with_and
from bots.viewer.language import decimal, say, say_number
from engine.core import Seat
from engine.games.network import Position


def in_words(position: Position, names: Sequence[str], stands: Sequence[float], sentence: str) -> dict[str, str]:
    """Nothing is secret."""
    players = range(position.options.players)
    return {
        say("Turn"): f"{position.turn}. {sentence}.{_left(position)}",
        say("Under way"): f"{table.dealt(position, names) or say('nothing')}.",
        say("Cities"): f"{join_with_and([f'({q}, {r})' for q, r in position.cities]) or say('no city')}.",
        **{say("Company %(company)s", company=company): _company(position, company, names) for company in players},
        **{
            say("Seat %(seat)s", seat=seat): _seat(position, name, seat, stands[seat])
            for seat, name in enumerate(names)
        },
    }


def _left(position: Position) -> str:
    passed = say(" %(passes)s have passed in a row.", passes=position.passes) if position.passes else ""
    left = (
        say_number(" %(number)s turn is left.", " %(number)s turns are left.", position.turns_left)
        if position.trigger is not None
        else ""
    )
    return "" if position.ending else passed + left


def _company(position: Position, company: int, names: Sequence[str]) -> str:
    owned = [f"{name} {shares[company]}" for name, shares in zip(names, position.owned, strict=True) if shares[company]]
    unsold = position.unauctioned[company]
    owned += [say("not sold yet %(number)s", number=unsold)] * bool(unsold)
    owned += [say("in the pool %(number)s", number=position.pool[company])] * bool(position.pool[company])
    return say(
        "%(called)s: a share is worth $%(value)s, treasury $%(treasury)s. Built: %(built)s. Shares: %(owned)s.",
        called=CALLED[company],
        value=position.share_value[company],
        treasury=position.treasury[company],
        built=join_with_and(land.hexes_of(position, company)) or say("the start alone"),
        owned=join_with_and(owned),
    )


def _seat(position: Position, name: str, seat: Seat, stands: float) -> str:
    shares = [_shares(number, company) for company, number in enumerate(position.owned[seat]) if number]
    return say(
        "%(name)s: $%(cash)s, $%(worth)s with shares. Shares: %(shares)s.",
        name=name,
        cash=position.cash[seat],
        worth=decimal(stands),
        shares=join_with_and(shares) or say("no share"),
    )


def _shares(number: int, company: int) -> str:
    return say("%(number)s of %(called)s", number=number, called=CALLED[company])
