"""What a position of Network is worth: an auction that is on counts as if all who are still in passed."""

from bots.command.measure import usual_options
from bots.games.network.rungs.minimax import Minimax
from bots.games.network.rungs.worth import SIGNS, signs
from bots.imagine import AnyMatch
from engine.dice import Dice
from engine.games.network import NETWORK, Bid, see


def positions(deal: str) -> list[AnyMatch]:
    """Return the match as it stands before each answer, which is drawn by lot."""
    match, dice, copies = NETWORK.start(usual_options("network"), deal), Dice.of(deal), []
    while not match.over:
        copies.append(match.copy())
        match.apply({seat: question.draw(dice) for seat, question in match.questions.items()})
    return copies


def test_an_auction_counts_as_if_all_who_are_in_passed() -> None:
    compared = 0
    for match in [copy for deal in ("one", "two", "three") for copy in positions(deal)]:
        before, turn = signs(match.at), match.at.turn
        assert [len(row) for row in before] == [len(SIGNS)] * 2
        is_sale = match.at.sale is not None
        while match.at.sale and not match.over:
            match.apply({seat: Bid(0) for seat in match.questions})
        if is_sale and not match.over and match.at.turn == turn + 1:
            compared += 1
            assert signs(match.at) == before
    assert compared > 3


def test_who_is_behind_does_not_end_the_match_by_a_pass() -> None:
    """A second pass ends it: who is behind then does something else, however little that seems to bring."""
    match = next(
        copy
        for number in range(99)
        for copy in positions(f"pass {number}")
        if copy.at.passes == 1 and not copy.at.sale and not copy.at.expansion and is_behind(copy)
    )
    seat, question = next(iter(match.questions.items()))
    assert type(Minimax(40).choose(see(match.at, seat), question)).tag != "pass"


def is_behind(match: AnyMatch) -> bool:
    scores, seat = NETWORK.scores(match.at), next(iter(match.questions))
    return scores[seat] < max(scores)
