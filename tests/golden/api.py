"""What the API answers to each kind of asker, for each of its operations."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import cast

from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from tests.golden.answers import Answers, files, statuses
from tests.golden.text import joined
from tests.tournaments.web.api.test_permissions import TABLE, Row, a_known_world, filled

ASKERS = ("owner", "anonymous", "staff")


def outputs() -> Iterator[tuple[str, str]]:
    named, keys = a_known_world()
    ready, lines, number = Answers.of_this_world().ready, list[str](), Counter[str]()
    for row in TABLE:
        what = f"{row.method} {row.path}"
        number[what] += 1
        what += f" {number[what]}" if number[what] > 1 else ""
        answers = {asker: ready(ask(row, named, keys[asker])) for asker in ASKERS}
        lines += statuses(what, answers)
        yield from files(what, answers)
    yield "statuses.txt", joined(lines)


def ask(row: Row, named: Mapping[str, object], key: str) -> HttpResponse:
    """Ask; each asker meets the world as it was."""
    body = filled(row.body, dict(named))
    kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
    data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    before, headers = transaction.savepoint(), {"Authorization": key} if key else {}
    client = Client(raise_request_exception=False)
    answer = client.generic(row.method, f"/api/v1/{row.path.format(**named)}", data, kind, headers=headers)
    transaction.savepoint_rollback(before)
    return cast("HttpResponse", answer)
