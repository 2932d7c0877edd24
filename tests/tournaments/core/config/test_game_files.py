"""The files that games bring are served as static ones, and nothing else of their folders is."""

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.finders import get_finder
from django.core.exceptions import SuspiciousFileOperation

from engine.games import OWN

FINDER = "tournaments.core.config.game_files.GameFiles"


@pytest.mark.parametrize("game", OWN)
def test_a_poster_is_found_by_the_name_of_its_game(game: str) -> None:
    assert finders.find(f"games/{game}/poster.svg")
    assert f"games/{game}/poster.svg" in {f"{s.prefix}/{path}" for path, s in get_finder(FINDER).list([])}


def test_nothing_else_of_a_games_folder_is() -> None:
    assert finders.find("games/zaibatsu/poster.py") is None
    assert finders.find("games/gone/poster.svg") is None
    with pytest.raises(SuspiciousFileOperation):
        finders.find("games/zaibatsu/../poster.py")
    assert {path.rsplit(".", 1)[-1] for path, _ in get_finder(FINDER).list([])} == {"svg"}
