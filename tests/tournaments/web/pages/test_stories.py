import pytest

from bots.viewer import commentary, plain
from bots.viewer.commentary.story import join_with_and
from engine.dice import Dice
from engine.games import GAMES
from engine.games.zaibatsu import CARDS, ZAIBATSU, Options
from engine.referee import Verdict, run_match
from engine.replay import Player, Replay, log, read_replay, record
from tests.factories import AnyAnswers
from tests.games.record import RECORDED, RECORDINGS


def a_replay(names: list[str], seed: str = "ab" * 32, faults: dict[int, Verdict] | None = None) -> Replay:
    options = Options(players=len(names))
    played = run_match(ZAIBATSU, options, seed, AnyAnswers(Dice.of(seed), faults or {}))
    return record(ZAIBATSU, options, seed, [Player(name) for name in names], played)


def lines(replay: Replay) -> list[str]:
    return [line.text for chapter in commentary.tell(replay) for line in chapter.lines]


def test_every_game_on_the_shelf_has_a_teller() -> None:
    assert plain.tell not in [commentary.teller_of(game) for game in GAMES]


@pytest.mark.parametrize("names", [["A", "B"], ["A", "B", "C"], ["A", "B", "C", "D"]])
def test_a_story_has_a_chapter_for_each_round_and_a_final_count(names: list[str]) -> None:
    titles = [chapter.title for chapter in commentary.tell(a_replay(names))]
    assert titles == ["Before the first round", "Round 1", "Round 2", "Round 3", "Round 4", "The reckoning"]


@pytest.mark.parametrize("name", RECORDINGS)
def test_every_recorded_game_is_told_in_sentences(name: str) -> None:
    log = lines(read_replay((RECORDED / f"{name}.json").read_bytes()))
    assert len(log) > 3
    assert [line for line in log if not line.endswith((".", "!"))] == []


def test_every_event_is_one_sentence() -> None:
    replay = a_replay(["A", "B", "C"])
    assert len(lines(replay)) == len(log(replay))  # in place of the last, which knows no forfeits, stands the result


def test_every_sentence_ends_with_a_full_stop_and_names_no_card_by_its_code() -> None:
    for line in lines(a_replay(["Ann", "Bob", "Cid"])):
        assert line.endswith("."), line
        assert not {word.strip(",.:") for word in line.split()} & CARDS.keys(), line


def test_the_winner_of_the_result_is_the_winner_of_the_story() -> None:
    replay = a_replay(["A", "B", "C"])
    winners = [name for name, place in zip("ABC", replay.result.places, strict=True) if place == 1]
    assert lines(replay)[-1] == f"{join_with_and(winners)} {'wins' if len(winners) == 1 else 'share the win'}."


def test_faults_are_told_where_they_happened_and_a_forfeit_once() -> None:
    log = lines(a_replay(["A", "B", "C"], faults={1: Verdict.ILLEGAL_ANSWER}))
    faults = [line for line in log if line.startswith("B is at fault (illegal answer)")]
    assert len(faults) == 3
    assert sum("B has forfeited" in line for line in log) == 1
    assert log[-2] == "The last place is for B, by forfeit."


def test_a_bot_that_plays_itself_is_told_apart_by_its_seats() -> None:
    names = commentary.names_of(a_replay(["A", "A", "B"]))
    assert names == ["A (seat 0)", "A (seat 1)", "B"]


def test_lists_read_as_people_write_them() -> None:
    assert [join_with_and(things) for things in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
