"""What explains a board to people who have never seen its game: there for each game, and true at each moment."""

import re
from collections.abc import Iterator
from itertools import pairwise
from xml.etree.ElementTree import Element

import pytest

from bots.viewer import game_viewers
from bots.viewer.commentary import names_of
from bots.viewer.film_chunks import film, find_moment
from bots.viewer.film_markup import Film
from bots.viewer.guide_panel import aim, guide_panel, is_beside
from bots.viewer.guides import ASKS, guide_lines, guide_of, needs_of, standings
from bots.viewer.perspectives import eyes_of
from bots.viewer.player import Perspective, Projector
from engine.games import GAMES
from tests.bots.viewer.drawn import moments, parse
from tests.bots.viewer.replays import NAMES, positions, replay_of
from tests.games.record import recordings_of

EVERY = 7  # one position of so many
MOST_TERMS, MOST_WORDS, LONGEST_LINE = 14, 14, 110
BEHIND = re.compile(r"\$?(?P<gap>[\d.]+) behind (?P<name>[^;:]+)")
AHEAD = re.compile(r"leads by \$?(?P<gap>[\d.]+)")
WORD = re.compile(r"[A-Za-z]{3}")  # what says itself what it is
LINES = {"kj-sixth", "gb-rule"}  # that are no signs: the ground, and one between words


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_a_guide_for_all_that_it_asks_and_with_a_short_legend(game: str) -> None:
    guide = guide_of(game)
    assert guide
    assert set(guide.asks) == {question.tag for question in GAMES[game].questions}
    assert 0 < len(guide.legend) <= MOST_TERMS
    assert all(sentence.endswith(".") for sentence in (guide.pitch, guide.goal, guide.turn, guide.end))
    assert all(0 < len(term.words.split()) <= MOST_WORDS for term in guide.legend)


@pytest.mark.parametrize("name", NAMES)
def test_needs_are_told_to_every_seat_and_gaps_are_those_of_the_scores(name: str) -> None:
    replay = replay_of(name)
    game, names = GAMES[replay.game], names_of(replay)
    for position in positions(replay, EVERY):
        lines, worth = needs_of(replay.game, position, names), game.scores(position)
        assert len(lines) == len(names)
        assert lines == needs_of(replay.game, position, names)
        for seat, line in enumerate(lines):
            assert 0 < len(line) <= LONGEST_LINE, line
            if match := BEHIND.match(line):
                assert worth[names.index(match["name"])] - worth[seat] == float(match["gap"]) > 0, line
            if match := AHEAD.match(line):
                second = max(score for other, score in enumerate(worth) if other != seat)
                assert worth[seat] - second == float(match["gap"]) > 0, line


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("shangzhou")])  # no scores decide it
def test_at_the_end_the_line_of_who_has_most_says_that_it_leads(name: str) -> None:
    replay = replay_of(name)
    *_, position = positions(replay, 1)
    worth = GAMES[replay.game].scores(position)
    lines = needs_of(replay.game, position, names_of(replay))
    first = [line for line, score in zip(lines, worth, strict=True) if score == max(worth)]
    assert all(line.startswith(("leads by ", "won") if len(first) == 1 else "level with ") for line in first)


@pytest.mark.parametrize("name", [recordings_of(game)[0] for game in GAMES])
def test_what_is_asked_is_told_as_long_as_somebody_is_asked(name: str) -> None:
    for match, names in moments(name):
        lines = guide_lines(name.partition("-")[0], match.at, names, match.questions.values())
        assert bool(lines[ASKS]) == bool(match.questions)


@pytest.mark.parametrize("name", NAMES)
def test_each_letter_number_and_icon_of_a_board_has_a_word_at_it(name: str) -> None:
    replay = replay_of(name)
    for perspective in (Perspective.everything(len(replay.players)), Perspective()):
        for moment in Projector(replay, perspective).moments():
            for markup in moment.changes.values():
                assert {*wordless(parse(f"<svg>{markup}</svg>"))} <= LINES, moment.at


def wordless(element: Element) -> Iterator[str]:
    """Yield text that is no word, and classes of shapes, drawn without a title on them or on what they are in."""
    if element.find("title") is not None or "hit" in element.get("class", "").split():
        return
    if element.tag == "text" and not WORD.search(element.text or "a name"):
        yield element.text or ""
    elif element.tag in ("use", "path", "circle", "ellipse"):
        yield element.get("class") or element.get("href") or element.tag
    for inner in element if element.tag != "defs" else ():
        yield from wordless(inner)


def test_a_part_that_others_push_aside_is_no_news() -> None:
    show, pushed = Projector(replay_of("zaibatsu-3"), Perspective()), 0
    for before, after in pairwise(show.moments()):
        assert set(after.moved) <= set(after.changes)
        pushed += len(after.moved)
        assert before.at < after.at
    assert pushed


def test_the_film_keeps_the_lines_up_and_tells_the_board_in_words_without_them() -> None:
    replay = replay_of("network-3")
    eyes = eyes_of(replay)
    shown = Film(find_moment(replay, eyes[0].perspective, 20), eyes[0], eyes)
    words = shown.seen.picture.words
    for about, line in words.items():
        assert is_beside(about) == (f'data-told="{about}"' in shown.state() + shown.stage())
        assert (f'data-told="{about}">{line}' in shown.lists()) == (not is_beside(about))
    latest: dict[str, str] = {}
    for frame in film(replay, eyes[0].perspective)[0]:
        latest |= frame["words"]
        if frame["at"] == shown.seen.at:
            assert latest == words


def test_the_goal_is_that_of_the_match() -> None:
    words = find_moment(replay_of("shangzhou-critical"), Perspective(), 9).picture.words
    assert "Keep 100 Clout unspent, or hold 64 sectors" in aim("shangzhou", words)
    assert "Keep 25 Clout unspent, or hold 33 sectors" in aim("shangzhou", {})


def test_a_game_from_outside_without_a_guide_is_shown_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_viewers, "viewer_of", lambda _: None)
    assert [aim("chess", {}), guide_panel("chess"), guide_lines("chess", None, [], [])] == ["", "", {}]


def test_standings_name_the_leader_or_who_is_level_with_it() -> None:
    assert standings([3, 5, 4], ["Ann", "Ben", "Cleo"]) == ["2 behind Ben", "leads by 1", "1 behind Ben"]
    assert standings([5, 5], ["Ann", "Ben"]) == ["level with Ben in front", "level with Ann in front"]
