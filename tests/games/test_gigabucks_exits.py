"""Resignation, talk, what seats see, and how it ends: the rulebook's sections 8 and 9, and what the page adds."""

import json

import pytest

from engine.core import IllegalAction, Match
from engine.games.gigabucks import (
    GIGABUCKS,
    Action,
    Bid,
    Bundle,
    Cut,
    Ended,
    Exit,
    Fact,
    Lines,
    Offer,
    Paid,
    Position,
    Resigned,
    Said,
    Say,
    Shared,
    ToBid,
    ToBuyLines,
    ToPick,
    ToPlace,
    Untrue,
    ranking,
    see,
)
from engine.games.gigabucks.pieces import BUNDLES, LETTERS, SAYINGS
from engine.games.gigabucks.position import MOST
from engine.records import canonical, to_plain
from engine.replay import BIGGEST_FILE
from tests.games.answering import heard
from tests.games.gigabucks_tables import answer, bids, going, landing, question, seed_board, table


def at_end(players: int = 4, **fields: object) -> Match[Position]:
    """The end of seat 0's turn."""
    return going(table(players, **fields), "end")  # type: ignore[arg-type]


def leaving(*seats: int, players: int) -> list[bool]:
    return [seat in seats for seat in range(players)]


# --- resignation ---------------------------------------------------------------------------------------------------


def test_a_resignation_takes_effect_when_the_turn_ends() -> None:
    """G-F25, G-O6: until then the player is in, and keeps its promises."""
    match = going(table(3, tokens=[9, 1, 2]), "charter", "end")
    answer(match, Bid(4, resign=True))
    assert match.at.exits == []
    bids(match, 0, 0)
    assert match.at.owner[9] is None
    assert match.at.chartered[9]
    assert match.at.exits == [Exit(1, 9, "resigned")]
    assert match.at.current == 2


def test_the_resigners_currency_is_split_and_its_corporations_become_inactive() -> None:
    """G-F26, G-O5, G-T24: the rest waits in escrow."""
    position = table(6, cash=[83, 100, 41, 100, 100, 100], owner={9: 0, 10: 1}, lines={9: 6})
    position.leaving = leaving(0, players=6)
    match = going(position, "end")
    assert (position.cash, position.escrow) == ([0, 116, 57, 116, 116, 116], 3)
    assert (position.owner[9], position.chartered[9], position.lines[9], position.owner[10], position.tokens[0]) == (
        None,
        True,
        6,
        1,
        None,
    )
    events = match.hear()
    assert heard(events, Resigned) == [Resigned(0, 83, keeps=False)]
    assert heard(events, Shared) == [Shared(16, 3)]


def test_leftovers_of_several_resigners_are_combined() -> None:
    """G-F26, G-O5, G-T25"""
    position = table(6, cash=[0, 116, 57, 116, 116, 116], escrow=3, exits=[Exit(0, 8, "resigned")], current=1)
    position.leaving, position.tokens[0] = leaving(2, players=6), None
    going(position, "end")
    assert (position.cash, position.escrow) == ([0, 131, 0, 131, 131, 131], 0)


def test_a_remainder_waits_until_as_few_are_left() -> None:
    """G-F26, G-T26: 3 in escrow; nothing at four players, 1 each at three."""
    position = table(5, escrow=3, cash=[4, 100, 100, 100, 100], owner={9: 1, 10: 2}, lines={9: 5, 10: 150})
    match = landing(position, 9)
    assert (match.at.escrow, match.at.cash) == (3, [0, 104, 100, 100, 100])
    position = table(5, escrow=3, cash=[0, 104, 100, 100, 100], owner={10: 2}, lines={10: 150}, current=1)
    position.exits, position.tokens[0] = [Exit(0, 8, "bankrupt")], None
    landing(position, 10)
    assert (position.escrow, position.cash) == (0, [0, 0, 205, 101, 101])


def test_a_resigner_may_not_choose_who_gets_what() -> None:
    """G-F25: nothing more is asked of it."""
    match = at_end(leaving=leaving(1, players=4))
    assert 1 not in match.questions
    assert match.at.cash == [400, 0, 400, 400]


@pytest.mark.parametrize(
    "asked_for", [ToBid(1, 9, 1), ToPlace([3, 4]), ToBuyLines([3, 4], 2, 5), ToPick([3, 4])], ids=lambda it: it.tag
)
def test_a_seat_that_has_forfeited_resigns(asked_for: ToBid) -> None:
    """G-O6"""
    answered = asked_for.stand_in()
    assert answered.resign
    assert answered == type(answered)(*[getattr(asked_for.default(), name) for name in answered.__slots__], resign=True)


def test_who_goes_bankrupt_in_the_turn_of_its_resignation_is_bankrupt() -> None:
    """G-O6: its creditor gets what the others would have shared."""
    position = seed_board(cash=[6, 300, 300, 300], leaving=leaving(0, players=4))
    landing(position, 28)
    assert position.exits == [Exit(0, 9, "bankrupt")]
    assert position.cash == [0, 306, 300, 300]


def test_if_all_resign_they_tie_and_it_is_over() -> None:
    """G-O6, G-O7: what they had is left in escrow."""
    match = at_end(3, exits=[Exit(1, 4, "bankrupt")], leaving=leaving(0, 2, players=3), cash=[500, 0, 400])
    (end,) = heard(match.hear(), Ended)
    assert (end.reason, end.ranks, ranking(match.at)) == ("resigned", [1, 3, 1], [(0, 1), (0, 0), (0, 1)])
    assert (match.over, match.at.escrow) == (True, 900)


def test_the_last_player_wins_even_if_it_wanted_to_resign() -> None:
    """G-O6, G-E1"""
    position = seed_board(2, cash=[6, 300], leaving=leaving(1, players=2))
    match = landing(position, 28)
    assert heard(match.hear(), Ended)[0].reason == "last"
    assert GIGABUCKS.scores(position) == [0, 306 + 75]


def test_resigners_may_keep_their_funds() -> None:
    """G-F41, G-E3: everybody's score is what it holds or kept."""
    position = table(3, cash=[83, 100, 717], owner={9: 0}, options={"resigner_keeps_funds": True})
    position.leaving = leaving(0, players=3)
    match = going(position, "end")
    assert (position.cash, position.kept, position.owner[9], position.escrow) == ([0, 100, 717], [83, 0, 0], None, 0)
    assert heard(match.hear(), Resigned) == [Resigned(0, 83, keeps=True)]
    assert GIGABUCKS.scores(position) == [83, 100, 717]


# --- talk ----------------------------------------------------------------------------------------------------------


def talking(**fields: object) -> Match[Position]:
    position = table(4, tokens=[9, 1, 2, 3], owner={5: 2}, options={"talk": "typed"}, **fields)  # type: ignore[arg-type]
    return going(position, "charter", "end")


@pytest.mark.parametrize(
    ("fact", "true"),
    [
        (Fact(None, "cash", 2, 300), True),
        (Fact(3, "cash", 2, 301), False),
        (Fact(None, "owner", 5, 2), True),
        (Fact(None, "owner", 6, None), True),
        (Fact(None, "owner", 6, 1), False),
        (Fact(None, "lines", 5, 0), True),
        (Fact(None, "lines", 99, 0), False),
        (Fact(None, "turn", 0, 0), True),
        (Fact(None, "turn", 0, 1), False),
        (Fact(None, "position", 0, 9), True),
        (Fact(None, "position", -1, 3), False),
        (Fact(4, "cash", 2, 300), False),
    ],
)
def test_statements_of_fact_must_be_true(fact: Fact, *, true: bool) -> None:
    """G-F27, G-O18: what is false, or addressed to nobody, is not passed on; only its author learns of it."""
    match = talking()
    events = answer(match, Bid(0, talk=[fact]))
    assert heard(events, Said) == [Said(1, fact)] * true
    untrue = heard(events, Untrue)
    assert untrue == [Untrue(1, fact)] * (not true)
    assert [event.seen_by(seat) for event in untrue for seat in (0, 1)] == [None, Untrue(1, fact)] * (not true)


def test_words_bind_nobody_and_are_public() -> None:
    """G-F27, G-O18"""
    match = talking()
    offer = Say(2, "deal", "I pass if you pass.")
    assert heard(answer(match, Bid(3, talk=[offer])), Said) == [Said(1, offer)]
    assert match.at.auction
    assert match.at.auction.leader == 1


def test_talk_is_off_unless_the_table_allows_it() -> None:
    """G-O18"""
    match = going(table(), "charter", "end")
    with pytest.raises(IllegalAction, match="sends 1 messages; 0 may go with this answer"):
        match.apply({1: Bid(0, talk=[Say(None, "intent", "hello")])})


@pytest.mark.parametrize("text", ["", "x" * 141, "caf\N{LATIN SMALL LETTER E WITH ACUTE}", "two\nlines"])
def test_a_message_is_short_and_plain(text: str) -> None:
    """G-O18"""
    with pytest.raises(IllegalAction, match="a text is 1 to 140 printable ASCII characters"):
        talking().apply({1: Bid(0, talk=[Say(None, "intent", text)])})


def test_two_messages_go_with_an_answer_and_200_with_a_match() -> None:
    """G-O18"""
    words = Say(None, "suggest", "pass")
    match = talking(said=[0, 0, 199, 200])
    assert question(match).talk == 2
    with pytest.raises(IllegalAction, match="sends 3 messages; 2 may"):
        match.apply({1: Bid(0, talk=[words] * 3)})
    answer(match, Bid(0, talk=[words] * 2))
    assert (match.at.said, question(match).talk) == ([0, 2, 199, 200], 1)
    answer(match, Bid(0))
    assert question(match).talk == 0


def test_talk_and_resignation_go_with_any_answer() -> None:
    """G-F27, G-O6: whatever is asked."""
    for kind in GIGABUCKS.questions:
        assert issubclass(kind.answers, Action)  # type: ignore[arg-type]


# --- what seats see ------------------------------------------------------------------------------------------------


def test_the_view_is_all_there_is() -> None:
    """G-V1"""
    match = going(table(3, owner={9: 1, 10: None}, lines={9: 2}, options={"spaces": 12}, tokens=[11, 1, 2]), "charter")
    bids(match, 4)
    view = to_plain(see(match.at, 2))
    assert view.pop("opts") == to_plain(match.at.options)
    assert view == {
        "game": "gigabucks",
        "seat": 2,
        "turn": 9,
        "current": 0,
        "phase": "charter",
        "to_do": ["charter"],
        "order": [0, 1, 2],
        "cash": [300, 300, 300],
        "tokens": [11, 1, 2],
        "owner": [None] * 9 + [1, None, None],
        "lines": [0] * 9 + [2, 0, 0],
        "chartered": [False] * 9 + [True, True, False],
        "due": None,
        "auction": {
            "kind": "charter",
            "by": 0,
            "space": 11,
            "menu": [],
            "least": 1,
            "high": 4,
            "leader": 1,
            "bidding": [2, 0, 1],
        },
        "winner": None,
        "escrow": 0,
        "kept": [0, 0, 0],
        "exits": [],
        "turns": [3, 3, 3],
        "said": [0, 0, 0],
        "seated": 0,
        "decisions": 1,
        "resigning": False,
    }


def test_the_view_tells_what_is_owed() -> None:
    """G-V1"""
    position = seed_board(cash=[3, 300, 300, 300])
    position.owner[2], position.chartered[2] = 0, True
    match = landing(position, 28)
    assert to_plain(see(match.at, 2).due) == {"to": 1, "amount": 15}
    bids(match, 9, 0, 0)
    assert see(match.at, 0).phase == "liquidate" or match.at.exits


def test_an_announced_resignation_is_known_to_its_author_alone() -> None:
    """G-V2"""
    match = going(table(3, tokens=[9, 1, 2]), "charter", "end")
    events = answer(match, Bid(0, resign=True))
    assert [see(match.at, seat).resigning for seat in range(3)] == [False, True, False]
    assert not heard(events, Resigned)


def test_bids_at_once_are_not_seen_before_all_are_in() -> None:
    """G-V2: there is nothing to see: all are asked together."""
    match = going(table(3, tokens=[9, 1, 2], options={"bidding": "proxy"}), "charter", "end")
    assert set(match.questions) == {0, 1, 2}


def test_the_log_tells_every_payment() -> None:
    """G-V3, G-A5: purses follow from what is heard."""
    match = going(seed_board(4), "roll")
    events = match.hear()
    while match.at.turn < 40 and not match.over:
        for seat, asked_for in list(match.questions.items()):
            match.apply({seat: asked_for.draw(match.at.dice.fork())})
        events += match.hear()
    cash = [300] * 4
    for event in events:
        if isinstance(event, Paid):
            cash[event.seat] -= event.each * len(event.to)
            for seat in event.to:
                cash[seat] += event.each
    if not match.at.exits:
        assert cash == match.at.cash


# --- the end -------------------------------------------------------------------------------------------------------


def test_who_leaves_later_ranks_higher_and_together_they_share() -> None:
    """G-O7, G-E1, G-E3: the score of one who left is 0, whenever that was."""
    exits = [Exit(4, 5, "resigned"), Exit(1, 5, "resigned"), Exit(2, 7, "bankrupt"), Exit(3, 7, "resigned")]
    match = at_end(5, exits=exits, cash=[1500, 0, 0, 0, 0])
    (end,) = heard(match.hear(), Ended)
    assert (end.reason, end.ranks) == ("last", [1, 4, 3, 2, 4])
    assert GIGABUCKS.scores(match.at) == [1500, 0, 0, 0, 0]
    assert ranking(match.at) == [(1, 1500), (0, 0), (0, 2), (0, 3), (0, 0)]


def test_a_capped_match_is_won_by_the_highest_appraisal() -> None:
    """G-O8, G-E2, G-E3"""
    fields = {"owner": {9: 1}, "lines": {9: 60}, "cash": [350, 300, 250, 0], "exits": [Exit(3, 5, "bankrupt")]}
    match = at_end(4, options={"max_rounds": 2}, turn=8, **fields)
    (end,) = heard(match.hear(), Ended)
    assert (end.reason, end.appraisals, end.ranks) == ("rounds", [350, 360, 250, 0], [2, 1, 3, 4])
    assert GIGABUCKS.scores(match.at) == [350, 360, 250, 0]


def test_rounds_are_counted_by_the_players_who_began() -> None:
    """G-O8"""
    assert not at_end(4, options={"max_rounds": 2}, turn=7, exits=[Exit(3, 5, "bankrupt")]).over


def test_when_the_decisions_are_used_up_the_turn_is_finished_by_default_and_it_is_over() -> None:
    """G-O8: two bots that raise by 1 for ever."""
    match = going(table(2, tokens=[9, 1], options={"max_decisions": 5}), "charter", "end")
    bids(match, 1, 2, 3, 4, 5)
    assert match.over
    assert (match.at.owner[9], match.at.decisions) == (1, 5)
    assert heard(match.at.heard or [], Ended) == []


def test_a_menu_or_a_purchase_counts_as_one_decision_for_each_corporation_it_names() -> None:
    """G-O8"""
    match = going(table(3, owner={9: 0, 10: 0, 11: 1}, tokens=[9, 1, 2]), "offer", "diversify", "end")
    answer(match, Offer([Bundle([9, 10], 400), Bundle([9], 400)]))
    assert match.at.decisions == 3
    bids(match, 0, 2)
    answer(match, Lines({"9": 2, "10": 1}))
    assert match.at.decisions == 3 + 2 + 2


def test_the_longest_match_can_be_stored() -> None:
    """G-O8: many long answers, all messages, and in each turn what is longer than a bid, in one replay file."""
    longest_answers = [Offer([Bundle([99], 2**53)] * BUNDLES), Lines({str(corp): 10_000 for corp in range(100)})]
    longest = max(length(answer) / answer.counts for answer in [Bid(10_000), Cut(2**53), *longest_answers])
    talk = 8 * SAYINGS * len(canonical(Say(7, "suggest", '"' * LETTERS)) + ",")
    turns = 8 * MOST["max_rounds"] * length(Offer([Bundle([99], 2**53)]))
    assert MOST["max_decisions"] * longest + talk + turns < BIGGEST_FILE - 10_000


def length(action: Action) -> int:
    """Return what an answer takes in a replay."""
    return len(json.dumps([7, to_plain(action), 30_000.0], separators=(",", ":"))) + 1


def test_a_turn_is_bounded() -> None:
    """G-E4: with two players and 300 in hand, at most as many bids as there is currency."""
    match = going(table(2, owner={9: 0, 10: 1}, tokens=[9, 1]), "offer", "diversify", "end")
    answer(match, Offer([]))
    made = 0
    while match.at.turn == 9:
        bids(match, question(match).low)
        made += 1
    assert made == 300


def test_tokens_are_lifted_when_a_player_leaves() -> None:
    """G-O5"""
    match = at_end(leaving=leaving(2, players=4))
    assert match.at.tokens[2] is None
