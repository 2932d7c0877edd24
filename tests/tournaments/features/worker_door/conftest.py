"""A worker that comes by the door, the sets and turns that wait for it, and what is recorded of them."""

import json
from base64 import b64decode
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import pytest
from django.test import RequestFactory

from engine.records import from_plain, to_plain
from tests.factories import a_ladder, a_user, a_version
from tests.practising import BY_THE_BOOK
from tests.spaces import a_space
from tournaments.core.broker import queues
from tournaments.features.examinations.tasks import examined
from tournaments.features.practice.seats import PERSON, Sample, SeatedPlayer
from tournaments.features.practice.start import begin_practice
from tournaments.features.practice.tasks import practised
from tournaments.features.suggestions.tasks import record_suggestion
from tournaments.features.worker_door.actions import AdmitWorker, AllowOutsideWorkers
from tournaments.features.worker_door.tokens import digest_of, new_worker_secret
from tournaments.ledger.dispatch.orders import dispatch
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.tasks import record_set
from tournaments.models import Ladder, MatchSet, Practice, Space, User, Version
from tournaments.web.server.door_handler import DoorHandler
from workers.bundles import TICKET
from workers.door_words import Answer, Word
from workers.envelopes import read_envelope
from workers.examination_orders import EXAMINED
from workers.orders import REPORTS, SET_REPORTS, TAG, Held, Order, Report
from workers.practice import Rehearsal, continue_match
from workers.practice_orders import PRACTISED, PracticeOrder, PracticeReport, read_practice
from workers.suggestion_orders import SUGGESTED

HANDLER = DoorHandler()
OPERATOR = "the operator"
FIRST = {"first": 0}
TASKS = {PRACTISED: practised, EXAMINED: examined, SUGGESTED: record_suggestion}


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


def plain(reports: list[Report]) -> list[dict[str, Any]]:
    return [to_plain(report) for report in reports]


def held(of: Order) -> list[dict[str, Any]]:
    return [to_plain(Held(match.match, match.lease, match.secret)) for match in of.matches]


def leased(order: Order) -> tuple[int, int, str]:
    match = order.matches[0]
    return match.match, match.lease, match.secret


def dealt(ladder: Ladder, count: int = 1) -> list[MatchSet]:
    versions = list(Version.objects.filter(bot__entries__ladder=ladder).values_list("pk", flat=True))
    return [create_set(ladder=ladder, versions=versions) for _ in range(count)]


@pytest.fixture
def ladder() -> Ladder:
    """A ladder of the site, with two bots, where workers from outside may play."""
    ladder = a_ladder(players=2, status=Ladder.Status.PAUSED)
    for _ in range(2):
        ladder.entries.create(bot=a_version().bot)
    AllowOutsideWorkers(ladder, "yes").do(by=OPERATOR, reason="many hands")
    return ladder


@pytest.fixture
def space() -> Space:
    return a_space("bio1", organiser=a_user("tess"), members=[a_user("ann"), a_user("bob")])


@pytest.fixture
def lab(ladder: Ladder) -> Outsider:
    """It has come, and two sets wait for it."""
    outsider = Outsider()
    assert outsider.says("acquire").ask_again > 0
    dealt(ladder, 2)
    assert dispatch() == 2
    return outsider


@pytest.fixture
def room(space: Space) -> Room:
    made = Room(Outsider("lab", space), a_ladder("bio1-main", players=2, space=space, status=Ladder.Status.PAUSED))
    for practices in (False, True):
        assert made.acquire(practices=practices).ask_again > 0
    return made
