"""The rungs of the field: what was measured is what is played, without a fault and the same way twice."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bots.command import measure
from bots.command.measure import SEATS, Seated, ladder_of, outcomes, usual_options
from bots.command.outcomes import Outcome, outcome_of
from bots.command.worker_pool import Contest
from bots.contest import bundle_named, find_contestant
from bots.field import FILE, code_of, read_fields, source
from bots.paired_ratings import RatedSet, Rating, neighbour_steps, ratings
from bots.rungs import rung
from bots.rungs.players import Ladder
from engine.games import GAMES
from engine.records import to_plain
from engine.referee import Played, run_match

OURS = sorted(read_fields())
LEAST = 800  # Elo from the first rung to the last
SHORT = {"gigabucks": {"max_rounds": 3, "currency": 60}, "kaiju": {"max_turns": 4}, "shangzhou": {"max_turns": 2}}
LARGEST = {game: GAMES[game].players[-1] for game in OURS}
LADDERS = {game: ladder_of(game) for game in OURS}


def short_match(game: str, numbers: list[int], seats: int) -> Played:
    options = GAMES[game].read_options({**SHORT.get(game, {}), "players": seats})
    return run_match(GAMES[game], options, "short", Seated(game, LADDERS[game], numbers))


@pytest.mark.parametrize("game", OURS)
def test_a_rung_of_each_family_plays_without_a_fault_and_the_same_way_twice(game: str) -> None:
    """The highest one is tried: the rungs of a family are one player with other numbers."""
    families = {family: number for number, (family, _) in enumerate(LADDERS[game])}
    for number in families.values():
        first, again = (short_match(game, [number] * SEATS, SEATS) for _ in range(2))
        assert not first.faults
        assert [answer.action for answer in first.answers] == [answer.action for answer in again.answers]


@pytest.mark.parametrize("game", OURS)
def test_rungs_play_at_the_largest_table_without_a_fault(game: str) -> None:
    highest, seats = len(LADDERS[game]) - 1, LARGEST[game]
    numbers = [highest * seat // (seats - 1) for seat in range(seats)]  # from the first rung to the last
    assert not short_match(game, numbers, seats).faults


@pytest.mark.parametrize("game", OURS)
def test_what_was_measured_is_what_there_is(game: str) -> None:
    field = read_fields()[game]
    assert [(step.family, step.numbers) for step in field.rungs] == [
        (family, {**numbers}) for family, numbers in LADDERS[game]
    ]
    assert (field.code, field.rules) == (code_of(game), GAMES[game].version)
    assert field.options == to_plain(usual_options(game))
    for number, step in enumerate(field.rungs, 1):
        assert step.bot == f"rung{number}"
        assert step.bundle == bundle_named(game, step.bot)[1].sha256
        assert step.bundle == sha256(source(game, step.family, step.numbers)).hexdigest()


@pytest.mark.parametrize("game", OURS)
def test_a_field_is_twelve_rungs_from_chance_up(game: str) -> None:
    first, *higher = read_fields()[game].rungs
    assert (first.family, first.numbers, first.ahead) == ("random", {}, [])
    assert len(higher) == 11
    elo = first.elo
    for step in higher:
        ahead, low, high = step.ahead
        assert ahead == pytest.approx(step.elo - elo, abs=0.11)
        assert low < ahead < high
        assert ahead > 0
        assert step.interval[0] < step.elo < step.interval[1]
        elo = step.elo
    assert elo - first.elo >= LEAST


def test_the_hash_of_the_families_changes_with_what_they_do_and_not_with_a_comment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    module = tmp_path / "network.py"
    monkeypatch.setattr("bots.field.modules_of", lambda _game: [module])
    hashes = []
    for text in ("WIDTH = 6\n", "WIDTH = 6  # builds\r\n", "WIDTH = 7\n"):
        module.write_bytes(text.encode())
        hashes.append(code_of("network"))
    assert hashes[0] == hashes[1] != hashes[2]


@pytest.mark.parametrize("game", OURS)
def test_noise_is_by_what_a_seat_sees_and_noise_alone_is_chance(game: str) -> None:
    options = usual_options(game)
    match = GAMES[game].start(options, "noise")
    seat, question = next(iter(match.questions.items()))
    view = GAMES[game].see(match.at, seat)
    family = LADDERS[game][-1][0]
    by_lot, noisy = (rung(game, *choice) for choice in (("random",), (family, 1.0)))
    assert noisy.choose(view, question) == by_lot.choose(view, question)


@pytest.mark.parametrize(("family", "numbers"), [("tree", {"ahead": 1, "doubt": 0.3}), ("minimax", {"doubt": 0.3})])
def test_networks_search_doubts_what_it_expects_by_chance_that_is_new_on_each_map(
    family: str, numbers: dict[str, float]
) -> None:
    """Without it two that search play the same match on every map, and all its sets tell as much as one."""
    options = usual_options("network")
    pair: Ladder = [(family, {**numbers, "playouts": 8.0 + more}) for more in range(2)]
    played = {str(match_of(options, pair, deal)) for deal in range(4)}
    assert len(played) > 2


def match_of(options: Any, pair: Ladder, deal: int) -> list[object]:
    match = run_match(GAMES["network"], options, f"map {deal}", Seated("network", pair, (0, 1)))
    return [answer.action for answer in match.answers]


def test_a_match_is_the_same_in_this_process_and_between_two(tmp_path: Path) -> None:
    ladder = LADDERS["gigabucks"]
    bots = [find_contestant("gigabucks", name, tmp_path) for name in ("rung1", f"rung{len(ladder)}")]
    contest = Contest("gigabucks", to_plain(usual_options("gigabucks")), bots, "same")
    between = [outcome_of(number, contest.match(number)) for number in range(SEATS)]
    inside = outcomes("gigabucks", [ladder[0], ladder[-1]], range(SEATS), "same")
    assert [without_times(outcome) for outcome in inside] == [without_times(outcome) for outcome in between]


def without_times(outcome: Outcome) -> tuple[object, ...]:
    """Return the outcome without the times."""
    return (outcome.number, outcome.seats, outcome.seed, outcome.places, outcome.scores, outcome.answers)


def test_a_field_is_measured_from_a_journal_on_as_without_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ladder = LADDERS["kaiju"][:3]
    file, journal = tmp_path / "field.json", tmp_path / "journal.jsonl"
    monkeypatch.setattr(measure, "ladder_of", lambda _game: ladder)
    monkeypatch.setattr(measure, "FILE", file)
    command = ["kaiju", "--rounds", "2", "--journal", str(journal)]
    written = []
    for _ in range(2):
        assert measure.main(command) == 0
        written.append(json.loads(file.read_text("utf-8")))
        lines = journal.read_bytes().splitlines(keepends=True)
        assert len(lines) == 2 * 3 * SEATS
        journal.write_bytes(b"".join(lines[:4]) + lines[4][:20])
    assert written[0] == written[1]
    kaiju = next(field for field in written[0]["fields"] if field["game"] == "kaiju")
    assert [field["sets"] for field in kaiju["rungs"]] == [4, 4, 4]
    assert written[0]["boardroom_field"] == json.loads(FILE.read_text("utf-8"))["boardroom_field"] == 2


def test_a_step_is_the_difference_of_two_ratings_and_surer_than_both_together() -> None:
    sets = [RatedSet((0, 1), 2, {(0, 1): taken}) for taken in (0.0, 1.0, 1.0, 0.5)] * 20
    first, second = ratings(2, sets)
    (step,) = neighbour_steps(2, sets)
    assert step.elo == pytest.approx(second.elo - first.elo)
    assert width(step) == pytest.approx(width(first) + width(second))  # of two, one is as far up as the other is down


def width(rating: Rating) -> float:
    return rating.high - rating.low


def test_an_unknown_game_or_family_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="zaibatsu has no family 'greedy': write blend or learnt"):
        rung("zaibatsu", "greedy")
    with pytest.raises(ValueError, match="there is no game 'chess': write gigabucks or kaiju"):
        rung("chess", "random")
