import pytest
from django.test import Client

from engine.games import GAMES
from engine.records import to_plain
from tests.factories import a_ladder
from tests.tournaments.web.pages.html import Html
from tournaments.web.pages.ladder_settings_text import NUMBERS, seconds, settings_in_words


@pytest.mark.parametrize(("ms", "words"), [(250, "0.25 s"), (1000, "1 s"), (30_000, "30 s"), (120_000, "2 min")])
def test_times_are_short(ms: int, words: str) -> None:
    assert seconds(ms) == words


def test_the_settings_of_a_ladder_are_told_in_words(db: None) -> None:
    rules = dict(settings_in_words(a_ladder(players=2, answer_ms=500, memory_mb=256, strikes=1)))
    beginning = (
        "Two bots. Bots of one owner, or of people of one team, never meet; while there are fewer owners than seats,"
    )
    assert rules["Table"] == f"{beginning} as few of one owner as possible meet."
    assert dict(settings_in_words(a_ladder(players=2, few_owners="wait")))["Table"] == f"{beginning} nobody plays."
    assert dict(settings_in_words(a_ladder(players=2, owners_apart=False)))["Table"] == "Two bots."
    assert rules["Versions"].startswith("An earlier one may come back once the current one has played for 10 min")
    assert dict(settings_in_words(a_ladder(version_pause=0)))["Versions"].startswith(
        "Any version that passed its check"
    )
    assert rules["Set"] == "One deal, played two times with the seats rotated; the whole set is rated as one."
    assert rules["Clock"] == "0.5 s for an answer and 30 s for a match, in CPU time."
    assert rules["Memory"] == "256 MB."
    assert rules["Threads"] == "16, or one where the worker cannot count them; no further processes."
    assert rules["Files"].startswith(
        "64 open at once. A temporary folder of 16 MB, where the worker has one, for files"
    )
    assert rules["Output"].startswith(
        "64 KB for an answer and 4 MB for a match, stderr included, of which the last 8 KB"
    )
    assert rules["Faults"] == "The first fault forfeits the match."
    assert rules["Rules"] == "Zaibatsu, version 1; default options."


def test_of_a_games_options_only_those_are_told_that_are_not_its_defaults(db: None) -> None:
    options = to_plain(GAMES["zaibatsu"].read_options({"players": 4, "piles": "closed", "first": 2}))
    rules = dict(settings_in_words(a_ladder(options=options)))
    assert rules["Rules"] == 'Zaibatsu, version 1; first 2, piles "closed", otherwise the defaults.'


def test_there_is_a_word_for_the_players_of_every_game() -> None:
    assert all(game.players[-1] < len(NUMBERS) for game in GAMES.values())


@pytest.mark.parametrize(("division", "threads"), [("time", "3, or one where"), ("fuel", "One.")])
def test_the_page_of_a_ladder_shows_its_clock_and_its_limits(db: None, division: str, threads: str) -> None:
    a_ladder("strict", division=division, increment_ms=250, threads=3, line_kb=2, stderr_kb=5)
    text = Html(Client().get("/ladders/strict/").content.decode()).text
    for words in ("0.25 s more after each answer", threads, "2 KB for an answer and 4 MB", "the last 5 KB"):
        assert words in text
