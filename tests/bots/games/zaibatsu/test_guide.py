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


def bought(at: Position, seat: int, pile: int, price: int) -> list[int]:
    """The points, had the seat bought the pile."""
    at = at.copy()
    at.cash[seat] -= price
    at.owned[seat] = [*at.owned[seat], *at.piles[pile - 1].cards]
    return scores(at)


@pytest.mark.parametrize("name", recordings_of("zaibatsu"))
def test_a_pile_adds_what_the_seat_would_have_with_it(name: str) -> None:
    replay, told = replay_of(name), 0
    for at in positions(replay, 1):
        assert isinstance(at, Position)
        before = scores(at)
        for seat, line in enumerate(needs(at, names_of(replay))):
            if found := ADDS.search(line):
                told += 1
                pile = int(found["pile"])
                assert bought(at, seat, pile, 0)[seat] - before[seat] == int(found["points"]) > 0
                assert not at.piles[pile - 1].hidden
                assert at.cash[seat] > 0
    assert told or "closed" in name


@pytest.mark.parametrize("name", recordings_of("zaibatsu"))
def test_a_price_that_wins_the_last_auction_wins_it_and_none_higher_does(name: str) -> None:
    replay = replay_of(name)
    for at in positions(replay, 1):
        assert isinstance(at, Position)
        for seat, line in enumerate(needs(at, names_of(replay))):
            if found := WINS.search(line):
                assert at.round == 4
                assert at.auction
                assert not at.to_call
                pile, most = int(found["pile"]), int(found["most"])
                points = bought(at, seat, pile, most)
                assert points[seat] == max(points) > sorted(points)[-2]
                dearer = bought(at, seat, pile, most + 1)
                assert most == at.cash[seat] or dearer[seat] <= max(dearer[:seat] + dearer[seat + 1 :])
                assert at.auction.leader == seat or most > at.auction.high
