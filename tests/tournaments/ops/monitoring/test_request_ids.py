"""The names of requests."""

import json
import logging

import pytest
from django.test import Client

from workers.logs import JsonFormatter

pytestmark = pytest.mark.django_db


def test_a_request_that_a_proxy_named_keeps_its_name() -> None:
    assert (
        Client().get("/sign-in/", headers={"X-Request-ID": "edge-7.0001_a"}).headers["X-Request-ID"] == "edge-7.0001_a"
    )


@pytest.mark.parametrize(
    "header", ["", "short", "x" * 65, "with spaces in it", "line\nbreak-of-lines", "<script>alert"]
)
def test_any_other_request_gets_a_name_of_ours(header: str) -> None:
    names = {Client().get("/sign-in/", headers={"X-Request-ID": header}).headers["X-Request-ID"] for _ in range(2)}
    assert len(names) == 2
    assert all(len(name) == 32 and name.isalnum() for name in names)


def test_what_is_logged_because_of_a_request_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(JsonFormatter().format(record))

    handler, logger = Kept(), logging.getLogger("django.request")
    logger.addHandler(handler)
    try:
        Client().get("/nowhere/", headers={"X-Request-ID": "a-request"})
    finally:
        logger.removeHandler(handler)
    assert [json.loads(line)["request"] for line in lines] == ["a-request"]
