"""Boards in words: what screen readers are offered, and what secrets never come into it."""

import pytest

from bots.viewer import commentary
from bots.viewer.boards import NOBODY, board_of
from bots.viewer.player import Perspective, Projector
from engine.games.zaibatsu import CARDS, Position
from tests.bots.viewer.replays import NAMES, positions, replay_of

EVERY = 61  # positions
LONGEST = 6000  # characters of all lines together


@pytest.mark.parametrize("name", NAMES)
def test_the_lines_of_a_board_are_the_same_all_match_long_and_name_every_seat(name: str) -> None:
    replay = replay_of(name)
    board, names = board_of(replay.game), commentary.names_of(replay)
    lines = set()
    for position in positions(replay, EVERY):
        words = board.draw(position, names, NOBODY).words
        lines.add(tuple(words))
        assert all(words.values()), words
        assert sum(map(len, words.values())) < LONGEST
        assert all(words[f"Seat {seat}"].startswith(player) for seat, player in enumerate(names))
    assert len(lines) == 1


def test_a_hand_is_told_to_whom_it_belongs_and_to_nobody_else() -> None:
    replay = replay_of("zaibatsu-3")
    names = commentary.names_of(replay)
    for position in positions(replay, EVERY):
        assert isinstance(position, Position)
        all_know, owner_knows = (
            board_of("zaibatsu").draw(position, names, frozenset(shown)).words for shown in ((), (0,))
        )
        held = [CARDS[card].name for card in position.hands[0]]
        assert all(name in owner_knows["Hand of seat 0"] for name in held)
        assert not any(name in all_know["Hand of seat 0"] for name in held)
        assert owner_knows["Hand of seat 1"] == all_know["Hand of seat 1"]


def test_a_card_face_down_is_named_to_who_laid_it_alone() -> None:
    replay = replay_of("zaibatsu-closed")
    names = commentary.names_of(replay)
    position = next(
        position for position in positions(replay, 1) if isinstance(position, Position) and position.piles[0].hidden
    )
    down = position.piles[0].hidden[0]
    lines = [
        board_of("zaibatsu").draw(position, names, frozenset(shown)).words["Pile 1"] for shown in ((), (down.seat,))
    ]
    assert [CARDS[down.card].name in words for words in lines] == [False, True]
    assert f"a card face down of {names[down.seat]}" in lines[0]


def test_moments_have_the_lines_that_changed() -> None:
    replay = replay_of("network-2")
    show = Projector(replay, Perspective())
    words_now = dict(show.first().words)
    assert words_now == show.draw().words
    while show.can_go_on:
        changed = show.next().words
        assert all(words_now[about] != words for about, words in changed.items())
        words_now |= changed
    assert words_now == show.draw().words
    assert "wins" in words_now["Turn"]
