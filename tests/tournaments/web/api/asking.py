"""Ask the API as a client would; whatever it answers must be what its own OpenAPI document says."""

import functools
import json
import re
from typing import Any

from django.http import HttpResponse
from django.test import Client
from jsonschema import Draft202012Validator

from tournaments.core.accounts.api_tokens import make_token
from tournaments.models import User
from tournaments.web.api.root import openapi_document

ROOT = "/api/v1"
Answer = Any  # a response of the test client: HttpResponse with json()


def ask(
    method: str,
    path: str,
    asker: User | str | None = None,
    body: Any = None,
    *,
    kind: str = "application/json",
    **headers: str,
) -> Answer:
    """`asker` is a user, or the whole Authorization header, or nobody. A body that is not bytes is sent as JSON."""
    if asker:
        headers["Authorization"] = (
            asker if isinstance(asker, str) else f"Token {make_token(user=asker, name='of a test')}"
        )
    data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    address = path if path.startswith(("http", "/")) else f"{ROOT}/{path}"
    response = Client(raise_request_exception=False).generic(method, address, data, kind, headers=headers)
    conforms(method, address, response)
    return response


def refused(response: Answer) -> tuple[int, str]:
    """The status and the code of a refusal, whose sentence must be one."""
    problem = response.json()
    assert len(problem["detail"]) > 10, problem
    return response.status_code, problem["code"]


def conforms(method: str, address: str, response: Any) -> None:
    described = operation(method, address)
    status, kind = str(response.status_code), response.headers.get("Content-Type", "").split(";")[0]
    if response.status_code in (304, 308):
        return
    if described is not None and response.status_code != 405:
        assert status in described["responses"], f"{method} {address}: the document names no {status}"
    if response.status_code >= 400 or described is None:
        valid({"$ref": "#/components/schemas/Problem"}, response)
    elif content := described["responses"][status].get("content"):
        assert kind in content, f"{method} {address} answered with {kind}, the document says {set(content)}"
        if kind == "application/json" and not response.headers.get("Content-Encoding"):
            valid(content[kind]["schema"], response)


def valid(schema: dict[str, Any], response: HttpResponse) -> None:
    validator(json.dumps(schema)).validate(json.loads(response.content))


@functools.cache
def validator(schema: str) -> Draft202012Validator:
    """It looks through the whole document when it is first asked; the next answer of the kind finds it ready."""
    return Draft202012Validator({**json.loads(schema), "components": strict_document()["components"]})


def operation(method: str, address: str) -> Any:
    path = address.split("?", maxsplit=1)[0].removeprefix("http://testserver")
    for template, methods in strict_document()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            return methods.get(method.lower())
    return None


@functools.cache
def strict_document() -> Any:
    """The document, with every object closed: a field it does not name is an error here."""
    closed = json.loads(json.dumps(openapi_document()))
    for schema in closed["components"]["schemas"].values():
        if schema.get("type") == "object":
            schema["additionalProperties"] = False
    return closed
