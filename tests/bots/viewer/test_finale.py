"""The finale: it shows at the last moment alone, and all of it is what the replay says."""

import re
from html import unescape

import pytest

from bots.viewer.film_chunks import find_moment
from bots.viewer.film_markup import Film
from bots.viewer.film_page import page
from bots.viewer.finale import Finale, finale_of
from bots.viewer.perspectives import eyes_of
from engine.replay import Replay
from tests.bots.viewer.replays import NAMES, replay_of
from tests.bots.viewer.test_stories import named, sampled

PANEL = re.compile(r'<details class="finale" data-finale open( hidden)?>(.*?)</details>')


def panel(replay: Replay, step: int, **ways: str) -> tuple[bool, str]:
    """Return whether it is seen, and what is in it."""
    eyes, *_ = every = eyes_of(replay)
    seen = find_moment(replay, eyes.perspective, step)
    finale = finale_of(replay, seen)
    made = Finale(finale.story, finale.result, **ways)
    shown = PANEL.search(Film(seen, eyes, every, finale=made).stage())
    assert shown
    return not shown[1], shown[2]


def words(markup: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", markup)).split())


@pytest.mark.parametrize("name", NAMES)
def test_it_has_each_seat_s_score_and_place_and_is_seen_at_the_last_moment_alone(name: str) -> None:
    replay = named(replay_of(name))
    last, result = len(replay.answers), replay.result
    is_seen, inner = panel(replay, last)
    assert is_seen
    rows = [words(row) for row in re.findall(r"<li>(.*?)</li>", inner)]
    assert [int(row.split(".")[0]) for row in rows] == sorted(result.places)
    minus = str.maketrans("-", "−")
    for seat, player in enumerate(replay.players):
        (row,) = (row for row in rows if player.name in row)
        said = f"{result.places[seat]}. {seat} {player.name} {str(result.scores[seat]).translate(minus)}"
        assert row == said + (" forfeit" if result.forfeits[seat] else "")
    for step in (0, last // 2, last - 1):
        assert not panel(replay, step)[0]


def test_it_leads_to_what_turned_the_match_and_to_a_game_from_before_it() -> None:
    replay = named(replay_of("zaibatsu-2"))
    inner = panel(replay, 0, fork="/play/fork/?match=7", following="/matches/3/?a=1&b")[1]
    turn = finale_of(replay, find_moment(replay, eyes_of(replay)[0].perspective, 0)).story.turning_point
    assert turn
    assert words(turn.text) in words(inner)
    again, play, following = re.findall(r'<a class="button quiet" (.*?)</a>', inner)
    assert again.startswith(f'href="?at={turn.at}&amp;as=all#film" data-at="{turn.at}"')
    before = re.search(r"/play/fork/\?match=7&amp;at=(\d+)", play)
    assert before
    assert int(before[1]) < turn.at
    assert following == 'href="/matches/3/?a=1&amp;b">Next match'


def test_without_ways_on_there_is_the_moment_alone() -> None:
    inner = panel(named(replay_of("zaibatsu-2")), 0)[1]
    assert inner.count("<a ") == 1


def test_what_bots_are_called_is_text() -> None:
    inner = panel(named(replay_of("zaibatsu-2"), ("<b>x", '"&')), 10**6)[1]
    assert "<b>x" not in inner
    assert "&lt;b&gt;x" in inner


@pytest.mark.parametrize(("name", "absent"), [("zaibatsu-3", 1), ("zaibatsu-3", 2), ("zaibatsu-3", 3)])
def test_seats_that_crashed_at_once_are_said_to_have_forfeited(name: str, absent: int) -> None:
    replay = sampled(name, "at once", absent)
    is_seen, inner = panel(replay, len(replay.answers))
    assert is_seen
    assert inner.count("forfeit</span>") == absent
    assert absent < 3 or "<summary>Everybody forfeits</summary>" in inner


def test_the_film_in_one_file_ends_on_it_too_for_all_eyes() -> None:
    text = page(named(replay_of("zaibatsu-3")))
    panels = PANEL.findall(text)
    assert len(panels) == 4
    assert all(hidden for hidden, _ in panels)
    assert not any("/play/" in inner or "/matches/" in inner for _, inner in panels)
