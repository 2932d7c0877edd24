"""Workers of a space play turns of practices and examine bots, each process what it is there for."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from django.utils import timezone

from engine.records import to_plain
from tests.factories import a_checked, reports
from tests.tournaments.features.worker_door.conftest import Outsider, Room, bots_say, dealt, heard, plain, the_order
from tournaments.core.broker import queues
from tournaments.core.broker.available_workers import practice_pool
from tournaments.core.broker.celery_app import app
from tournaments.features.examinations.rules import continue_examinations
from tournaments.features.practice import turns
from tournaments.ledger.competitors.uploads import create_bot
from tournaments.ledger.dispatch.orders import dispatch
from tournaments.models import Examination, Ladder, Match, MatchSet, Space, User, Version
from workers.bundles import ticket
from workers.door_words import Answer
from workers.examination_orders import ExaminationOrder, ExaminationReport, examination_queue, read_examination
from workers.practice_orders import PracticeOrder, read_practice
from workers.report_sizes import LONGEST as LONGEST_REPORT
from workers.suggestion_orders import SUGGEST
from workers.turn_orders import Turn

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("queue")]
NOT_YOURS = "not_yours: this process does not have that turn in hand"


def test_a_turn_of_a_practice_goes_to_a_process_for_practices_and_its_answers_count(room: Room) -> None:
    practice = room.practise()
    assert room.acquire(practices=False).order is None
    report = bots_say(room.acquire())
    assert heard() == ["noted"]  # the door says that it is begun
    answer = room.report(report, more=True)
    assert (answer.refused, answer.order, 0 < answer.ask_again < 1) == ({}, None, True)  # the person is here
    assert heard() == ["taken"]
    practice.refresh_from_db()
    assert (practice.status, len(practice.script)) == ("asking", 1)
    assert room.report(report).refused == {f"practice {practice.pk}": NOT_YOURS}
    assert heard() == []


def test_a_worker_speaks_of_no_turn_that_another_process_took(room: Room) -> None:
    practice = room.practise()
    report = bots_say(room.acquire())
    heard()
    for name, space in (("liar", practice.ladder.space), ("odd", None)):
        liar = Outsider(name, space)
        assert liar.says("report", reports=[report], process="p2").refused == {f"practice {practice.pk}": NOT_YOURS}
    for changes in ({"turn": 9}, {"turn": "1"}, {"secret": "0" * 64}, {"practice": -5}, {"practice": None}):
        answer = room.report(report | changes)
        assert (list(answer.refused.values()), answer.turn_over) == ([NOT_YOURS], True)
    assert heard() == []
    assert room.report(report | {"worker": "east/1"}).refused == {}
    assert heard() == ["taken"]


def test_what_a_worker_says_of_a_turn_is_checked_as_every_workers(room: Room) -> None:
    practice = room.practise()
    report = bots_say(room.acquire())
    heard()
    room.report(report | {"answers": [[0, {"t": "pass"}, 1.0]]})
    assert heard()[0].startswith("refused: ")
    practice.refresh_from_db()
    assert (practice.status, practice.turn, practice.tries) == ("waiting", 2, 1)
    assert bots_say(room.acquire())["turn"] == 2


def test_a_report_that_is_too_long_is_refused(room: Room) -> None:
    practice = room.practise()
    report = bots_say(room.acquire()) | {"reason": "x" * LONGEST_REPORT}
    assert room.report(report).refused[f"practice {practice.pk}"].startswith("too_long")


def test_a_turn_whose_worker_was_killed_is_sent_again_as_soon_as_it_asks(room: Room) -> None:
    practice = room.practise()
    first = bots_say(room.acquire())
    assert room.acquire().order is None
    assert heard() == ["noted", "noted"]
    second = bots_say(room.acquire())
    assert (first["turn"], second["turn"]) == (1, 2)
    assert room.report(first).refused == {f"practice {practice.pk}": NOT_YOURS}
    room.lab.says("abort", practices=True, process="p2", reason="its machine is switched off")
    heard()
    practice.refresh_from_db()
    assert (practice.turn, practice.tries, practice_pool(practice.ladder.space, [])) == (3, 2, "")


def test_while_a_turn_is_played_it_is_said_and_one_that_nobody_waits_for_is_over(room: Room) -> None:
    practice = room.practise()
    turn = Turn.named(room.acquire().order or {})
    assert turn
    begun = to_plain(turn.begun(""))
    assert room.report(begun).turn_over is False
    assert heard() == ["noted", "noted"]
    queues.note_practice_over(practice.pk, practice.turn)
    assert room.report(begun).turn_over is True


def test_a_turn_that_is_over_is_not_given(room: Room) -> None:
    practice = room.practise()
    queues.note_practice_over(practice.pk, practice.turn)
    assert room.acquire().order is None


def test_a_broker_that_forgot_a_turn_has_it_sent_again(room: Room) -> None:
    practice = room.practise()
    report = bots_say(room.acquire())
    queues.broker().flushdb()
    assert room.report(report).refused == {f"practice {practice.pk}": NOT_YOURS}
    room.acquire()  # so that it is here
    assert (turns.resend_turns(), turns.send_due()) == (1, 1)
    assert bots_say(room.acquire())["turn"] == 2


def test_a_bot_is_shown_to_who_has_a_turn_in_which_it_plays(room: Room, ladder: Ladder) -> None:
    practice = room.practise()
    order: PracticeOrder = read_practice(room.acquire().order)
    bundle = order.terms.competitors[0].bundle
    shown = ticket("practice", practice.pk, 1, order.secret)
    other = Version.objects.filter(bot__entries__ladder=ladder)[0].bundle_id
    assert (room.lab.bundle(bundle, shown), room.lab.bundle(other, shown)) == (200, 404)
    assert room.lab.bundle(bundle, ticket("practice", practice.pk, 1, "0" * 64)) == HTTPStatus.NOT_FOUND
    assert room.lab.bundle(bundle, ticket("examination", practice.pk, 1, order.secret)) == HTTPStatus.NOT_FOUND
    room.report(bots_say(Answer(order=to_plain(order))))
    heard()
    assert room.lab.bundle(bundle, shown) == HTTPStatus.NOT_FOUND


def test_an_examination_goes_to_a_process_for_matches(room: Room, space: Space) -> None:
    owner = User.objects.get(username="bob")
    version = a_checked(create_bot(owner=owner, game="zaibatsu", name="bob", space=space))
    Version.objects.update(created_at=timezone.now() - timedelta(hours=1))
    assert continue_examinations() == 1
    assert room.acquire().order is None
    order: ExaminationOrder = read_examination(room.acquire(practices=False).order)
    shown = ticket("examination", order.examination, order.turn, order.secret)
    assert room.lab.bundle(version.bundle_id, shown) == HTTPStatus.OK
    report = ExaminationReport(order.examination, order.turn, "", "void", "it is odd", secret=order.secret)
    assert room.report(to_plain(report), practices=False).refused == {}
    assert heard() == ["noted", "noted"]
    examination = Examination.objects.get(version=version)
    assert (examination.begun, examination.failures, examination.reason) == (True, 1, "it is odd")
    assert room.lab.bundle(version.bundle_id, shown) == HTTPStatus.GONE


def test_one_examination_a_minute_comes_before_matches(room: Room) -> None:
    def sends(task: str, order: dict[str, Any], queue: str) -> None:
        app.send_task(task, [order], queue=queue, retry=False)

    suggestion = {"suggestion": 1, "turn": 1, "secret": "s"}
    for number in (1, 2):
        sends(SUGGEST, suggestion | {"suggestion": number}, examination_queue((), "bio1"))
    played = play_set_of(room)
    assert room.acquire(practices=False).order == suggestion
    order = the_order(room.acquire(practices=False))
    assert Match.objects.get(pk=order.matches[0].match).set == played
    assert room.report(*plain(reports(order)), practices=False, more=True).order == suggestion | {"suggestion": 2}


def play_set_of(room: Room) -> MatchSet:
    for name in ("ann", "bob"):
        owner = User.objects.get(username=name)
        bot = create_bot(owner=owner, game="zaibatsu", name=name, space=room.ladder.space)
        room.ladder.entries.create(bot=a_checked(bot).bot)
    (played,) = dealt(room.ladder)
    assert dispatch() == 1
    return played


def test_workers_of_no_space_are_asked_for_no_practices(lab: Outsider) -> None:
    status, answer = lab.said("acquire", lab.word(practices=True))
    assert (status, answer["code"]) == (410, "no_practices")


def test_the_time_that_a_spaces_worker_claims_counts_for_nobody(room: Room) -> None:
    practice = room.practise()
    room.report(bots_say(room.acquire()) | {"seconds": 3600.0})
    assert heard() == ["noted", "taken"]
    practice.refresh_from_db()
    assert practice.seconds == 0
