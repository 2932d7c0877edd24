"""Rungs of the field in the deterministic division: the answers that they give at home, for the same fuel each time."""

import pytest

from bots.field import read_fields, source
from bots.protocol import Clock
from engine.games import GAMES
from engine.referee import Played, run_match
from tests.bots.test_rungs import LADDERS, SHORT, short_match
from tests.wasm.games import program
from workers.sandbox.arena import Arena
from workers.sandbox.limits import Limits
from workers.sandbox.wasm import pack
from workers.sandbox.wasm.division import fuel_terms, open_fuel_table

SEARCHING, LEARNT = "kaiju", "zaibatsu"  # their last rungs search a tree, and play by learnt numbers


def played_there(game: str, numbers: list[int], arena: Arena) -> tuple[Played, list[int]]:
    """The short match of those rungs, and the fuel that each spent."""
    options = GAMES[game].read_options({**SHORT.get(game, {}), "players": len(numbers)})
    programs = [program(source(game, *LADDERS[game][number]).decode()) for number in numbers]
    terms = fuel_terms(pack.find_pack(), Clock(), Limits(memory_mb=128))
    with open_fuel_table(pack.find_pack(), programs, GAMES[game], options, terms, arena) as table:
        match = run_match(GAMES[game], options, "short", table, absent=table.start())
        table.end(match.result.places, match.result.scores)
    return match, [table.bots[seat].spent for seat in range(len(numbers))]


@pytest.mark.parametrize(("game", "family"), [(SEARCHING, "tree"), (LEARNT, "learnt")])
def test_a_match_of_the_first_and_the_last_rung_is_the_one_at_home_for_the_same_fuel(
    game: str, family: str, arena: Arena
) -> None:
    assert read_fields()[game].rungs[-1].family == family
    first, again = (played_there(game, [0, len(LADDERS[game]) - 1], arena) for _ in range(2))
    assert first == again
    at_home = short_match(game, [0, len(LADDERS[game]) - 1], 2)
    assert first[0].result.verdicts == ["ok", "ok"]
    assert [answer.action for answer in first[0].answers] == [answer.action for answer in at_home.answers]
