"""How many different games the same bots play in Network, on its fixed maps and on generated ones."""

from collections.abc import Sequence

from bots.command.measure import Seated
from engine.games import GAMES
from engine.referee import run_match
from tests.ratings.claims import Row
from tests.ratings.real_ladders import BOTS, RealLadder
from tests.tournaments.ratings.ladders import Kind

DEALS = 100
STEADY = [number for number, (_, numbers) in enumerate(BOTS["network"]) if not numbers["noise"]]  # no answer by lot


def distinct(seed: int, deals: int, **options: object) -> int:
    """Return how many sets are different games."""
    ladder = RealLadder(Kind("repeats", seats=2), seed, game="network", given=options)
    sets = [[answers(ladder, f"{seed} {deal}", seats) for seats in (STEADY, STEADY[::-1])] for deal in range(deals)]
    return len({repr(games) for games in sets})


def answers(ladder: RealLadder, deal: str, seats: Sequence[int]) -> list[object]:
    played = run_match(GAMES["network"], ladder.options, deal, Seated("network", BOTS["network"], seats))
    return [(answer.seat, answer.action) for answer in played.answers]


def claim(seed: int, deals: int = DEALS) -> list[Row]:
    fixed, generated = distinct(seed, deals, map="auto"), distinct(seed, deals)
    return [
        Row(f"Network, fixed map: different games in {deals} deals", "2", str(fixed), fixed <= 4),
        Row("on generated maps", "", str(generated), generated > deals / 2),
    ]
