"""What each seat needs to win in Zaibatsu."""

import re

import pytest

from bots.games.zaibatsu.guide import needs
from bots.viewer.commentary import names_of
from engine.games.zaibatsu import Position
from engine.games.zaibatsu.rules import scores
from tests.bots.viewer.replays import positions, replay_of
from tests.games.record import recordings_of

ADDS = re.compile(r"; pile (?P<pile>\d) adds (?P<points>\d+), less its price")
WINS = re.compile(r"; wins with pile (?P<pile>\d) for T¥ (?P<most>\d+) at most")


def bought(position: Position, seat: int, pile: int, price: int) -> list[int]:
    """Return the points, had the seat bought the pile."""
    position = position.copy()
    position.cash[seat] -= price
    position.owned[seat] = [*position.owned[seat], *position.piles[pile - 1].cards]
    return scores(position)


@pytest.mark.parametrize("name", recordings_of("zaibatsu"))
def test_a_pile_adds_what_the_seat_would_have_with_it(name: str) -> None:
    replay, count = replay_of(name), 0
    for position in positions(replay, 1):
        assert isinstance(position, Position)
        before = scores(position)
        for seat, line in enumerate(needs(position, names_of(replay))):
            if match := ADDS.search(line):
                count += 1
                pile = int(match["pile"])
                assert bought(position, seat, pile, 0)[seat] - before[seat] == int(match["points"]) > 0
                assert not position.piles[pile - 1].hidden
                assert position.cash[seat] > 0
    assert count or "closed" in name


@pytest.mark.parametrize("name", recordings_of("zaibatsu"))
def test_a_price_that_wins_the_last_auction_wins_it_and_none_higher_does(name: str) -> None:
    replay = replay_of(name)
    for position in positions(replay, 1):
        assert isinstance(position, Position)
        for seat, line in enumerate(needs(position, names_of(replay))):
            if match := WINS.search(line):
                assert position.round == 4
                assert position.auction
                assert not position.to_call
                pile, most = int(match["pile"]), int(match["most"])
                points = bought(position, seat, pile, most)
                assert points[seat] == max(points) > sorted(points)[-2]
                dearer = bought(position, seat, pile, most + 1)
                assert most == position.cash[seat] or dearer[seat] <= max(dearer[:seat] + dearer[seat + 1 :])
                assert position.auction.leader == seat or most > position.auction.high
