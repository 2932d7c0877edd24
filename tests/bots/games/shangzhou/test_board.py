"""The board of Shangzhou-Gold."""

import pytest

from bots.games.shangzhou import board as shangzhou
from bots.games.shangzhou.board.phases import phase_sentence, to_answer
from bots.viewer.boards import NOBODY
from bots.viewer.language import told_in
from bots.viewer.svg import Picture
from engine.games.shangzhou import Goods, Position, Proposal
from tests.bots.viewer.drawn import check_drawing, check_names, check_secrets, moments, texts
from tests.games.record import recordings_of
from tests.games.shangzhou_tables import lots, table
from tournaments.core.config.match_languages import match_language

NAMES = ["Ann", "Ben", "Cleo"]
GAMES = recordings_of("shangzhou")


def draw(position: Position) -> Picture:
    return shangzhou.draw(position, NAMES[: position.options.players], NOBODY)


@pytest.mark.parametrize("name", GAMES)
def test_every_moment_of_a_recorded_game_can_be_drawn(name: str) -> None:
    check_drawing(name)


@pytest.mark.parametrize("name", GAMES)
def test_the_stack_lies_face_down(name: str) -> None:
    check_secrets(name)


def test_names_are_words_and_not_markup() -> None:
    check_names(GAMES[0])


@pytest.mark.parametrize("name", GAMES)
def test_those_who_are_asked_are_pointed_at(name: str) -> None:
    for match, _ in moments(name):
        assert sorted(to_answer(match.at)) == sorted(match.questions)


@pytest.mark.parametrize("name", GAMES)
def test_several_who_are_asked_stand_in_the_plural(name: str) -> None:
    with told_in(match_language("de")):
        for match, _ in moments(name):
            asked = phase_sentence(match.at, [*NAMES, "Dora"][: match.at.options.players])
            if match.questions:
                assert (" dürfen " in asked) == (len(match.questions) > 1), asked


def test_a_sector_shows_how_many_agents_of_whom_are_there() -> None:
    parts = draw(table(agents={0: (3, 0, 2), 1: (0, 4, 0)}, zones={0: "C"})).parts
    assert texts(parts["sector-0"]) == ["3", "2"]
    assert '"#sz-C"' in parts["sector-0"]
    assert "sz-held" not in parts["sector-0"]
    assert "sz-held seat-1" in parts["sector-1"]


def test_a_step_changes_the_sectors_it_is_about_and_no_other() -> None:
    before, after = table(agents={9: (1, 0, 0)}), table(agents={9: (1, 0, 0), 20: (0, 2, 0)})
    changed = draw(after).changes(draw(before))
    assert [name for name in changed if name.startswith("sector")] == ["sector-20"]


def test_a_tile_up_for_bid_shows_the_highest_bid_first() -> None:
    up = lots("CPUS")
    up[1].bids = [2, 0, 5]
    assert texts(draw(table(phase="bid", lots=up)).parts["lot-1"]) == ["2", "Production", "Clout", "5", "2"]


def test_where_agents_may_be_placed_is_dotted_while_they_are() -> None:
    position = table(clout=[1, 1, 1])
    assert draw(position).parts["reach"].count("M") == 5
    assert draw(table(phase="bid", clout=[1, 1, 1])).parts["reach"] == ""


def test_each_of_the_three_ways_to_win_is_measured() -> None:
    position = table(agents={0: (1, 0, 0), 1: (1, 2, 0)}, zones={0: "N", 1: "N"}, clout=[5, 0, 0])
    assert texts(draw(position).parts["stands-0"]) == ["Clout", "5/25", "Sectors", "1/33", "Nodes", "1/4"]
    position = table(agents={0: (1, 0, 0), 1: (1, 2, 0)}, zones={0: "N", 1: "N"}, critical_rule="present")
    assert texts(draw(position).parts["stands-0"])[-1] == "2/4"


def test_worth_is_how_far_the_best_way_has_been_gone() -> None:
    position = table(agents={0: (1, 0, 0), 1: (0, 1, 0), 2: (0, 1, 0)}, zones={0: "N"}, clout=[5, 0, 20], clout_goal=25)
    assert shangzhou.worth(position) == [25, 6.1, 80]
    position.lots = lots("C")
    position.lots[0].bids = [0, 4, 0]
    assert shangzhou.worth(position) == [25, 16, 80]
    assert texts(draw(position).parts["wide-way-1"]) == ["16 % of a victory"]


def test_offers_are_told_while_they_are_open() -> None:
    offer = Proposal(2, Goods(viruses=1), Goods(clout=3), 0, 1)
    assert texts(draw(table(phase="answers", offers=[offer])).parts["holds-1"]) == ["offers 1 Virus to 2 for 3 Clout"]


def test_at_the_end_the_winner_is_told() -> None:
    parts = draw(table(ending="clout", winners=[2], clout=[0, 0, 30])).parts
    assert texts(parts["asked"]) == ["2", "Cleo wins with the most Clout"]
    assert texts(parts["holds-2"]) == ["wins; 0 agents, next income about 4 Clout"]
