"""The examples that the rule pages of games begin with come out as the pages say."""

from engine.core import Match
from engine.games.gigabucks import GIGABUCKS, appraisal, royalty
from engine.games.kaiju import KAIJU, Income, Take
from engine.games.network import NETWORK, Act
from engine.games.shangzhou import SHANGZHOU, Pass, dispute, shares
from engine.games.shangzhou import Bid as Put
from engine.games.zaibatsu import ZAIBATSU, Bid, best
from tests.docs.game_pictures import EXAMPLES, FOLDER


def test_each_example_has_its_picture_and_its_page_shows_it() -> None:
    for game in EXAMPLES:
        assert (FOLDER / f"{game}.png").exists()
        assert f"(../pictures/{game}.png)" in (FOLDER.parent / "games" / f"{game}.md").read_text()


def test_ann_builds_a_city_and_cleo_gains_more() -> None:
    match = Match(NETWORK.rules, EXAMPLES["network"].copy())
    assert NETWORK.scores(match.at) == [23, 20, 21]
    match.apply({0: Act(0, (3, 0), 2)})
    assert match.at.share_value[0] == 9
    assert match.at.treasury[0] == 13 - 10 + 3
    assert NETWORK.scores(match.at) == [24, 20, 25]


def test_a_pile_is_worth_more_to_ann_than_to_ben() -> None:
    match = Match(ZAIBATSU.rules, EXAMPLES["zaibatsu"].copy())
    adds = [best([*owned, "A04", "M04"]).score - best(owned).score for owned in match.at.owned]
    assert adds[:2] == [18, 3]
    assert ZAIBATSU.scores(match.at)[0] == 21
    match.apply({0: Bid(7)})
    match.apply({1: Bid(0)})
    assert ZAIBATSU.scores(match.at)[0] == 32


def test_cleo_is_attacked_and_dan_gets_more_of_her_turn() -> None:
    match = Match(KAIJU.rules, EXAMPLES["kaiju"].copy())
    cleo, dan = match.at.players[2:]
    assert cleo.bank == 4
    match.apply({2: Income("B20")})
    assert (cleo.bank, cleo.research, cleo.kaiju, "B09" in cleo.tableau) == (6, 3, 0, False)
    match.apply({3: Take("N01")})
    assert (dan.bank, dan.research, dan.kaiju, dan.products, len(dan.tableau)) == (6, 1, 1, ["N01"], 4)


def test_ann_pays_three_for_the_tile_and_fights_for_its_yield() -> None:
    match = Match(SHANGZHOU.rules, EXAMPLES["shangzhou"].copy())
    for seat, answer in ((0, Put(0, 1)), (1, Put(0, 2)), (2, Pass()), (0, Put(0, 2)), (1, Pass()), (0, Pass())):
        match.apply({seat: answer})
    assert (match.at.clout, match.at.templates[0]) == ([1, 4, 4], ["P"])
    assert shares((3, 4, 0), 3) == (1, 2, 0)
    assert (dispute(3, 4), dispute(4, 4)) == ((0, 1), (1, 0))


def test_ben_owes_fifteen_and_ann_is_worth_195() -> None:
    position = EXAMPLES["gigabucks"]
    assert [royalty(position, space) for space in (28, 25)] == [15, 0]
    assert (position.cash[0], appraisal(position, 0)) == (120, 195)
    assert GIGABUCKS.scores(position)[0] == 195
