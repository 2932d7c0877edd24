"""What is told of each player of Corporate Gigabucks: how far behind it is, and whom its dearest space would ruin."""

import re

import pytest

from bots.games.gigabucks.guide import needs
from engine.games.gigabucks import Exit, Position, appraisal, royalty
from tests.bots.viewer.replays import positions, replay_of
from tests.games.gigabucks_tables import seed_board, table
from tests.games.record import recordings_of

CALLED = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal"]
SPACE = re.compile(r"space (\d+) costs (?:others )?\$(\d+)(?:, more than (\w+) has|, more cash than (\d+) others)?")
EVERY = 11


@pytest.mark.parametrize("name", recordings_of("gigabucks"))
def test_the_dearest_space_costs_what_is_told_and_more_than_those_have(name: str) -> None:
    for position in positions(replay_of(name), EVERY):
        assert isinstance(position, Position)
        gone = {out.seat for out in position.exits}
        for seat, line in enumerate(needs(position, CALLED[: len(position.cash)])):
            if match := SPACE.search(line):
                space, cost = int(match[1]), int(match[2])
                assert position.owner[space] == seat
                assert royalty(position, space) == cost
                assert cost == max(
                    royalty(position, other) for other, owner in enumerate(position.owner) if owner == seat
                )
                poor = [other for other, cash in enumerate(position.cash) if cash < cost and other not in {seat, *gone}]
                assert len(poor) == (1 if match[3] else int(match[4] or 0))
                assert not match[3] or CALLED.index(match[3]) == poor[0]


def test_gaps_are_of_worth_and_who_left_is_out() -> None:
    position = seed_board(owner=1, cash=[10, 120, 0, 5], exits=[Exit(2, 8, "resigned")])
    lines = needs(position, CALLED[:4])
    assert [appraisal(position, seat) for seat in range(4)] == [10, 195, 0, 5]
    assert lines[0] == "$185 behind Ben; owns no space, so charges nobody"
    assert lines[1].startswith("leads by $185; space ")
    assert lines[2] == "out: resigned in turn 8"


def test_the_last_one_left_leads() -> None:
    position = table(to_do=[], cash=[0, 0, 0, 1200], exits=[Exit(seat, 8, "bankrupt") for seat in range(3)])
    assert needs(position, CALLED[:4])[3] == "leads by $1200"
