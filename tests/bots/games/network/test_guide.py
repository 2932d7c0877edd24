"""What each seat needs to win in Network."""

import re

import pytest

from bots.games.network.commentary import CALLED
from bots.games.network.guide import needs
from bots.viewer.commentary import names_of
from engine.games.network import Position, scores
from tests.bots.viewer.replays import positions, replay_of
from tests.games.network_tables import shares, table
from tests.games.record import recordings_of

RISE = re.compile(r"; (?:(?P<name>.+) )?would lead if a share of (?P<company>\w+) were worth \$(?P<dollars>\d+) more")


def leads_alone(position: Position, seat: int, company: int, dollars: int) -> bool:
    """Return whether it would lead alone by the rules, were a share worth so much more."""
    position = position.copy()
    position.share_value[company] += dollars
    worth = scores(position)
    return worth.count(max(worth)) == 1 and worth[seat] == max(worth)


@pytest.mark.parametrize("name", recordings_of("network"))
def test_what_would_close_a_gap_closes_it_and_a_dollar_less_does_not(name: str) -> None:
    replay = replay_of(name)
    names = names_of(replay)
    for position in positions(replay, 1):
        assert isinstance(position, Position)
        for seat, line in enumerate(needs(position, names)):
            if match := RISE.search(line):
                leader = names.index(match["name"]) if match["name"] else seat
                company, dollars = CALLED.index(match["company"]), int(match["dollars"])
                assert leads_alone(position, leader, company, dollars), line
                assert not leads_alone(position, leader, company, dollars - 1), line
                assert 5 * dollars <= position.treasury[company]


def test_the_leader_hears_who_is_next_to_pass_it() -> None:
    position = table(
        cash=[10, 8, 0], owned=shares(3, p0=(1, 0, 0), p1=(0, 2, 0)), share_value=[9, 5, 5], treasury=[5, 30, 5]
    )
    assert needs(position, ["Ann", "Ben", "Cleo"]) == [
        "leads by $1; Ben would lead if a share of Bay were worth $1 more",
        "$1 behind Ann; would lead if a share of Bay were worth $1 more",
        "$19 behind Ann",
    ]


def test_nothing_is_promised_that_no_treasury_pays_for() -> None:
    position = table(
        cash=[10, 8, 0], owned=shares(3, p0=(1, 0, 0), p1=(0, 2, 0)), share_value=[9, 5, 5], treasury=[4, 4, 4]
    )
    assert needs(position, ["Ann", "Ben", "Cleo"]) == ["leads by $1", "$1 behind Ann", "$19 behind Ann"]
