"""The environments, held to the packages' own tests, to the Views and to positions in which the secrets are other."""

import json
import random
import sys
import tomllib
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from bots.environments import packing
from bots.environments.aec import env
from bots.environments.batch import Batch, Now
from bots.environments.codecs import one_of
from bots.environments.course import Course
from bots.environments.encoding import EnvironmentRefused, encoding_of
from bots.environments.extras import EXTRAS, missing
from bots.environments.gym import SeatEnv
from bots.environments.layout import along
from engine.dice import Dice
from engine.games import OWN
from engine.games.network import Act, Build, ToBuild
from engine.records import canonical
from tests.thorough import budget

DECISIONS = budget(60, full=2000)
AS_DICTIONARY = "ignore:Observation is not a NumPy array"  # with a mask beside it, as PettingZoo's own classics have it
OPTIONS = {"zaibatsu": {"piles": "closed"}}


def decisions(game: str) -> Iterator[tuple[Course, int]]:
    """A random match at its first decisions, with what is answered."""
    course, lots = Course.begin(encoding_of(game, OPTIONS.get(game, {})), "seed"), random.Random(1)
    for _ in range(DECISIONS):
        if course.over:
            return
        yield course, (action := lots.choice(course.legal()))
        course.act(action)


def numbers(course: Course, seat: int) -> list[int]:
    return array("i", course.observed(seat)).tolist()


@pytest.mark.filterwarnings(AS_DICTIONARY, "ignore::UserWarning:pettingzoo")
@pytest.mark.parametrize("game", OWN)
def test_pettingzoos_own_tests_pass(game: str) -> None:
    api_test(env(game), num_cycles=60)
    seed_test(lambda: env(game), num_cycles=20)


@pytest.mark.filterwarnings("ignore::UserWarning:gymnasium")
@pytest.mark.parametrize("game", OWN)
def test_gymnasiums_own_test_passes(game: str) -> None:
    check_env(SeatEnv(game))


@pytest.mark.parametrize("game", OWN)
def test_what_is_observed_is_what_the_view_says(game: str) -> None:
    for course, _ in decisions(game):
        seat, seen = course.seat, numbers(course, course.seat)
        view = course.encoding.game.see(course.match.at, seat)
        for field in course.encoding.layout.fields:
            observed = seen[field.start : field.end]
            assert observed == list(field.codec.write(along(view, field.name.split(".")))), field.name
            assert all(field.least <= value <= field.most for value in observed), field.name


@pytest.mark.parametrize("game", OWN)
def test_what_is_packed_is_what_the_codecs_write(game: str) -> None:
    """The compiled function, with what its tables keep, beside the codecs one by one; and masks beside their lists."""
    for course, _ in decisions(game):
        encoding, legal = course.encoding, course.legal()
        for seat in range(encoding.options.players):
            assert numbers(course, seat)[: encoding.layout.size] == encoding.layout.write(course.match.at, seat)
        assert list(course.mask()) == [int(action in legal) for action in range(encoding.actions.size)]


def test_the_builds_of_network_that_are_not_masked_are_those_of_its_sites() -> None:
    """The sites are read as a bot reads them, out of the question's text."""
    seen = 0
    for course, _ in decisions("network"):
        game, actions = course.encoding.game, course.encoding.actions
        question = game.read_question(json.loads(canonical(course.question)))
        if course.parts or not hasattr(question, "sites"):
            continue
        is_more = isinstance(question, ToBuild)
        values = [(site, value) for site in question.sites for value in range(1, site.most + 1)]
        builds = [Build(site.hex, value) if is_more else Act(site.company, site.hex, value) for site, value in values]
        legal = [actions.block_of(action).answer(action) for action in course.legal()]
        assert [answer for answer in legal if isinstance(answer, Act | Build)] == builds
        seen += len(builds)
    assert seen > 200


def test_a_table_that_is_full_begins_anew_and_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "KEPT", 2)
    table, codec = packing.Table(one_of(range(5))), one_of(range(5))
    for value in (0, 1, 2, 3, 4, 0, 7, 2):
        assert array("i", table[value]).tolist() == list(codec.write(value))
        assert len(table) <= 2


@pytest.mark.parametrize("game", OWN)
def test_what_a_seat_may_not_know_is_not_observed(game: str) -> None:
    dice = Dice.of("redrawn")
    for course, _ in decisions(game):
        encoding, position = course.encoding, course.match.at
        for seat in range(encoding.options.players):
            other = encoding.game.redraw(position, seat, dice)
            assert encoding.packed(position, seat, b"") == encoding.packed(other, seat, b"")


@pytest.mark.parametrize("game", OWN)
def test_every_action_that_is_not_masked_leads_to_a_legal_answer(game: str) -> None:
    for course, action in decisions(game):
        question, legal = course.question, course.legal()
        assert len(set(legal)) == len(legal) > 0
        assert all(0 <= index < course.encoding.actions.size for index in legal)
        answer = course.encoding.ways[type(question)].answer(question, [*course.parts, action])
        assert answer is None or question.error(answer) is None


def played(batch: Batch, steps: int) -> list[bytes]:
    def shown(now: Now) -> bytes:
        arrays = (now.observations, now.masks, now.seats, now.rewards, now.done)
        return b"".join(array.tobytes() for array in arrays)

    now = batch.reset()
    return [shown(now := batch.step(now.masks.argmax(axis=1))) for _ in range(steps)]


def test_a_batch_is_the_same_whatever_the_number_of_processes() -> None:
    with Batch("zaibatsu", 3, processes=1) as single, Batch("zaibatsu", 3, processes=2) as double:
        assert played(single, 150) == played(double, 150)
        assert single.now.masks.any(axis=1).all()


def test_a_process_that_was_killed_is_told_with_a_code() -> None:
    with Batch("zaibatsu", 2, processes=2) as batch:
        now = batch.reset()
        batch._started[0].kill()
        batch._started[0].join()
        with pytest.raises(EnvironmentRefused, match="player_ended"):
            batch.step(now.masks.argmax(axis=1))


def test_with_learners_a_batch_has_only_their_decisions() -> None:
    """Several matches are played to their end, whatever the number of processes."""
    with (
        Batch("zaibatsu", 3, processes=1, players=3, learners=[1]) as single,
        Batch("zaibatsu", 3, processes=2, players=3, learners=[1]) as double,
    ):
        assert played(single, 60) == played(double, 60)
        assert (single.now.seats == 1).all()
        ended = list(earned(single, 60))
    assert len(ended) > 0
    assert max(map(abs, ended)) < 1e-6


def earned(batch: Batch, steps: int) -> Iterator[float]:
    """Yield what the seats of a match got together, at the end of each."""
    for _ in range(steps):
        now = batch.step(batch.now.masks.argmax(axis=1))
        yield from now.rewards[now.done == 1].sum(axis=1).tolist()


@pytest.mark.parametrize("learners", [[], [3], [-1]])
def test_a_batch_refuses_learners_that_are_no_seats(learners: list[int]) -> None:
    with pytest.raises(EnvironmentRefused, match="learners are seats from 0 to 2") as error:
        Batch("zaibatsu", 2, players=3, learners=learners)
    assert error.value.code == "unknown_seat"


def test_a_batch_refuses_a_masked_action_before_anything_is_done() -> None:
    with Batch("zaibatsu", 2, processes=1) as batch:
        before = batch.reset().observations.copy()
        with pytest.raises(EnvironmentRefused, match="masked") as error:
            batch.step(batch.now.masks.argmin(axis=1))
        assert error.value.code == "illegal_action"
        assert (batch.now.observations == before).all()


def test_a_seat_plays_against_a_bot_of_the_kit() -> None:
    seat = SeatEnv("zaibatsu", players=2, opponents=["marginal"])
    try:
        seen, info = seat.reset(seed=1)
        over = False
        while not over:
            seen, _, over, _, info = seat.step(seen["action_mask"].argmax())
    finally:
        seat.close()
    assert sorted(info) == ["places", "scores"]


def test_what_is_missing_is_told_with_the_command_that_installs_it() -> None:
    refused = missing("pettingzoo", ImportError(name="pettingzoo"))
    assert refused.code == "missing_extra"
    assert f"{sys.executable} -m pip install 'numpy>=2' 'pettingzoo" in str(refused)
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
    assert {name: tuple(project["optional-dependencies"][name]) for name in EXTRAS} == EXTRAS


@pytest.mark.parametrize(
    ("game", "options", "code"),
    [
        ("chess", {}, "unknown_game"),
        ("zaibatsu", {"players": 9}, "bad_option"),
        ("zaibatsu", {"render_mode": "human"}, "bad_render_mode"),
    ],
)
def test_what_cannot_be_made_is_refused_with_a_code(game: str, options: dict[str, Any], code: str) -> None:
    with pytest.raises(EnvironmentRefused) as error:
        env(game, **options)
    assert error.value.code == code
