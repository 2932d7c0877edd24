"""Stories of matches: every winner, margin, lead and moment that they name is what the replay says."""

import re
from dataclasses import replace
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.viewer.commentary.story import Chapter, Line
from bots.viewer.film_chunks import Look, Outline, find_moment
from bots.viewer.language import told_in
from bots.viewer.player import Perspective
from bots.viewer.stories import CLEAR, MOST, Story, kept_headline, retold, story_of
from engine.dice import Dice
from engine.games import GAMES
from engine.referee import Reply, Result, Verdict, run_match
from engine.replay import Player, Replay, record
from tests.bots.viewer.replays import NAMES, perspectives, replay_of
from tests.games.record import RECORDINGS, Players
from tournaments.core.config.match_languages import match_language

CALLED = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal")
TOGETHER = 4  # answers between two moments whose chances are weighed, at most
MILLISECONDS = 2  # that a story takes where the film is there


def whole(replay: Replay, perspective: Perspective | None = None) -> Look:
    return find_moment(replay, perspective or Perspective.everything(len(replay.players)), 0)


def told(replay: Replay, seen: Look | None = None) -> Story:
    seen = seen or whole(replay)
    return story_of(replay, seen.outline, seen.names, seen.unit)


def named(replay: Replay, names: tuple[str, ...] = CALLED) -> Replay:
    return replace(replay, players=[Player(names[seat]) for seat in range(len(replay.players))])


def sampled(name: str, seed: str, absent: int) -> Replay:
    """Return another match under the options of a recorded one; the last `absent` bots do not start."""
    game, recording = GAMES[name.partition("-")[0]], RECORDINGS[name]
    options = game.read_options(recording.options)
    gone = {options.players - 1 - seat: Reply(verdict=Verdict.CRASHED) for seat in range(absent)}
    players = [Player(CALLED[seat]) for seat in range(options.players)]
    played = run_match(game, options, seed, Players(recording, Dice.of(f"{seed} answers")), absent=gone)
    return record(game, options, seed, players, played)


def chapter(outline: Outline, moment: int) -> str:
    [*_, last] = [scene for scene in outline.scenes if scene.at <= moment]
    return last.title if last is not outline.scenes[0] else f"answer {moment}"


def led(outline: Outline, seat: int, number: int) -> bool:
    standing = (outline.chances or outline.worth)[number]
    best_rival = max(standing[:seat] + standing[seat + 1 :])
    return standing[seat] > best_rival and standing[seat] - best_rival >= (CLEAR if outline.chances else 0)


def check(replay: Replay) -> None:
    seen, result = whole(replay), replay.result
    story, outline, seats = told(replay, seen), seen.outline, range(len(seen.names))
    winners = [seat for seat in seats if result.places[seat] == 1]
    first, _, course = story.headline.removesuffix(".").partition(": ")
    if all(result.forfeits):
        assert first == "Everybody forfeits"
    elif len(winners) > 1:
        assert first.endswith(" share the win")
        assert (
            re.findall("|".join(CALLED), first)
            == [seen.names[seat] for seat in winners][: 4 if len(winners) < 5 else 3]
        )
    else:
        assert first.startswith(f"{seen.names[winners[0]]} wins")
    if by := re.search(r" wins by \$?(\d+)$", first):
        rivals = [seat for seat in seats if seat != winners[0] and not result.forfeits[seat]]
        assert int(by[1]) == result.scores[winners[0]] - max(result.scores[seat] for seat in rivals) > 0
    if until := re.search(r"^(\w+) led until ([^;]*)(?:; (.*))?$", course):
        leader = seen.names.index(until[1])
        last = max(number for number in range(len(outline.ats) - 1) if led(outline, leader, number))
        after = range(last + 1, len(outline.ats))
        assert leader not in winners
        assert not [seat for seat in seats if seat not in winners for number in after if led(outline, seat, number)]
        moment = outline.ats[last + 1]
        assert until[2] == ("the end" if moment == outline.ats[-1] else chapter(outline, moment))
        lines = [line for scene in outline.scenes for line in scene.lines]
        deeds = [line.deed for line in lines if line.deed and moment - TOGETHER < line.at <= moment]
        assert until[3] is None or until[3].split("; ")[0] in deeds or any(result.forfeits)
    if since := re.search(r"^ahead for good from ([^;]*) on(?:; |$)", course):
        numbers = [number for number, moment in enumerate(outline.ats) if chapter(outline, moment) == since[1]]
        assert any(
            all(led(outline, winners[0], later) for later in range(number, len(outline.ats))) for number in numbers
        )
    for seat in seats:
        named_out = seen.names[seat] in course and ("forfeited" in course or "did not start" in course)
        assert not result.forfeits[seat] or all(result.forfeits) or named_out or sum(result.forfeits) > 4
    assert len(story.beats) <= MOST
    assert [beat.at for beat in story.beats] == sorted(beat.at for beat in story.beats)
    assert all(0 <= beat.at < outline.ats[-1] for beat in story.beats)
    places = [result.places[seen.names.index(name)] for name in re.findall("|".join(CALLED), story.finale)]
    assert places == sorted(result.places)
    assert all(f"{seen.names[seat]} {result.scores[seat]}" in story.finale for seat in seats)


@pytest.mark.parametrize("name", NAMES)
def test_the_story_of_a_recorded_game_is_true(name: str) -> None:
    check(named(replay_of(name)))


@settings(max_examples=40)
@given(st.sampled_from(NAMES), st.integers(0, 10**6), st.integers(0, 2))
def test_the_story_of_any_game_is_true(name: str, seed: int, absent: int) -> None:
    check(sampled(name, f"story {seed}", min(absent, len(replay_of(name).players))))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_kept_has_no_names_and_is_the_same_headline_in_any_language(name: str) -> None:
    replay = named(replay_of(name))
    kept = kept_headline(replay)
    assert not [name for name in CALLED if f'"{name}' in repr(kept)]
    for language in ("en", "de"):
        with told_in(match_language(language)):
            seen = whole(replay)
            assert retold(kept, seen.names) == told(replay, seen).headline


@pytest.mark.parametrize("name", NAMES)
def test_a_headline_is_the_same_from_every_perspective(name: str) -> None:
    replay = replay_of(name)
    assert len({told(replay, whole(replay, perspective)).headline for perspective in perspectives(replay)}) == 1


def test_a_story_takes_hardly_any_time_where_the_film_is_there() -> None:
    replay = replay_of("shangzhou-critical")  # the most moments
    seen, took = whole(replay), []
    for _ in range(20):
        begun = process_time()
        told(replay, seen)
        took.append(1000 * (process_time() - begun))
    assert min(took) <= MILLISECONDS


def a_match(scores: list[int], places: list[int], out: tuple[int, ...] = (), names: tuple[str, ...] = CALLED) -> Replay:
    seats = range(len(scores))
    result = Result(scores, places, ["ok"] * len(scores), [seat in out for seat in seats])
    replay = replay_of("zaibatsu-3")
    return replace(replay, players=[Player(names[seat]) for seat in seats], result=result, answers=[], absent={})


def headline(replay: Replay, outline: Outline | None = None) -> str:
    silent = Outline()
    silent.add(0, [], [0.0] * len(replay.players))
    return told(
        replay, replace(whole(replay_of("zaibatsu-3")), outline=outline or silent, names=names_in(replay))
    ).headline


def names_in(replay: Replay) -> list[str]:
    return [player.name for player in replay.players]


@pytest.mark.parametrize(
    ("replay", "words"),
    [
        (a_match([5, 3], [1, 2]), "Ada wins by 2."),
        (a_match([5, 5], [2, 1]), "Bob wins on the tie-break."),
        (a_match([5, 9], [1, 2]), "Ada wins."),  # a ranking of the game's own
        (a_match([5, 5, 1], [1, 1, 3]), "Ada and Bob share the win."),
        (a_match([5], [1]), "Ada ends with 5."),
        (a_match([5, 9], [1, 2], out=(1,)), "Ada wins: Bob did not start."),
        (a_match([5, 9, 2], [1, 2, 2], out=(1, 2)), "Ada wins: Bob and Cleo forfeited."),
        (a_match([5, 9], [1, 1], out=(0, 1)), "Everybody forfeits."),
        (a_match([1] * 8, [1] * 8), "Ada, Bob, Cleo and 5 others share the win."),
        (a_match([9] + [1] * 7, [1] + [2] * 7, out=(3,)), "Ada wins by 8: Dan did not start."),
        (a_match([5, 3], [1, 2], names=("%(name)s", "<b>\ue0001")), "%(name)s wins by 2."),
        (a_match([5, 3], [1, 2], names=("x" * 500, "y")), f"{'x' * 500} wins by 2."),
    ],
)
def test_every_way_to_end_has_its_words_without_a_commentary(replay: Replay, words: str) -> None:
    """A game that tells nothing: no chapters, no worth, no chances."""
    assert headline(replay) == words


def test_a_heading_says_how_many_share_a_win_rather_than_a_row_of_names() -> None:
    shared = a_match([5, 5, 5, 1], [1, 1, 1, 4])
    look = replace(whole(replay_of("zaibatsu-4")), names=names_in(shared))
    assert told(shared, look).result == "3 share the win"
    assert headline(shared) == "Ada, Bob and Cleo share the win."


def course(*chances: float) -> Outline:
    outline = Outline()
    for moment, chance in enumerate(chances):
        title = [Chapter(f"Round {moment}")] if moment else []
        deed = Line("Bob bids 4.", seat=1, deed="Bob bid 4")
        outline.add(moment, [*title, deed], [0.0, 0.0], [chance, 1 - chance])
    return outline


@pytest.mark.parametrize(
    ("chances", "words"),
    [
        ((0.5, 0.2, 0.6, 1), "Ada wins by 2: Bob led until Round 2; Bob bid 4."),
        ((0.5, 0.2, 0.3, 1), "Ada wins by 2: Bob led until the end."),
        ((0.5, 0.6, 0.7, 1), "Ada wins by 2: ahead for good from Round 1 on."),
        ((0.5, 0.51, 0.49, 1), "Ada wins by 2: it was open until the end."),
    ],
)
def test_the_headline_says_who_led_until_when_and_what_was_done(chances: tuple[float, ...], words: str) -> None:
    assert headline(a_match([5, 3], [1, 2]), course(*chances)) == words


def test_a_fault_names_its_chapter_and_its_verdict() -> None:
    replay = a_match([5, 3], [1, 2], out=(1,))
    replay.answers = [[0, {}, 1.0], [1, {}, 1.0, "timed out"], [1, {}, 0.0, "forfeited"]]
    replay.result.verdicts = ["ok", "timed out"]
    assert headline(replay, course(0.5, 0.4, 0.9, 1)) == "Ada wins: Bob forfeited in Round 1 (timed out)."


@pytest.mark.parametrize("kept", [None, "", 7, [], {}, {"sentence": 7}, {"sentence": "x", "filled": []}])
def test_what_is_no_headline_says_nothing(kept: object) -> None:
    assert retold(kept, ["Ada"]) == ""


def test_a_name_is_filled_in_once() -> None:
    """One that looks like a seat's place is no place."""
    kept = kept_headline(replay_of("zaibatsu-2"))
    assert retold(kept, ["\ue0001", "%(name)s"]).startswith("\ue0001 wins by 10: %(name)s led until")
    assert retold({"sentence": "%(name)s wins", "filled": {"name": "\ue0007"}}, ["Ada"]) == " wins"
