"""How each game is rated by default."""

from bots.rated_options import rated_margin, rated_options
from engine.games import GAMES


def test_maps_of_network_are_generated_and_margins_count_where_they_tell_more_than_places() -> None:
    assert {game: dict(rated_options(game)) for game in GAMES if rated_options(game)} == {
        "network": {"map": "generated"}
    }
    margins = {game: rated_margin(game) for game in GAMES if rated_margin(game)}
    assert margins == {"kaiju": 20, "shangzhou": 12, "zaibatsu": 60}
    assert all(game.read_options(dict(rated_options(name))) for name, game in GAMES.items())
