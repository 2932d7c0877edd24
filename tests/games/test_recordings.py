"""The recorded games and play-throughs of all games."""

import pytest

from engine.games import GAMES
from tests.games.record import PLAYTHROUGHS, RECORDED, RECORDINGS, events_in, recorded, recordings_of, replay_of, text


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_recorded_game_replays_to_an_equal_result(name: str) -> None:
    """Z-V4: seed, options and answers are enough."""
    assert events_in(name)  # which verifies it
    assert replay_of(name) == recorded(name)


@pytest.mark.parametrize("game", GAMES)
def test_each_number_of_players_and_faults_are_recorded(game: str) -> None:
    recordings = [RECORDINGS[name] for name in recordings_of(game)]
    assert {recording.options["players"] for recording in recordings} == set(GAMES[game].players)
    assert any(recording.faults for recording in recordings)


@pytest.mark.parametrize("game", GAMES)
def test_the_playthrough_reads_as_it_did(game: str) -> None:
    """Z-V4"""
    assert text(events_in(recordings_of(game)[0])) == (PLAYTHROUGHS / f"{game}.txt").read_text()


def test_nothing_else_lies_there() -> None:
    assert {path.stem for path in RECORDED.iterdir()} == set(RECORDINGS)
    assert {path.stem for path in PLAYTHROUGHS.iterdir()} == set(GAMES)
