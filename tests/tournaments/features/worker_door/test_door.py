"""The door: workers by address and token are given orders, bring reports, and are believed in nothing else."""

import json
import time
from base64 import b64decode
from dataclasses import dataclass, replace
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from django.test import RequestFactory
from django.utils import timezone

from engine.records import from_plain, to_plain
from tests.factories import a_bot, a_checked, a_ladder, a_user, a_version, an_upload, reports
from tests.practising import BY_THE_BOOK
from tests.spaces import a_space
from tournaments.core.broker import queues
from tournaments.core.broker.available_workers import AvailableWorkers, practice_pool
from tournaments.core.broker.celery_app import app
from tournaments.core.errors import Refused
from tournaments.features.examinations.rules import continue_examinations
from tournaments.features.examinations.tasks import examined
from tournaments.features.practice import turns
from tournaments.features.practice.seats import PERSON, Sample, SeatedPlayer
from tournaments.features.practice.start import begin_practice
from tournaments.features.practice.tasks import practised
from tournaments.features.suggestions.tasks import record_suggestion
from tournaments.features.worker_door.actions import AdmitWorker, AllowOutsideWorkers, RevokeTokens
from tournaments.features.worker_door.door_api import BUNDLES, LONG, STRANGERS, WORDS
from tournaments.features.worker_door.tokens import TOKENS, digest_of, new_worker_secret
from tournaments.features.worker_door.work import GONE, HAND, LONGEST_HELD, MOST_MATCHES, PROCESSES, UNPLAYED
from tournaments.ledger.acts.workers import Block, Drain
from tournaments.ledger.competitors.uploads import create_bot
from tournaments.ledger.dispatch.orders import dispatch
from tournaments.ledger.dispatch.sweep import sweep_leases
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.tasks import record_set
from tournaments.models import (
    Attempt,
    Examination,
    Ladder,
    Match,
    MatchSet,
    Practice,
    Result,
    Space,
    User,
    Version,
    Worker,
    WorkerToken,
)
from tournaments.web.server.door_handler import DoorHandler
from workers.bundles import TICKET, ticket
from workers.door_words import LONGEST, Answer, Word
from workers.envelopes import read_envelope
from workers.examination_orders import (
    EXAMINED,
    ExaminationOrder,
    ExaminationReport,
    examination_queue,
    read_examination,
)
from workers.identity import OUTSIDE
from workers.orders import REPORTS, SET_REPORTS, TAG, Held, Order, Report, key_of, queue_for
from workers.practice import Rehearsal, continue_match
from workers.practice_orders import PRACTISED, PracticeOrder, PracticeReport, read_practice
from workers.process_heartbeats import WORKERS, queues_in_use
from workers.report_sizes import LONGEST as LONGEST_REPORT
from workers.suggestion_orders import SUGGEST, SUGGESTED
from workers.turn_orders import Turn

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("queue")]
HANDLER = DoorHandler()
OPERATOR = "the operator"


class Outsider:
    """A process of a worker that comes by the door."""

    def __init__(self, name: str = "lab", space: Space | None = None, offers: str = "", process: str = "p1") -> None:
        self.secret, self.process = new_worker_secret(), process
        AdmitWorker(name, space, digest_of(self.secret), offers).do(by=OPERATOR, reason="they ask to help")
        self.name = f"{name}@{space.slug if space else '_outside'}"

    def said(self, verb: str, body: object, **headers: str) -> tuple[int, dict[str, Any]]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        authorisation = {"Authorization": f"Worker {self.secret}", **headers}
        request = RequestFactory().post(f"/door/{verb}", data, content_type="application/json", headers=authorisation)
        response = HANDLER.get_response(request)
        return response.status_code, json.loads(response.content)  # type: ignore[attr-defined]

    def word(self, **changes: Any) -> dict[str, Any]:
        plain: dict[str, Any] = to_plain(Word(self.process, TAG, ["python", "c"]))
        return plain | changes

    def says(self, verb: str, **changes: Any) -> Answer:
        status, plain = self.said(verb, self.word(**changes))
        assert status == HTTPStatus.OK, plain
        answer: Answer = from_plain(Answer, plain, "answer")
        return answer

    def order(self) -> Order:
        return the_order(self.says("acquire"))

    def bundle(self, name: str, of: str) -> int:
        headers = {"Authorization": f"Worker {self.secret}", TICKET: of}
        return HANDLER.get_response(RequestFactory().get(f"/door/api/v1/bundles/{name}", headers=headers)).status_code


def the_order(answer: Answer) -> Order:
    assert answer.order, answer
    order: Order = from_plain(Order, answer.order, "order")
    return order


def recorded() -> list[str]:
    """Outcomes of the reports that lie in the recorder's queue."""
    outcomes: list[str] = []
    while data := queues.broker().rpop(SET_REPORTS):
        assert isinstance(data, bytes)
        body = json.loads(b64decode(read_envelope(data, SET_REPORTS)["body"]))
        outcomes += record_set(*body[0])
    return outcomes


def plain(reports: list[Report]) -> list[dict[str, Any]]:
    return [to_plain(report) for report in reports]


def held(of: Order) -> list[dict[str, Any]]:
    return [to_plain(Held(match.match, match.lease, match.secret)) for match in of.matches]


@pytest.fixture
def ladder() -> Ladder:
    """A ladder of the site, with two bots, where workers from outside may play."""
    ladder = a_ladder(players=2, status=Ladder.Status.PAUSED)
    for _ in range(2):
        ladder.entries.create(bot=a_version().bot)
    AllowOutsideWorkers(ladder, "yes").do(by=OPERATOR, reason="many hands")
    return ladder


def dealt(ladder: Ladder, count: int = 1) -> list[MatchSet]:
    versions = list(Version.objects.filter(bot__entries__ladder=ladder).values_list("pk", flat=True))
    return [create_set(ladder=ladder, versions=versions) for _ in range(count)]


@pytest.fixture
def lab(ladder: Ladder) -> Outsider:
    """It has come, and two sets wait for it."""
    outsider = Outsider()
    assert outsider.says("acquire").ask_again > 0
    dealt(ladder, 2)
    assert dispatch() == 2
    return outsider


# --- work --------------------------------------------------------------------------------------------------------


def test_a_worker_is_given_a_set_reports_on_it_and_is_given_the_next(lab: Outsider) -> None:
    first = lab.order()
    attempts = Attempt.objects.filter(match__in=[match.match for match in first.matches]).order_by("match__turn")
    process = f"{lab.name}/p1"
    assert list(attempts.values_list("worker", "outcome")) == [(process, "playing"), (process, "sent")]
    answer = lab.says("report", reports=plain(reports(first)), more=True)
    assert answer.refused == {}
    second = the_order(answer)
    assert {match.match for match in second.matches}.isdisjoint(match.match for match in first.matches)
    assert recorded() == ["recorded", "recorded"]
    assert lab.says("report", reports=plain(reports(second)), more=True).order is None
    assert recorded() == ["recorded", "recorded"]
    assert set(Result.objects.filter(match__set__ladder__isnull=False).values_list("worker")) == {(process,)}


def test_what_is_in_hand_is_renewed_and_what_nobody_waits_for_is_named(lab: Outsider) -> None:
    order = lab.order()
    before = Match.objects.get(pk=order.matches[0].match).lease_until
    assert lab.says("report", held=held(order)).over == []
    after = Match.objects.get(pk=order.matches[0].match).lease_until
    assert before
    assert after
    assert after > before
    Match.objects.filter(pk=order.matches[1].match).update(lease=9)
    assert lab.says("report", held=held(order)).over == [order.matches[1].match]


def test_a_worker_that_asks_anew_has_lost_what_it_had_and_it_is_sent_again(lab: Outsider) -> None:
    first = lab.order()
    lab.says("acquire")
    waiting = Match.objects.filter(pk__in=[match.match for match in first.matches], status="waiting")
    assert waiting.count() == 2
    assert not Attempt.objects.filter(failed=True).exists()


def test_a_report_that_waits_for_the_recorder_is_not_given_back(lab: Outsider) -> None:
    first = lab.order()
    lab.says("report", reports=plain(reports(first)))
    lab.says("acquire")
    assert recorded() == ["recorded", "recorded"]


def test_a_worker_that_leaves_gives_back_what_it_has_and_is_gone(lab: Outsider) -> None:
    order = lab.order()
    lab.says("abort", held=held(order), reason="its machine is switched off")
    assert Match.objects.filter(pk__in=[match.match for match in order.matches], status="waiting").count() == 2
    assert AvailableWorkers.here().workers == ()


def test_a_worker_that_falls_silent_is_missed(lab: Outsider) -> None:
    order = lab.order()
    Match.objects.filter(pk__in=[match.match for match in order.matches]).update(lease_until="2020-01-01T00:00Z")
    assert sweep_leases() == 2
    refused = lab.says("report", reports=plain(reports(order))).refused
    assert refused == {}  # it took the lease: the recorder decides
    assert {outcome.split(";")[0][:8] for outcome in recorded()} == {"refused:"}
    assert not Result.objects.filter(match__set__ladder__isnull=False).exists()


def test_it_is_listed_with_the_others_and_asked_no_questions_about_bots(lab: Outsider, ladder: Ladder) -> None:
    (worker,) = AvailableWorkers.here().workers
    assert (worker.name, sorted(worker.offers)) == (f"{lab.name}/p1", ["c", "python"])
    assert AvailableWorkers.here().pool_of(ladder.game, ladder.rules, [], None) == ("", 0)


# --- who plays what ----------------------------------------------------------------------------------------------


def test_no_ladder_of_the_site_is_played_from_outside_unless_it_says_so(ladder: Ladder) -> None:
    AllowOutsideWorkers(ladder, "no").do(by=OPERATOR, reason="too odd")
    outsider = Outsider()
    outsider.says("acquire")
    dealt(ladder, 2)
    assert dispatch() == 0
    assert outsider.says("acquire").order is None


def test_organisers_are_told_that_sources_can_be_read_outside() -> None:
    says = AllowOutsideWorkers(a_ladder(players=2), "yes").preview().says
    assert says[-1] == "Whoever runs one can read the sources of the bots there."


def test_checks_of_uploads_are_never_played_from_outside(ladder: Ladder) -> None:
    outsider = Outsider()
    outsider.says("acquire")
    an_upload(a_bot())
    assert dispatch() == 0


def test_what_was_sent_before_a_ladder_said_no_goes_to_others_and_counts_against_nobody(
    lab: Outsider, ladder: Ladder
) -> None:
    order = lab.order()
    AllowOutsideWorkers(ladder, "no").do(by=OPERATOR, reason="too odd")
    assert set(Match.objects.filter(set__ladder=ladder).values_list("status")) == {("waiting",)}
    assert set(Attempt.objects.filter(match__set__ladder=ladder).values_list("outcome", "failed")) == {
        ("returned", False)
    }
    assert lab.says("report", held=held(order)).over == sorted(match.match for match in order.matches)
    assert set(lab.says("report", reports=plain(reports(order))).refused.values()) == {REPORTED}
    assert recorded() == []
    assert lab.says("acquire").order is None
    assert not Result.objects.filter(match__set__ladder=ladder).exists()


def test_what_is_sent_while_a_ladder_says_no_is_not_given(lab: Outsider, ladder: Ladder) -> None:
    Ladder.objects.filter(pk=ladder.pk).update(outside_workers=False)
    assert lab.says("acquire").order is None


@pytest.fixture
def space() -> Space:
    return a_space("bio1", organiser=a_user("tess"), members=[a_user("ann"), a_user("bob")])


def test_a_spaces_worker_plays_for_its_space_alone(space: Space, ladder: Ladder) -> None:
    own_ladder = a_ladder("bio1-main", players=2, space=space, status=Ladder.Status.PAUSED)
    for name in ("ann", "bob"):
        owner = User.objects.get(username=name)
        own_ladder.entries.create(bot=a_checked(create_bot(owner=owner, game="zaibatsu", name=name, space=space)).bot)
    lab = Outsider("lab", space)
    lab.says("acquire")
    dealt(ladder, 2)
    dealt(own_ladder, 2)
    assert dispatch() == 2
    order = lab.order()
    assert Match.objects.get(pk=order.matches[0].match).set.space == space
    lab.says("report", reports=plain(reports(order)))
    assert recorded() == ["recorded", "recorded"]


def test_a_token_names_the_languages_that_its_worker_is_sent(ladder: Ladder) -> None:
    Version.objects.filter(bot__entries__ladder=ladder).update(need="c")
    outsider = Outsider(offers="rust")
    outsider.says("acquire")
    dealt(ladder)
    assert dispatch() == 0
    other = Outsider("pc", offers="c, wasm")
    other.says("acquire")
    assert dispatch() == 1
    assert other.says("acquire").order


# --- turns -------------------------------------------------------------------------------------------------------


@dataclass
class Room:
    """A space with a worker of its own, both of whose processes are here, and whose bots can be asked."""

    lab: Outsider
    ladder: Ladder

    def acquire(self, *, practices: bool = True) -> Answer:
        return self.lab.says("acquire", practices=practices, process="p2" if practices else "p1")

    def report(self, *reports: dict[str, Any], practices: bool = True, **more: Any) -> Answer:
        process = "p2" if practices else "p1"
        return self.lab.says("report", reports=[*reports], practices=practices, process=process, **more)

    def practise(self) -> Practice:
        seats: list[SeatedPlayer] = [Sample("random"), PERSON]
        return begin_practice(by=User.objects.get(username="ann"), ladder=self.ladder, seats=seats, options=FIRST)


FIRST = {"first": 0}
TASKS = {PRACTISED: practised, EXAMINED: examined, SUGGESTED: record_suggestion}


@pytest.fixture
def room(space: Space) -> Room:
    made = Room(Outsider("lab", space), a_ladder("bio1-main", players=2, space=space, status=Ladder.Status.PAUSED))
    for practices in (False, True):
        assert made.acquire(practices=practices).ask_again > 0
    return made


def heard() -> list[str]:
    """Outcomes of the turns that lie in the recorder's queue."""
    outcomes: list[str] = []
    while data := queues.broker().rpop(REPORTS):
        assert isinstance(data, bytes)
        envelope = read_envelope(data, REPORTS)
        outcomes.append(TASKS[envelope["headers"]["task"]](*json.loads(b64decode(envelope["body"]))[0]))
    return outcomes


def bots_say(answer: Answer) -> dict[str, Any]:
    """The report on a turn of a practice whose bots do what is usual."""
    order: PracticeOrder = read_practice(answer.order)
    report = PracticeReport(order.practice, order.turn, "", "played", seconds=0.1, secret=order.secret)
    continue_match(order, Rehearsal(BY_THE_BOOK, order.people, {}), report)
    plain: dict[str, Any] = to_plain(report)
    return plain


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


NOT_YOURS = "not_yours: this process does not have that turn in hand"


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


# --- who is believed ---------------------------------------------------------------------------------------------


def test_a_worker_reports_on_no_lease_that_another_took(lab: Outsider) -> None:
    order = lab.order()
    liar = Outsider("liar")
    answer = liar.says("report", reports=plain(reports(order)), held=held(order))
    assert {reason.split(":")[0] for reason in answer.refused.values()} == {"not_yours"}
    assert recorded() == []
    assert liar.bundle(order.competitors[0].bundle, ticket("match", *leased(order))) == HTTPStatus.NOT_FOUND
    assert lab.bundle(order.competitors[0].bundle, ticket("match", *leased(order))) == HTTPStatus.OK
    liar.says("abort", held=held(order))
    assert lab.says("report", reports=plain(reports(order))).refused == {}
    assert recorded() == ["recorded", "recorded"]


def leased(order: Order) -> tuple[int, int, str]:
    match = order.matches[0]
    return match.match, match.lease, match.secret


def test_a_report_that_comes_twice_counts_once(lab: Outsider) -> None:
    order = lab.order()
    answers = [lab.says("report", reports=plain(reports(order)) * 2) for _ in range(2)]
    assert [set(answer.refused.values()) for answer in answers] == [{REPORTED}, {REPORTED}]
    assert recorded() == ["recorded", "recorded"]
    queues.broker().flushdb()
    assert set(lab.says("report", reports=plain(reports(order))).refused.values()) == {REPORTED}
    assert recorded() == []


REPORTED = "not_yours: this worker does not have that lease, or has reported on it"


def test_false_results_are_refused_and_their_worker_rests(lab: Outsider) -> None:
    order = lab.order()
    report, other = reports(order)
    lab.says("report", reports=plain([replace(report, replay=other.replay), replace(other, secret="0" * 64)]))
    assert {outcome[:8] for outcome in recorded()} == {"refused:"}
    assert not Result.objects.filter(match__set__ladder__isnull=False).exists()
    Drain(Worker.objects.get(name=lab.name)).do(by=OPERATOR, reason="it is odd")
    answer = lab.says("acquire")
    assert (answer.order, answer.why) == (None, "the worker lab@_outside is drained")


@pytest.mark.parametrize("name", ["worker", "version"])
def test_a_worker_speaks_in_no_other_name(lab: Outsider, name: str) -> None:
    order = lab.order()
    lab.says("report", reports=[report | {name: "east/1"} for report in plain(reports(order))])
    assert {outcome[:8] for outcome in recorded()} == ({"recorded"} if name == "worker" else {"refused:"})
    assert not Result.objects.filter(worker="east/1").exists()


# --- what stops a worker -----------------------------------------------------------------------------------------


def test_each_reason_to_stop_has_its_code(lab: Outsider) -> None:
    assert lab.said("acquire", b"{") == (400, {"code": "bad_request", "detail": BAD_JSON})
    old = lab.said("acquire", lab.word(release="go-1"))[1]
    assert (old["code"], "this worker 1, go-1: update it" in old["detail"]) == ("old_version", True), old
    assert lab.said("acquire", lab.word(version=0))[0] == HTTPStatus.NOT_ACCEPTABLE
    Block(Worker.objects.get(name=lab.name)).do(by=OPERATOR, reason="it lies")
    status, answer = lab.said("acquire", lab.word())
    assert (status, answer["code"]) == (403, "blocked")
    assert answer["detail"] == "the worker lab@_outside is blocked: it lies"
    RevokeTokens("lab", None).do(by=OPERATOR, reason="it lies")
    assert lab.said("acquire", lab.word())[0] == HTTPStatus.UNAUTHORIZED
    with pytest.raises(Refused, match="has no token"):
        RevokeTokens("lab", None).preview()


BAD_JSON = "this cannot be read: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"


ODD: dict[str, list[object]] = {
    "process": ["", "a/b", "a b", "x" * 41, 7],
    "offers": ["python", ["a b"], ["é"], ["a"] * 61],
    "held": [[{"match": bad, "lease": 1, "secret": ""}] for bad in (-1, 0, 1 << 63, "1", None)],
    "reports": [{}, [1], [{}] * 101, [{"practice": 1}, {"examination": 1}]],
    "more": ["yes"],
}


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_is_refused(lab: Outsider, name: str) -> None:
    for odd in ODD[name]:
        status, answer = lab.said("report", lab.word(**{name: odd}))
        assert (status, answer["code"]) == (400, "bad_request"), odd


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b'{"version": NaN}', b"[" * 100_000, b"\xff\xfe", b"<html>"])
def test_what_is_no_word_at_all_is_refused(lab: Outsider, body: bytes) -> None:
    assert lab.said("acquire", body)[0] == HTTPStatus.BAD_REQUEST


ODD_LEASES: list[dict[str, object]] = [
    {},
    {"match": 1},
    {"match": "x", "lease": []},
    {"match": [], "lease": 1},
    {"match": {}, "lease": 1},
    {"match": True, "lease": True},
    {"match": 1 << 70, "lease": 1},
]


@pytest.mark.parametrize("odd", ODD_LEASES)
def test_reports_that_name_no_lease_of_it_are_refused_alone(lab: Outsider, odd: dict[str, object]) -> None:
    order = lab.order()
    answer = lab.says("report", reports=[odd, *plain(reports(order))])
    assert len(answer.refused) == 1
    assert recorded() == ["recorded", "recorded"]


def test_a_body_that_is_too_long_is_refused_unread(lab: Outsider) -> None:
    assert lab.said("report", b" " * (LONGEST + 1))[0] == HTTPStatus.REQUEST_ENTITY_TOO_LARGE


def test_what_asks_too_often_waits(lab: Outsider, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = replace(STRANGERS, times=3, seconds=3600, name="door-strangers-test")
    monkeypatch.setattr("tournaments.features.worker_door.door_api.STRANGERS", limit)
    for _ in range(limit.times):
        assert lab.said("acquire", {}, Authorization="Worker guess")[0] == HTTPStatus.UNAUTHORIZED
    assert lab.said("acquire", {}, Authorization="Worker guess")[0] == HTTPStatus.TOO_MANY_REQUESTS
    assert lab.said("acquire", lab.word())[0] == HTTPStatus.OK  # from the same address, with a token
    monkeypatch.setattr("tournaments.features.worker_door.door_api.WORDS", replace(WORDS, times=1, name="door-test"))
    assert [lab.said("acquire", lab.word())[0] for _ in range(2)] == [200, 429]


def test_what_is_long_counts_for_several(lab: Outsider, monkeypatch: pytest.MonkeyPatch) -> None:
    few = replace(WORDS, times=10, name="door-long-test")
    monkeypatch.setattr("tournaments.features.worker_door.door_api.WORDS", few)
    assert lab.said("report", lab.word(reason="x" * 9 * LONG))[0] == HTTPStatus.OK
    assert lab.said("report", lab.word())[0] == HTTPStatus.TOO_MANY_REQUESTS


def test_a_bundle_is_not_fetched_again_and_again(lab: Outsider, monkeypatch: pytest.MonkeyPatch) -> None:
    few = replace(BUNDLES, times=2, name="door-bundles-test")
    monkeypatch.setattr("tournaments.features.worker_door.door_api.BUNDLES", few)
    order = lab.order()
    bundles = [lab.bundle(order.competitors[0].bundle, ticket("match", *leased(order))) for _ in range(3)]
    assert bundles == [200, 200, 429]


def test_a_worker_has_so_many_processes_and_no_more(lab: Outsider) -> None:
    for number in range(1, PROCESSES.most):
        lab.says("acquire", process=f"q{number}")
    status, answer = lab.said("acquire", lab.word(process="one-more"))
    assert (status, answer["code"]) == (429, "too_many_processes")
    assert lab.said("acquire", lab.word())[0] == HTTPStatus.OK


def test_an_order_that_cannot_be_read_is_set_aside(lab: Outsider) -> None:
    (queue,) = queues.broker().keys("space:_outside:matches:*")
    queues.broker().delete(queue)
    queues.broker().rpush(queue, b"nonsense")
    assert lab.says("acquire").order is None
    assert queues.broker().llen("boardroom:undecodable") == 1


def test_a_broker_that_forgot_all_costs_nothing_but_time(lab: Outsider) -> None:
    order = lab.order()
    queues.broker().flushdb()
    assert lab.says("report", reports=plain(reports(order)), more=True).refused == {}
    assert recorded() == ["recorded", "recorded"]


# --- tokens ------------------------------------------------------------------------------------------------------


def test_only_the_hash_of_a_token_is_kept_and_a_space_admits_its_own(space: Space) -> None:
    tess, secret = User.objects.get(username="tess"), new_worker_secret()
    AdmitWorker("pc", space, digest_of(secret), None).do(by=tess, reason="ours")
    token = WorkerToken.objects.select_related("worker").get()
    assert (token.digest, token.worker.name, token.worker.space) == (digest_of(secret), "pc@bio1", space)
    with pytest.raises(Refused, match="token is known already"):
        AdmitWorker("pc2", space, digest_of(secret), None).preview()
    with pytest.raises(Refused) as refused:
        AdmitWorker("pc", None, digest_of(new_worker_secret()), None).do(by=tess, reason="the site's")
    assert refused.value.code == "not_organiser"
    with pytest.raises(Refused):
        AdmitWorker("pc", space, digest_of(new_worker_secret()), None).do(
            by=User.objects.get(username="ann"), reason="me"
        )
    RevokeTokens("pc", space).do(by=tess, reason="lost")
    assert not WorkerToken.objects.exists()


@pytest.mark.parametrize("name", ["", "a b", "a@b", "x" * 60, "-a", "a/b"])
def test_a_worker_has_a_plain_name(name: str) -> None:
    with pytest.raises(Refused, match=r"a worker.s name"):
        AdmitWorker(name, None, digest_of(new_worker_secret()), None).preview()


def test_there_is_a_bound_on_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.features.worker_door.tokens.TOKENS", replace(TOKENS, most=1))
    Outsider("one")
    with pytest.raises(Refused, match="at most 1 tokens"):
        Outsider("two")


def test_ladders_of_a_space_are_not_the_sites_to_give_away(space: Space) -> None:
    ladder = a_ladder("bio1-main", players=2, space=space)
    with pytest.raises(Refused, match="ladders of a space"):
        AllowOutsideWorkers(ladder, "yes").preview()


def test_the_hand_of_a_process_is_forgotten_in_time(lab: Outsider) -> None:
    lab.order()
    assert 0 < queues.broker().ttl(HAND.format(f"{lab.name}/p1")) <= 3600


# --- what is taken and not played ----------------------------------------------------------------------------------


def test_who_asks_for_more_without_a_report_has_lost_what_it_had(lab: Outsider) -> None:
    first = lab.order()
    second = the_order(lab.says("report", more=True))
    assert Match.objects.filter(pk__in=[match.match for match in first.matches], status="waiting").count() == 2
    assert set(queues.broker().hkeys(HAND.format(f"{lab.name}/p1"))) == {
        str(match.match).encode() for match in second.matches
    }


def test_who_takes_much_and_plays_little_has_to_wait(lab: Outsider, monkeypatch: pytest.MonkeyPatch) -> None:
    few = replace(UNPLAYED, times=MOST_MATCHES + 2, name="door-unplayed-test")
    monkeypatch.setattr("tournaments.features.worker_door.work.UNPLAYED", few)
    for _ in range(6):  # two matches each
        lab.says("report", reports=plain(reports(lab.order())))
        assert recorded() == ["recorded", "recorded"]
        dealt(Ladder.objects.get())
        dispatch()
    lab.order()
    lab.order()
    answer = lab.says("acquire")
    assert (answer.order, answer.why) == (None, "of the matches that it took it has played too few")
    assert 0 < answer.ask_again < few.seconds


def test_no_worker_holds_a_match_for_ever(lab: Outsider) -> None:
    order = lab.order()
    begun = timezone.now() - timedelta(seconds=LONGEST_HELD)
    Attempt.objects.filter(match=order.matches[0].match).update(sent_at=begun)
    Match.objects.filter(status="leased").update(lease_until=begun)
    lab.says("report", held=held(order))
    renewed = Match.objects.filter(lease_until__gt=timezone.now())
    assert list(renewed.values_list("pk", flat=True)) == [order.matches[1].match]


def test_processes_are_counted_whatever_they_say(lab: Outsider) -> None:
    for number in range(1, PROCESSES.most):
        lab.says("report", process=f"q{number}")
    for odd in ({"process": "one-more"}, {"offers": ["python", "rust"]}):
        status, answer = lab.said("report", lab.word(**odd))
        assert (status, answer["code"]) == (429, "too_many_processes")
    assert len(AvailableWorkers.here().workers) == PROCESSES.most


def test_a_process_that_is_gone_is_forgotten(lab: Outsider) -> None:
    key = key_of(OUTSIDE, WORKERS)
    queues.broker().zadd(key, {"old@_outside/1 tag python": int(timezone.now().timestamp()) - GONE - 60})
    lab.says("acquire")
    assert queues.broker().zcard(key) == 1


def test_the_time_that_a_spaces_worker_claims_counts_for_nobody(room: Room) -> None:
    practice = room.practise()
    room.report(bots_say(room.acquire()) | {"seconds": 3600.0})
    assert heard() == ["noted", "taken"]
    practice.refresh_from_db()
    assert practice.seconds == 0


def test_a_host_with_a_wrong_clock_hides_no_queue(lab: Outsider, monkeypatch: pytest.MonkeyPatch) -> None:
    order, used = lab.order(), [queue_for(["c", other], space=OUTSIDE) for other in ("go", "rust")]
    queues.note_orders([(order, used[0])])
    monkeypatch.setattr(queues, "time", lambda: time.time() + 7200, raising=False)
    queues.note_orders([(order, used[1])])
    assert queues_in_use(queues.broker(), OUTSIDE) >= {*used}
