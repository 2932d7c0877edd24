"""What bots imagine fits what they know, and can be played on."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bots.imagine import Imagination, drawn, rollout, step
from engine.dice import Dice
from engine.games import GAMES
from engine.records import canonical
from tests import thorough


@settings(max_examples=thorough.budget(13, full=200), deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 400), st.integers(0, 10**6))
def test_what_a_seat_imagines_fits_its_view_and_is_played_to_its_end(name: str, decisions: int, seed: int) -> None:
    game, dice = GAMES[name], Dice.of(str(seed))
    match = game.start(game.read_options({}), str(seed))
    heard: dict[int, list[Any]] = {}
    for _ in range(decisions):
        for event in match.hear():
            for seat in range(match.at.options.players):
                heard.setdefault(seat, []).extend(filter(None, [event.seen_by(seat)]))
        before = match.copy()
        step(match, {}, drawn(dice))
        if match.over:
            match = before
            break
    seat = min(match.questions)
    mind, view = Imagination(name), game.see(match.at, seat)
    mind.hear(heard.get(seat, []))
    imagined = mind.imagine(view)
    assert canonical(game.see(imagined.at, seat)) == canonical(view)
    assert imagined.questions[seat] == match.questions[seat]
    rollout(imagined, drawn(mind.dice))
    assert imagined.over
    assert len(mind.scores(imagined)) == match.at.options.players


def test_a_rollout_may_be_cut_short() -> None:
    mind = Imagination("zaibatsu")
    match = GAMES["zaibatsu"].start(GAMES["zaibatsu"].read_options({}), "short")
    longer = match.copy()
    rollout(match, drawn(Dice.of("a")), 3)
    rollout(longer, drawn(Dice.of("a")), 4)
    assert (len(match.at.to_place), len(longer.at.to_place)) == (9, 8)
    assert sorted(mind.scores(match)) == [8, 9, 10]
