"""Other answers to recorded questions: fair to what a seat could know, bounded, and right where the best is known."""

import random
import time

import pytest

from engine.games import GAMES
from engine.records import RecordError, canonical, to_plain
from engine.replay import Replay, ReplayError
from tests.workers.endgames import a_match, decision, figures
from tests.workers.hall import Hall, a_worker, until
from workers.examination_orders import examination_queue
from workers.suggestion_orders import SUGGEST, SuggestionOrder, Tried, has_field, read_suggestion
from workers.suggestions import TOLD, NothingToTry, asked_at, strongest_players, suggest

KNOWN = {
    "zaibatsu": (2, 3, 10, 14, 33, 34, 42, 68),
    "network": (11, 40, 45, 60, 67, 89, 115, 129),
}  # of `endgames.decision`


def a_replay(game: str = "zaibatsu") -> Replay:
    return a_match(game, random.Random(f"a match of {game}"))


@pytest.mark.parametrize("game", KNOWN)
def test_the_best_named_answer_of_last_decisions_is_best(game: str) -> None:
    """`python3 -m tests.workers.endgames` does it for more."""
    counts = figures(game, KNOWN[game], len(KNOWN[game]), 300)
    assert counts["decisions"] == [*KNOWN[game]]
    assert counts["named best"] == len(KNOWN[game])
    assert counts["wrongly"] == 0


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_is_tried_in_bounded_time(game: str) -> None:
    replay = a_replay(game)
    asked = asked_at(replay, len(replay.answers) // 2)
    begun = time.process_time()
    try:
        tried, playouts = suggest(asked, 10**6, 1.0)
    except NothingToTry:
        return
    assert time.process_time() - begun < 4
    assert 2 <= len(tried) <= 1 + TOLD
    assert playouts > len(tried)
    assert tried[0] == Tried(to_plain(asked.given), tried[0].chance)
    assert all(0 <= answer.chance <= 1 and 0 < answer.margin < 2 for answer in tried[1:])


def test_what_the_seat_could_not_know_changes_nothing() -> None:
    """The hands of others and the deck are drawn anew, and what is found stays the same."""
    replay = a_replay()
    moment = len(replay.answers) // 3
    asked = asked_at(replay, moment)
    hidden = [canonical(asked.mind.imagine(asked.view).at) for _ in range(5)]
    assert len({*hidden}) == 5, "something is hidden there"
    assert all(event == event.seen_by(asked.seat) for event in asked.mind.heard)
    assert suggest(asked_at(replay, moment), 30, 100.0) == suggest(asked_at(replay, moment), 30, 100.0)


def test_few_play_outs_claim_little() -> None:
    """Ten futures in which an answer always wins, and the given one never: the interval is wide all the same."""
    replay = a_replay()
    (_, *alternatives), playouts = suggest(asked_at(replay, len(replay.answers) - 2), 40, 100.0)
    assert playouts <= 40 + 24
    assert all(answer.margin > 0.05 for answer in alternatives)


def test_only_strong_rungs_that_answer_at_once_play_out() -> None:
    assert {game: len(strongest_players(game)) for game in sorted(GAMES)} == {
        "gigabucks": 2,
        "kaiju": 2,
        "network": 2,
        "shangzhou": 1,
        "zaibatsu": 2,
    }


def test_what_is_no_question_of_the_match_is_refused() -> None:
    replay = a_replay()
    for moment in (-1, len(replay.answers)):
        with pytest.raises(ReplayError):
            asked_at(replay, moment)
    replay.rules += 1
    with pytest.raises(ReplayError, match="rules version"):
        asked_at(replay, 3)


def test_an_order_is_checked_before_it_is_followed() -> None:
    order = SuggestionOrder(1, 1, a_replay(), 3, 20)
    assert has_field(order.replay.game)
    assert read_suggestion(to_plain(order)) == order
    for changes in ({"version": 9}, {"seconds": 0}, {"seconds": 10**6}, {"at": "x"}):
        with pytest.raises(RecordError):
            read_suggestion({**to_plain(order), **changes})
    with pytest.raises(RecordError, match="no field of bots"):
        read_suggestion({**to_plain(order), "replay": {**to_plain(order.replay), "game": "chess"}})


def test_a_worker_follows_it_and_reports(hall: Hall) -> None:
    replay = a_replay()
    hall.send(to_plain(SuggestionOrder(7, 3, replay, len(replay.answers) // 2, 1, "s")), SUGGEST, examination_queue())
    with a_worker(hall):
        outcomes = until("a report", lambda: outcomes if "tried" in (outcomes := outcomes_in(hall)) else None)
    assert (outcomes[0], {*outcomes}) == ("begun", {"begun", "tried"})  # every ten seconds


def outcomes_in(hall: Hall) -> list[str]:
    hall.collect()
    return [str(plain["outcome"]) for plain in hall.suggested]


def test_a_decision_without_a_known_best_answer_is_none() -> None:
    assert decision("zaibatsu", 0) is None
