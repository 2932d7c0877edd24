"""The API asked for everything that its own document allows, and for what it does not, by strangers and by owners.

FUZZ_EXAMPLES=3000 asks so many times at each address instead of a few; FUZZ_SEED=random asks something else each time.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.thorough import budget
from tests.tournaments.web.api.test_permissions import things
from tests.tournaments.web.api.world import a_world
from tournaments.core.accounts.api_tokens import make_token
from tournaments.web.api import throttles
from tournaments.web.api.root import openapi_document
from tournaments.web.server.request_rates import Rate
from tournaments.wsgi import application

pytestmark = pytest.mark.django_db
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", budget(1, full=150)))
REPEATS = os.environ.get("FUZZ_SEED") != "random"
UNCOUNTED = ("ANONYMOUS", "USER", "UPLOAD", "SIGN_IN", "GUESSES")
HELD = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"]
PARTS = 12  # into which the operations are dealt


@cache
def operations() -> list[Any]:
    """Found out in the processes that ask, and not in all that collect: what finds them takes a second to load."""
    import schemathesis
    from schemathesis.core.result import Ok

    schema = schemathesis.openapi.from_dict(openapi_document())
    schema.app, schema.location = application, "/api/v1/schema/"
    return [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]


@dataclass(frozen=True, slots=True)
class Known:
    """What there is to be found, and the tokens of those who ask."""

    things: dict[str, object]
    tokens: dict[str, str]


@pytest.fixture(scope="module")
def one_connection() -> Iterator[None]:
    """Real requests end connections; here all share one, so that what they do can be taken back."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def world(one_connection: None, django_db_setup: None, django_db_blocker: Any) -> Iterator[Known]:
    """One world for all; what is asked of it is taken back."""
    with django_db_blocker.unblock(), transaction.atomic(), pytest.MonkeyPatch.context() as patch:
        for name in UNCOUNTED:
            rate = getattr(throttles, name)
            patch.setattr(throttles, name, Rate(f"fuzz {rate.name}", 10**6, 60))
        world = a_world()
        named = things(world)
        tokens = {user.username: f"Token {make_token(user=user, name='fuzz')}" for user in (world.owner, world.other)}
        yield Known(named, {"nobody": "", **tokens})
        transaction.set_rollback(True)


@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_is_asked_is_answered_as_the_document_says(part: int, world: Known, subtests: pytest.Subtests) -> None:
    for operation in operations()[part::PARTS]:
        with subtests.test(operation.label):
            is_answered_as_described(operation, world)


def is_answered_as_described(operation: Any, world: Known) -> None:
    from schemathesis import GenerationMode
    from schemathesis.checks import CHECKS, load_all_checks

    load_all_checks()
    held = CHECKS.get_by_names(HELD)
    kinds = [operation.as_strategy(generation_mode=mode) for mode in GenerationMode]

    @settings(
        max_examples=EXAMPLES,
        derandomize=REPEATS,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=st.one_of(*kinds), asker=st.sampled_from(sorted(world.tokens)), is_there=st.booleans())
    def send(case: Any, asker: str, is_there: bool) -> None:
        if is_there:  # a number drawn is hardly ever somebody's
            case.path_parameters = {name: world.things.get(name, value) for name, value in case.path_parameters.items()}
        headers = {"Accept-Encoding": "identity"}  # the tool unpacks nothing
        headers |= {"Authorization": world.tokens[asker]} if world.tokens[asker] else {}
        before = transaction.savepoint()
        response = case.call(headers=headers)
        transaction.savepoint_rollback(before)
        case.validate_response(response, checks=held)

    send()


def test_every_operation_of_the_document_is_asked() -> None:
    described = {
        f"{method.upper()} {path}" for path, methods in openapi_document()["paths"].items() for method in methods
    }
    assert {operation.label for operation in operations()} == described
