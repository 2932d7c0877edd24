"""Until the database has its tables the web server says that the site starts."""

import asyncio
import json
from typing import Any

import pytest
from django.db import connection

from tournaments.web.server.database_gate import DatabaseGate, has_tables, send_starting

LATEST = "0001_initial"
UNDONE = "UPDATE django_migrations SET name = %s WHERE app = 'tournaments' AND name = %s"
OTHER = "0000_of_before"


def lets_in(gate: DatabaseGate, path: str = "/") -> bool:
    gate.due = 0.0
    return asyncio.run(gate.lets_in({"type": "http", "path": path}))


@pytest.fixture
def earlier(transactional_db: None) -> Any:
    """The database of an earlier release: its last migration is not applied yet."""
    rename(LATEST, OTHER)
    yield
    rename(OTHER, LATEST)


def rename(before: str, after: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(UNDONE, [after, before])


def test_it_opens_when_the_last_migration_is_applied_and_stays_open(earlier: None) -> None:
    gate = DatabaseGate()
    assert not lets_in(gate)
    assert lets_in(gate, "/healthz")
    assert not lets_in(gate, "/healthz/")
    assert not lets_in(gate, "/static/none.css")  # its page of what is missing needs tables
    rename(OTHER, LATEST)
    assert lets_in(gate)
    rename(LATEST, OTHER)
    assert lets_in(gate)


@pytest.mark.parametrize("name", ["HOST", "NAME"])
def test_a_database_that_is_away_keeps_it_shut(transactional_db: None, name: str) -> None:
    before = connection.settings_dict[name]
    connection.close()
    connection.settings_dict[name] = "/nowhere"
    try:
        assert not has_tables()
    finally:
        connection.settings_dict[name] = before
    assert has_tables()


@pytest.mark.parametrize(
    ("path", "kind"), [("/", "text/html; charset=utf-8"), ("/api/v1/", "application/problem+json")]
)
def test_the_answer_is_a_page_or_a_problem(path: str, kind: str) -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(send_starting({"type": "http", "path": path}, send))
    headers = dict(sent[0]["headers"])
    assert (sent[0]["status"], headers[b"content-type"].decode(), headers[b"retry-after"]) == (503, kind, b"2")
    assert b"starting" in sent[1]["body"]
    if path != "/":
        assert json.loads(sent[1]["body"])["code"] == "starting"
