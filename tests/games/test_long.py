"""The command that plays thousands of matches, for a few."""

from dataclasses import fields

import pytest

from engine.core import Match
from engine.games import GAMES
from tests import thorough
from tests.games.long import CHOICES, long, samples


@pytest.mark.parametrize("name", GAMES)
def test_it_draws_every_option_and_has_a_turn_for_each_number_of_players(name: str) -> None:
    game = GAMES[name]
    assert {"players", *CHOICES[name]} == {option.name for option in fields(game.options)}
    matches = thorough.budget(1, full=20) * len(game.players)
    totals = long(game, matches, "few", 0.01, {})
    assert totals.matches == totals.ends.total() == matches
    assert 0 < totals.checked < totals.decisions


def test_it_says_in_which_match_something_was_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Match, "copy", lambda match: match.copy_of_another())
    with pytest.raises(AttributeError) as raised:
        long(GAMES["network"], 3, "wrong", 1.0, {"players": 5})
    assert "in the match of seed 'wrong 0' with {'players': 5, " in raised.value.__notes__[0]


def test_samples_play_each_table_and_their_wins_are_counted() -> None:
    (line,) = samples(GAMES["network"], 4, "few", {"players": 2}, ["greedy"])
    assert line.startswith("greedy among random, 2 players: wins ")
    assert " in 2 sets, 0 faults; " in line
