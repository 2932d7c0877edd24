"""The examples that the rule pages of Network and Zaibatsu begin with come out as the pages say."""

from engine.core import Match
from engine.games import network, zaibatsu
from engine.games.network import NETWORK, Act
from engine.games.zaibatsu import ZAIBATSU, Bid, best
from tests.docs.game_pictures import EXAMPLES, FOLDER


def test_each_example_has_its_picture_and_its_page_shows_it() -> None:
    for game in EXAMPLES:
        assert (FOLDER / f"{game}.png").exists()
        assert f"(../pictures/{game}.png)" in (FOLDER.parent / "games" / f"{game}.md").read_text()


def test_ann_builds_a_city_and_cleo_gains_more() -> None:
    match = Match(NETWORK.rules, EXAMPLES["network"].copy())
    assert network.scores(match.at) == [23, 20, 21]
    match.apply({0: Act(0, (3, 0), 2)})
    assert match.at.share_value[0] == 9
    assert match.at.treasury[0] == 13 - 10 + 3
    assert network.scores(match.at) == [24, 20, 25]


def test_a_pile_is_worth_more_to_ann_than_to_ben() -> None:
    match = Match(ZAIBATSU.rules, EXAMPLES["zaibatsu"].copy())
    adds = [best([*owned, "A04", "M04"]).score - best(owned).score for owned in match.at.owned]
    assert adds[:2] == [18, 3]
    assert zaibatsu.rules.scores(match.at)[0] == 21
    match.apply({0: Bid(7)})
    match.apply({1: Bid(0)})
    assert zaibatsu.rules.scores(match.at)[0] == 32
