"""Practices: answers of a person and of bots make a script, and nothing is believed that the engine finds not so."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models.functions import Now

from engine.core import Question
from engine.games import GAMES
from engine.records import Record, to_plain
from engine.replay import read_replay, verify
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version
from tests.practising import bots_answer, everything_by_the_book, send
from tournaments.core.broker import queues
from tournaments.core.errors import Refused
from tournaments.features.practice.seats import PERSON, Sample
from tournaments.features.practice.slow_play import leave_practice
from tournaments.features.practice.start import begin_practice, fork_practice
from tournaments.features.practice.turns import (
    PracticeState,
    answer_question,
    order_of_turn,
    retry,
    send_due,
    turn_secret,
)
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Draft, Ladder, MatchSet, Practice, User, Worker
from tournaments.ops.dispatcher import recover_forgotten
from workers.practice_orders import TURN_KEY, PracticeReport

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]
GREEDY, RANDOM = Sample("marginal"), Sample("random")


@pytest.fixture
def person() -> User:
    return a_user("paula")


@pytest.fixture
def ladder() -> Ladder:
    return a_ladder(options=to_plain(GAMES["zaibatsu"].read_options({"players": 3, "first": 0})))


def a_game(person: User, ladder: Ladder, seat: int = 0) -> Practice:
    seats: list[Any] = [GREEDY, RANDOM]
    seats.insert(seat, PERSON)
    return begin_practice(by=person, ladder=ladder, seats=seats)


def fresh(practice: Practice) -> Practice:
    return Practice.objects.select_related("ladder", "owner").get(pk=practice.pk)


def question_of(practice: Practice) -> Question[Record]:
    return PracticeState.of(practice).run.match.questions[0]


def by_the_book(practice: Practice) -> Practice:
    action = to_plain(question_of(fresh(practice)).default())
    return answer_question(practice=practice, by=practice.owner, turn=len(fresh(practice).script), action=action)


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def test_whoever_is_asked_first_is_asked_at_once_and_then_the_bots_are(person: User, ladder: Ladder) -> None:
    practice = a_game(person, ladder)
    assert (practice.status, practice.turn) == ("asking", 0)
    practice = by_the_book(practice)
    assert (practice.status, practice.turn) == ("waiting", 1)
    assert bots_answer(practice) == "taken"
    assert (fresh(practice).status, len(fresh(practice).script)) == ("asking", 3)


def test_a_game_is_played_to_its_end_and_leaves_a_replay_that_verifies(person: User, ladder: Ladder) -> None:
    practice = everything_by_the_book(a_game(person, ladder, seat=1))
    assert practice.status == "over"
    replay = read_replay(bytes(practice.replay or b""))
    verify(replay)
    assert [player.name for player in replay.players] == ["sample marginal", "paula", "sample random"]


def test_an_answer_counts_for_the_question_that_was_seen(person: User, ladder: Ladder) -> None:
    practice = a_game(person, ladder)
    action = to_plain(question_of(practice).default())
    bad = {"t": "place", "card": "F99", "pile": 1}
    assert refusal(lambda: answer_question(practice=practice, by=person, turn=0, action=bad)) == "illegal_answer"
    assert refusal(lambda: answer_question(practice=practice, by=person, turn=1, action=action)) == "not_your_turn"
    assert refusal(lambda: answer_question(practice=practice, by=a_user(), turn=0, action=action)) == "not_found"
    answer_question(practice=practice, by=person, turn=0, action=action)
    assert refusal(lambda: answer_question(practice=practice, by=person, turn=0, action=action)) == "not_your_turn"
    assert len(fresh(practice).script) == 1


FORGED: dict[str, Callable[[dict[str, Any]], object]] = {
    "another turn": lambda plain: plain.update(turn=plain["turn"] - 1),
    "an answer too few": lambda plain: plain["answers"].pop(),
    "no answers": lambda plain: plain["answers"].clear(),
    "an answer too many": lambda plain: plain["answers"].append(plain["answers"][-1]),
    "an answer of the person": lambda plain: plain["answers"].append([0, plain["answers"][-1][1], 1.0]),
    "a card that the seat has not": lambda plain: plain["answers"][0][1].update(card="F99"),
    "a fault that was none": lambda plain: plain["answers"][0].append("forfeited"),
    "nonsense": lambda plain: plain.update(answers=[7]),
    "no such outcome": lambda plain: plain.update(outcome="won"),
}


@pytest.mark.parametrize("what", FORGED)
def test_a_report_that_does_not_hold_changes_no_answer(what: str, person: User, ladder: Ladder) -> None:
    practice = by_the_book(a_game(person, ladder))
    before = fresh(practice).script
    assert bots_answer(practice, forge=FORGED[what]).startswith("refused")
    assert (fresh(practice).script, fresh(practice).status) == (before, "waiting")
    bots_answer(fresh(practice))
    assert fresh(practice).status == "asking"


def test_a_report_is_believed_once_and_never_of_a_blocked_worker(person: User, ladder: Ladder) -> None:
    practice = by_the_book(a_game(person, ladder))
    plain = {"practice": practice.pk, "turn": 1, "worker": "tester/1", "outcome": "void"}
    forged = {**plain, "secret": turn_secret(practice.pk, 2)}
    assert send(forged) == f"refused: tester was not sent turn 1 of practice {practice.pk}"
    plain["secret"] = turn_secret(practice.pk, 1)
    Worker.objects.update_or_create(name="tester", defaults={"status": Worker.Status.BLOCKED})
    assert "its reports are refused" in send(plain)
    Worker.objects.update(status=Worker.Status.WELCOME)
    bots_answer(practice)
    assert send(plain).startswith("refused: turn 1")


@pytest.mark.parametrize(("seconds", "cpu_ms"), [(-1, []), (1e9, []), (1.0, [1e12] * 500), (1.0, [-1.0])])
def test_a_report_of_times_that_cannot_be_is_refused(
    seconds: float, cpu_ms: list[float], person: User, ladder: Ladder
) -> None:
    practice = by_the_book(a_game(person, ladder))
    plain = {"practice": practice.pk, "turn": 1, "worker": "tester/1", "outcome": "void"}
    plain |= {"secret": turn_secret(practice.pk, 1), "seconds": seconds, "cpu_ms": cpu_ms}
    outcome = send(plain)
    assert outcome.startswith("refused: it took ")
    assert len(outcome) < 400
    assert fresh(practice).tries == 0


def test_a_turn_that_nobody_plays_is_asked_for_again_and_in_the_end_fails(person: User, ladder: Ladder) -> None:
    practice = by_the_book(a_game(person, ladder))
    assert send_due() == 0
    for tries in (1, 2):
        Practice.objects.update(until=Now())
        assert send_due() == 1
        assert (fresh(practice).tries, fresh(practice).turn) == (tries, 1 + tries)
    Practice.objects.update(until=Now())
    send_due()
    assert fresh(practice).status == "failed"
    assert "practice worker" in fresh(practice).reason
    retry(practice=practice, by=person)
    bots_answer(fresh(practice))
    assert (fresh(practice).status, fresh(practice).tries) == ("asking", 0)


def test_a_broker_that_forgets_loses_no_turn(person: User, ladder: Ladder) -> None:
    practice = by_the_book(a_game(person, ladder))
    queues.broker().flushdb()
    assert recover_forgotten() == 1
    assert send_due() == 1
    assert fresh(practice).turn == 2
    bots_answer(fresh(practice))
    assert fresh(practice).status == "asking"


def test_signs_of_life_give_a_turn_more_time_and_void_ones_count(person: User, ladder: Ladder) -> None:
    practice = by_the_book(a_game(person, ladder))
    plain = {"practice": practice.pk, "turn": 1, "worker": "tester/1", "outcome": "playing"}
    plain["secret"] = turn_secret(practice.pk, 1)
    Practice.objects.update(until=Now())
    assert send(plain) == "noted"
    assert send_due() == 0
    assert send({**plain, "outcome": "void", "reason": "no sandbox\0"}) == "noted"
    assert (fresh(practice).tries, fresh(practice).turn) == (1, 2)


def test_a_game_that_was_left_takes_no_answers(person: User, ladder: Ladder) -> None:
    practice = by_the_book(a_game(person, ladder))
    assert refusal(lambda: leave_practice(practice=practice, by=a_user())) == "not_found"
    leave_practice(practice=practice, by=person)
    assert bots_answer(practice).startswith("refused")
    assert fresh(practice).status == "left"


def test_a_game_ends_where_a_bot_would_be_asked_no_more_for_the_room_that_it_took(
    person: User, ladder: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    practice = by_the_book(a_game(person, ladder))
    monkeypatch.setattr("tournaments.features.practice.turns.ROOM", 100)
    bots_answer(practice)
    assert (fresh(practice).status, fresh(practice).reason) == ("failed", "its answers take up more than 100 bytes")


def test_a_match_goes_on_from_a_moment_with_others_at_its_seats(person: User) -> None:
    ladder = a_ladder("arena", players=3)
    versions = [a_version() for _ in range(3)]
    match = a_completed_set(ladder, versions).matches.select_related("set__ladder", "result").order_by("turn")[0]
    replay = read_replay(bytes(match.result.replay))
    practice = fork_practice(by=person, match=match, moment=20, seats=[PERSON, versions[0], RANDOM])
    lines: list[Any] = replay.answers
    assert fresh(practice).script == [line[:3] for line in lines[: practice.moment]]
    assert practice.seed == replay.seed
    assert everything_by_the_book(practice).status == "over"
    late = len(replay.answers)
    assert refusal(lambda: fork_practice(by=person, match=match, moment=late, seats=[PERSON, RANDOM, RANDOM])) == "over"


def test_nothing_goes_on_from_a_set_that_is_open(person: User) -> None:
    ladder = a_ladder("arena", players=3)
    versions = [a_version() for _ in range(3)]
    open_set: MatchSet = create_set(ladder=ladder, versions=[version.pk for version in versions])
    match = open_set.matches.all()[0]
    assert (
        refusal(lambda: fork_practice(by=person, match=match, moment=0, seats=[PERSON, RANDOM, RANDOM])) == "no_replay"
    )
    check = versions[0].check_set.matches.select_related("result").get()
    assert (
        refusal(lambda: fork_practice(by=person, match=check, moment=0, seats=[PERSON, RANDOM, RANDOM])) == "no_replay"
    )


def test_who_may_sit_is_who_may_be_asked_for_a_friendly_set_and_what_is_ones_own(person: User) -> None:
    ladder, mine, other = a_ladder(players=2), a_version(a_bot(a_user("otto"))), a_version()
    draft = Draft.objects.create(owner=a_user("dora"), game="zaibatsu", name="Draft", source="print('hello')\n")
    owner = mine.bot.owner

    def sit(*seats: Any, by: User = owner) -> str:
        return refusal(lambda: begin_practice(by=by, ladder=ladder, seats=seats))

    begin_practice(by=owner, ladder=ladder, seats=[PERSON, mine])
    assert sit(PERSON, other) == "not_entered"
    ladder.entries.create(bot=other.bot)
    begin_practice(by=owner, ladder=ladder, seats=[PERSON, other])
    assert sit(PERSON, draft) == "not_yours"
    assert sit(PERSON, PERSON) == "one_person"
    assert sit(PERSON, Sample("../../x")) == "unknown_bot"
    assert sit(PERSON) == "wrong_table"
    begin_practice(by=draft.owner, ladder=ladder, seats=[draft, RANDOM])
    begin_practice(by=draft.owner, ladder=ladder, seats=[draft, RANDOM, RANDOM])


def test_evidence_is_kept_of_ones_own_bots_alone(person: User, ladder: Ladder) -> None:
    draft = Draft.objects.create(owner=person, game="zaibatsu", name="Draft", source="print('hello')\n")
    practice = begin_practice(by=person, ladder=ladder, seats=[draft, RANDOM, RANDOM])

    def loud(plain: dict[str, Any]) -> None:
        plain["stderr"] = [{"seat": 0, "text": "mine\0"}, {"seat": 1, "text": "theirs"}]

    assert bots_answer(practice, forge=loud) == "taken"
    assert fresh(practice).status == "over"
    assert fresh(practice).report["stderr"] == {"0": "mine\ufffd"}
    assert set(fresh(practice).report["cpu_ms"]) == {"0"}


def test_a_person_has_so_many_games_and_so_much_of_workers_time(person: User, ladder: Ladder, settings: Any) -> None:
    settings.PRACTICES_OPEN = 2
    first, _ = a_game(person, ladder), a_game(person, ladder)
    assert refusal(lambda: a_game(person, ladder)) == "too_many_open"
    leave_practice(practice=first, by=person)
    settings.PRACTICES_A_DAY = 2
    assert refusal(lambda: a_game(person, ladder)) == "too_many_practices"
    settings.PRACTICES_A_DAY = 9
    Practice.objects.update(seconds=settings.PRACTICE_SECONDS_A_DAY / 2)
    assert refusal(lambda: a_game(person, ladder)) == "too_much_thinking"


def test_the_order_asks_for_the_languages_of_the_bots(person: User, ladder: Ladder) -> None:
    version = a_version(a_bot(person))
    version.need = "c"
    version.save()
    order, needs = order_of_turn(fresh(begin_practice(by=person, ladder=ladder, seats=[PERSON, version, RANDOM])))
    assert (order.seats, needs) == ([-1, 0, 1], {"python", "c"})


def test_a_worker_learns_that_a_turn_is_over(
    person: User, ladder: Ladder, django_capture_on_commit_callbacks: Any
) -> None:
    """The worker learns it when the game ends, and again at its next heartbeat."""
    practice = fresh(a_game(person, ladder, seat=2))
    assert (practice.status, practice.turn) == ("waiting", 1)
    order, _ = order_of_turn(practice)
    beat = to_plain(PracticeReport(order.practice, 1, "tester/1", "playing", secret=order.secret))
    for act in (lambda: leave_practice(practice=practice, by=person), lambda: send(beat)):
        queues.broker().delete(TURN_KEY.format(practice.pk))
        with django_capture_on_commit_callbacks(execute=True):
            act()
        assert queues.broker().get(TURN_KEY.format(practice.pk)) == b"2"
