"""The codes with which a worker is told to stop, and words that are refused."""

import json
from dataclasses import replace
from http import HTTPStatus

import pytest

from tests.factories import reports
from tests.tournaments.features.worker_door.conftest import OPERATOR, Outsider, leased, plain, recorded
from tournaments.core.errors import Refused
from tournaments.features.worker_door.actions import RevokeTokens
from tournaments.features.worker_door.door_api import BUNDLES, LONG, STRANGERS, WORDS
from tournaments.ledger.acts.workers import Block
from tournaments.models import Worker
from workers.bundles import ticket
from workers.door_words import LONGEST

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("queue")]
BAD_JSON = "this cannot be read: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"


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


def test_what_is_nested_too_deeply_is_refused(lab: Outsider) -> None:
    text = json.dumps(lab.word(reports=plain(reports(lab.order()))))
    for depth in range(1000, 800, -4):  # less deeply than JSON can be read, and more than a message can be
        assert lab.said("report", text.replace("[]", "[" * depth + "]" * depth, 1).encode())[0] in (200, 400), depth


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
