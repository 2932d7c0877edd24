"""Shangzhou-Gold: what may go with answers, that is gifts, tiles and words; and the trade window."""

from typing import Any

import pytest

from engine.core import Match
from engine.dice import Dice
from engine.games.shangzhou import (
    SHANGZHOU,
    Accept,
    Apply,
    Bid,
    Bribe,
    Dropped,
    Expand,
    Expanded,
    Gift,
    Given,
    Goods,
    Message,
    Offer,
    Offered,
    Offers,
    Options,
    Overseen,
    Pass,
    Position,
    Said,
    ToAccept,
    ToAct,
    ToOversee,
    Traded,
    Use,
    Used,
    Wait,
)
from tests.games.answering import answer, heard, refusal, seat_to_answer
from tests.games.shangzhou_tables import agents_in, all_answer, begin, lots, question


def start(players: int = 3, seed: str = "setup", **options: object) -> Match[Position]:
    return SHANGZHOU.start(SHANGZHOU.read_options({"players": players, **options}), seed)


def hacker(sector: int) -> Wait:
    return Wait(uses=[Use("hacker", sector)])


def virus(sector: int) -> Wait:
    return Wait(uses=[Use("virus", sector)])


# --- gifts ---------------------------------------------------------------------------------------------------------


def test_gifts_go_with_any_answer_and_come_before_it() -> None:
    """Z1.7, Z2.20: what is received can be used at once by whoever is asked next."""
    match = begin(clout=[3, 0, 1], hackers=[1, 0, 0])
    events = answer(match, Expand([9], gifts=[Gift(to=1, clout=2, hackers=1)]))
    assert [type(event) for event in events] == [Given, Expanded]
    assert match.at.clout == [0, 2, 1]
    assert match.at.hackers == [0, 1, 0]
    assert seat_to_answer(match) == 1
    answer(match, Expand([14, 14]))
    assert agents_in(match.at, 14) == [0, 2, 0]


def test_what_is_given_away_cannot_be_spent() -> None:
    """Z2.20, Z3.9: then the answer as a whole is illegal."""
    match = begin(clout=[3, 0, 0])
    given = Expand([9, 9], gifts=[Gift(to=1, clout=2)])
    assert refusal(match, given) == "places 2 Clout; it can place 1 to 1"


@pytest.mark.parametrize(
    ("gift", "reason"),
    [
        (Gift(to=1, clout=4), "gives 4 clout; there are 0 to 3 to give"),
        (Gift(to=1, clout=-1), "gives -1 clout; there are 0 to 3 to give"),
        (Gift(to=0, clout=1), "gives to seat 0; gifts may go to 1, 2"),
        (Gift(to=1, viruses=1), "gives 1 viruses; there are 0 to 0 to give"),
        (Gift(to=1, templates=["P"]), "gives the template P; there are none"),
    ],
)
def test_a_gift_that_cannot_be_is_dropped_and_the_answer_stands(gift: Gift, reason: str) -> None:
    """Z2.20"""
    match = begin(clout=[3, 0, 0])
    events = answer(match, Expand([9], gifts=[gift]))
    assert heard(events, Dropped) == [Dropped(0, reason)]
    assert match.at.clout == [2, 0, 0]


def test_one_gift_for_each_opponent_may_go_with_an_answer() -> None:
    """Z2.20"""
    match = begin(clout=[5, 0, 0])
    twice = [Gift(to=1, clout=1), Gift(to=1, clout=1)]
    events = answer(match, Expand([9], gifts=twice))
    assert heard(events, Dropped)[0].reason == "gives to seat 1 twice; one gift for each seat may go with an answer"
    assert match.at.clout == [3, 1, 0]
    three = Pass(gifts=[*twice, Gift(to=2)])
    assert question(match).error(three) == "carries 3 gifts; 2 may go with this answer"


def test_clout_on_templates_cannot_be_given() -> None:
    """Z2.7, Z2.20"""
    match = begin(phase="bid", clout=[4, 4, 4], lots=lots("PU"))
    answer(match, Bid(0, 3), Pass(), Pass())
    assert refusal(match, Bid(0, 1, gifts=[Gift(to=1, clout=1)])).startswith("puts 1 on lot 0; it takes 1 to 0")


def test_the_last_template_cannot_be_given_away_while_placing() -> None:
    """Z2.20: each decision places one, so the phase ends."""
    match = begin(phase="apply", templates=[["P", "C"], [], []])
    events = answer(match, Apply("P", 0, gifts=[Gift(to=1, templates=["C", "P"])]))
    assert heard(events, Dropped)[0].reason == "gives 2 of 2 templates; it must keep 1 to place"
    match = begin(phase="apply", templates=[["P", "C"], [], []])
    assert question(match).error(Apply("C", 0, gifts=[Gift(to=1, templates=["C"])])) == (
        "puts down C; the templates in hand are P"
    )
    answer(match, Apply("P", 0, gifts=[Gift(to=1, templates=["C"])]))
    assert seat_to_answer(match) == 1
    assert match.at.templates == [[], ["C"], []]


def test_in_simultaneous_decisions_gifts_are_given_when_all_answers_are_in() -> None:
    """Z2.8, Z2.20: what is received cannot be bid at once."""
    match = begin(phase="oversight", clout=[2, 2, 0])
    assert set(match.questions) == {0, 1}
    assert refusal(match, Bribe(3), seat=1) == "bids 3 for oversight; a bid is 0 to 2"
    events = all_answer(match, p0=Bribe(0, gifts=[Gift(to=1, clout=2)]), p1=Bribe(2, gifts=[Gift(to=2, clout=0)]))
    assert [type(event) for event in events][:3] == [Given, Given, Overseen]
    assert match.at.clout == [0, 2, 0]


def test_with_trading_off_nothing_can_be_given() -> None:
    """Z2.20, Z2.25: for ladders in which one owner may hold two seats."""
    match = begin(clout=[3, 0, 0], trading="off")
    assert question(match).besides.to == []  # type: ignore[attr-defined]
    assert refusal(match, Pass(gifts=[Gift(to=1, clout=1)])) == "carries 1 gifts; 0 may go with this answer"


def test_gifts_may_hand_somebody_the_victory() -> None:
    """Z2.25: it is the written rule."""
    match = begin(phase="closing", clout=[13, 12, 0])
    all_answer(match, p1=Wait(gifts=[Gift(to=0, clout=12)]))
    assert match.over
    assert (match.at.ending, match.at.winners) == ("clout", [0])


# --- Hackers and Viruses -------------------------------------------------------------------------------------------


def test_a_hacker_removes_a_template_and_leaves_play() -> None:
    """Z1.31, Z7.30, Z2.19: the sector is empty, and can get a template again."""
    match = begin(phase="opening", zones={20: "P"}, hackers=[1, 0, 0])
    events = all_answer(match, p0=hacker(20))
    assert heard(events, Used) == [Used(0, "hacker", 20, "P", [])]
    assert match.at.zones[20] == ""
    assert match.at.hackers == [0, 0, 0]
    assert match.at.gone == {"H": 1, "P": 1}


@pytest.mark.parametrize("sector", [9, 21, 30, 99, -1])
def test_a_hacker_touches_no_home_no_critical_node_and_no_empty_sector(sector: int) -> None:
    """Z1.31, Z1.33, Z7.30: the tile is kept."""
    match = begin(phase="opening", zones={21: "N"}, hackers=[1, 0, 0])
    events = all_answer(match, p0=hacker(sector))
    needed = "which is none with a template that is no Home and no Critical Node"
    assert heard(events, Dropped) == [Dropped(0, f"uses a hacker on sector {sector}, {needed}")]
    assert match.at.hackers == [1, 0, 0]


def test_a_virus_removes_all_agents_of_a_sector_and_leaves_play() -> None:
    """Z1.32, Z7.31, Z2.14: one's own too; they do not become Clout."""
    match = begin(phase="opening", agents={20: (2, 3, 1)}, viruses=[1, 0, 0])
    events = all_answer(match, p0=virus(20))
    assert heard(events, Used) == [Used(0, "virus", 20, "", [2, 3, 1])]
    assert agents_in(match.at, 20) == [0, 0, 0]
    assert match.at.clout == [4, 4, 4]
    assert match.at.gone == {"V": 1}


def test_a_virus_needs_agents() -> None:
    """Z1.32, Z3.2"""
    match = begin(phase="opening", agents={21: (1, 0, 0)}, viruses=[1, 0, 0])
    window = question(match)
    assert isinstance(window, ToAct)
    assert (window.hackable, window.infectable) == ([], [21])
    assert heard(all_answer(match, p0=virus(20)), Dropped)
    assert match.at.viruses == [1, 0, 0]


def test_a_tile_that_is_not_held_cannot_be_used() -> None:
    """Z2.19: one that was given away with the same answer neither."""
    match = begin(clout=[1, 0, 0], hackers=[1, 0, 0], zones={20: "P", 21: "P"})
    away = Expand([9], gifts=[Gift(to=1, hackers=1)], uses=[Use("hacker", 20)])
    assert heard(answer(match, away), Dropped) == [Dropped(0, "uses a hacker, of which it has none left")]
    match = begin(clout=[1, 0, 0], hackers=[1, 0, 0], zones={20: "P", 21: "P"})
    events = answer(match, Expand([9], uses=[Use("hacker", 20), Use("hacker", 21)]))
    assert len(heard(events, Used)) == len(heard(events, Dropped)) == 1


def test_tiles_are_used_before_the_main_part_of_an_answer_which_is_judged_as_asked() -> None:
    """Z2.19: what a use opens up can be used from the next decision on."""
    match = begin(clout=[2, 0, 0], hackers=[1, 0, 0], zones={10: "R"})
    opening = Expand([10], uses=[Use("hacker", 10)])
    assert refusal(match, opening).startswith("places Clout in 10; valid sectors are")
    events = answer(match, Expand([9], uses=[Use("hacker", 10)]))
    assert [type(event) for event in events][:2] == [Used, Expanded]
    answer(match, Expand([10]))
    assert agents_in(match.at, 10) == [1, 0, 0]


def test_the_first_window_is_put_to_holders_of_tiles_before_income() -> None:
    """Z3.2, Z7.32, Z2.19: a Hacker on a rival's only Production makes the income 4 each."""
    match = begin(phase="opening", agents={20: (0, 2, 0)}, zones={20: "P"}, hackers=[1, 0, 0])
    assert set(match.questions) == {0}
    all_answer(match, p0=hacker(20))
    assert match.at.clout == [4, 4, 4]


def test_without_tiles_there_is_no_first_window() -> None:
    """Z3.2: skipped when nobody is entitled."""
    assert isinstance(question(begin(phase="opening"), 0), ToOversee)


def test_a_window_is_held_again_while_tiles_were_used_and_somebody_holds_more() -> None:
    """Z2.19"""
    match = begin(phase="opening", agents={20: (0, 2, 0)}, zones={20: "P"}, hackers=[1, 0, 1], viruses=[0, 1, 0])
    all_answer(match, p0=hacker(20))
    assert set(match.questions) == {1, 2}
    assert all(isinstance(asked, ToAct) for asked in match.questions.values())
    all_answer(match)
    assert isinstance(question(match, 0), ToOversee)


def test_of_two_uses_in_one_window_the_first_in_order_counts_and_the_other_is_void() -> None:
    """Z2.8, Z2.19: in the priority list's order before income, in the order of phase 6 before the check."""
    fields: Any = {"agents": {20: (0, 2, 0)}, "zones": {20: "P"}}
    opening = begin(phase="opening", priority=[1, 0, 2], hackers=[1, 1, 0], **fields)
    events = all_answer(opening, p0=hacker(20), p1=hacker(20))
    assert (heard(events, Used)[0].seat, heard(events, Dropped)[0].seat) == (1, 0)
    assert opening.at.hackers == [1, 0, 0]
    closing = begin(phase="closing", order=[2, 1, 0], hackers=[1, 1, 0], **fields)
    assert heard(all_answer(closing, p0=hacker(20), p1=hacker(20)), Used)[0].seat == 1


def test_the_closing_window_is_put_to_owners_of_clout_too_for_last_gifts() -> None:
    """Z2.20, Z3.2"""
    assert set(begin(phase="closing", clout=[1, 0, 0], viruses=[0, 1, 0]).questions) == {0, 1}
    assert set(begin(phase="closing", clout=[1, 0, 0], viruses=[0, 1, 0], trading="off").questions) == {1}


def test_two_players_have_nothing_to_trade_but_may_still_give() -> None:
    """Z2.21: no trade window unless it is asked for, and the closing one for holders of tiles alone."""
    assert set(begin(2, "closing", clout=[1, 0], viruses=[0, 1]).questions) == {1}
    assert [Options(2).windows, Options(3).windows, Options(2, trade_windows=1).windows] == [0, 1, 1]
    match = begin(2, clout=[2, 0])
    answer(match, Expand([9], gifts=[Gift(to=1, clout=1)]))
    assert match.at.clout == [0, 1]


# --- talk ----------------------------------------------------------------------------------------------------------


def test_any_answer_may_carry_two_messages_heard_by_all() -> None:
    """Z2.22"""
    match = begin(clout=[3, 1, 0])
    events = answer(match, Pass(say=[Message("peace?"), Message("you too", 1)]))
    messages = heard(events, Said)
    assert messages == [Said(0, None, "peace?"), Said(0, 1, "you too")]
    assert [message.seen_by(2) for message in messages] == messages
    three = Pass(say=[Message("a")] * 3)
    assert refusal(match, three) == "carries 3 messages; 2 may go with this answer"


def test_private_words_are_heard_by_two_alone() -> None:
    """Z2.22"""
    match = begin(clout=[3, 0, 0], talk="private")
    (message,) = heard(answer(match, Pass(say=[Message("psst", 1)])), Said)
    assert [message.seen_by(seat) is not None for seat in range(3)] == [True, True, False]


def test_that_something_was_said_in_private_is_not_seen_by_the_others() -> None:
    """Z2.22, Z4.1: nor heard, if it was said to nobody."""
    match = begin(clout=[3, 1, 0], talk="private", said=[0, 5, 0])
    before = SHANGZHOU.see(match.at, 2)
    (dropped,) = heard(answer(match, Expand([9], say=[Message("psst", 1), Message("nobody?", 7)])), Dropped)
    assert [dropped.seen_by(seat) is not None for seat in range(3)] == [True, False, False]
    assert [SHANGZHOU.see(match.at, seat).said for seat in range(3)] == [[2, 0, 0], [0, 5, 0], before.said]  # type: ignore[attr-defined]
    assert len({tuple(SHANGZHOU.redraw(match.at, 2, Dice.of(str(seed))).said) for seed in range(9)}) > 1
    in_public = begin(clout=[3, 1, 0], said=[4, 5, 0])
    assert SHANGZHOU.see(in_public.at, 2).said == [4, 5, 0]  # type: ignore[attr-defined]


def test_talk_may_be_off_and_is_bounded() -> None:
    """Z2.22: 200 characters a message and 200 messages a match."""
    off = begin(clout=[3, 0, 0], talk="off")
    assert refusal(off, Pass(say=[Message("hi")])) == "carries 1 messages; 0 may go with this answer"
    match = begin(clout=[3, 0, 0], said=[199, 0, 0])
    assert "1 to 200 printable" in refusal(match, Pass(say=[Message("x" * 201)]))
    assert "1 may go" in refusal(match, Pass(say=[Message("a"), Message("b")]))
    events = answer(match, Expand([9], say=[Message("nobody?", 7)]))
    assert heard(events, Dropped)[0].reason == "speaks to seat 7; the seats are 0 to 2"


# --- the trade window ----------------------------------------------------------------------------------------------


def offering(clout: list[int], **settings: Any) -> Match[Position]:
    return begin(phase="offers", clout=clout, lots=lots("UUUU"), **settings)


def sale(to: int, price: int) -> Offer:
    return Offer(to, Goods(viruses=1), Goods(clout=price))


def test_offers_are_made_at_once_shown_accepted_at_once_and_bind() -> None:
    """Z2.20, Z3.4, Z3.5, Z7.34"""
    match = offering([4, 4, 4], viruses=[1, 0, 0])
    assert set(match.questions) == {0, 1, 2}
    assert question(match, 2).default() == Offers([])
    events = all_answer(match, p0=Offers([sale(1, 3)]))
    assert heard(events, Offered)[0].offers == match.at.offers
    asks = question(match)
    assert isinstance(asks, ToAccept)
    assert seat_to_answer(match) == 1
    assert asks.default() == Accept([])
    events = answer(match, Accept([0]))
    assert heard(events, Traded) == [Traded(0, 0, 1, done=True)]
    assert match.at.clout == [7, 1, 4]
    assert match.at.viruses == [0, 1, 0]


def test_an_offer_that_cannot_be_covered_any_more_fails_and_nothing_moves() -> None:
    """Z7.34"""
    match = offering([4, 2, 4], viruses=[1, 0, 0])
    all_answer(match, p0=Offers([sale(1, 3)]))
    assert heard(answer(match, Accept([0])), Traded) == [Traded(0, 0, 1, done=False)]
    assert match.at.clout == [4, 2, 4]
    assert match.at.viruses == [1, 0, 0]


def test_accepted_offers_are_carried_out_by_the_priority_of_who_made_them() -> None:
    """Z2.20: the Virus goes to the first, so the second fails."""
    match = offering([4, 4, 4], viruses=[0, 0, 1], priority=[2, 1, 0])
    all_answer(match, p0=Offers([Offer(2, Goods(clout=1), Goods(viruses=1))]), p2=Offers([sale(1, 2)]))
    assert [(offer.id, offer.by) for offer in match.at.offers] == [(0, 2), (1, 0)]
    events = all_answer(match, p1=Accept([0]), p2=Accept([1]))
    assert [(deal.offer, deal.done) for deal in heard(events, Traded)] == [(0, True), (1, False)]
    assert match.at.viruses == [0, 1, 0]


@pytest.mark.parametrize(
    ("offers", "reason"),
    [
        ([Offer(1, Goods(clout=5), Goods())], "offers 5 clout; there are 0 to 4 to give"),
        ([Offer(0, Goods(), Goods())], "makes an offer to seat 0; the others are 1, 2"),
        ([Offer(1, Goods(), Goods())] * 3, "makes 3 offers; 2 at most"),
        (
            [Offer(1, Goods(), Goods(clout=-1))],
            "wants templates or less than nothing; it can want Clout, Hackers and Viruses, 0 or more",
        ),
    ],
)
def test_offers_that_cannot_be_are_refused(offers: list[Offer], reason: str) -> None:
    """Z3.4"""
    assert refusal(offering([4, 4, 4]), Offers(offers), seat=0) == reason


def test_only_offers_made_to_oneself_can_be_accepted_and_only_once() -> None:
    """Z3.5"""
    match = offering([4, 4, 4])
    all_answer(match, p0=Offers([Offer(1, Goods(), Goods()), Offer(2, Goods(), Goods())]))
    assert refusal(match, Accept([1]), seat=1) == "accepts offers 1; to be accepted, once each, are 0"
    assert refusal(match, Accept([0, 0]), seat=1) == "accepts offers 0, 0; to be accepted, once each, are 0"


@pytest.mark.parametrize(("trading", "windows", "held"), [("full", 0, 0), ("full", 1, 1), ("full", 2, 2)])
def test_a_turn_has_none_one_or_two_trade_windows(trading: str, windows: int, held: int) -> None:
    """Z2.20: the second comes before phase 6."""
    match = start(3, trade_windows=windows, max_turns=1, trading=trading)
    kinds = []
    while not match.over:
        kinds.append(question(match, min(match.questions)).tag)
        all_answer(match)
    assert kinds.count("offers") == held
    if held == 2:
        assert kinds.index("bid") < len(kinds) - 1 - kinds[::-1].index("offers")


def test_trading_may_be_gifts_alone_or_off() -> None:
    """Z2.20: then there is no trade window."""
    assert [Options(3, trading="gifts").windows, Options(3, trading="off").windows] == [0, 0]
    assert question(begin(clout=[1, 0, 0], trading="gifts")).besides.to == [1, 2]  # type: ignore[attr-defined]


def test_the_position_holds_answers_given_at_once_before_the_next_question() -> None:
    """Z3.12, Z4.3: begun afresh from a copy, the trade goes on where it was."""
    match = offering([4, 4, 4], viruses=[1, 0, 0])
    all_answer(match, p0=Offers([sale(1, 3)]))
    again = match.copy()
    assert again.questions == match.questions
    for copy in (match, again):
        copy.apply({1: Accept([0])})
    assert again.at == match.at
