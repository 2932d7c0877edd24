"""The OpenAPI document says of every address which refusals it may answer with."""

from collections.abc import Iterable
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers

from tournaments.core.errors import PROBLEM
from tournaments.web.api.authentication import SignedIn, SignedInOrWorker, SignedInToWrite, WorkerAuthentication
from tournaments.web.api.exceptions import STATUS
from tournaments.web.api.shapes.shape import Problem

SAYS = {
    400: "The query or the body is wrong; `code` says how.",
    401: "Nobody is signed in, or the token is unknown.",
    403: "That belongs to somebody else.",
    404: "There is no such thing.",
    406: "The Accept header allows nothing that is offered.",
    408: "The body came too slowly; send it again.",
    409: "Its state does not allow that.",
    410: "That is over, and does not come back.",
    413: "The body is too large.",
    415: "The Content-Type of the body is not taken.",
    429: "Too many requests; Retry-After says when to come back.",
    500: "Something failed on our side.",
    503: "Try again in a minute.",
}


PARTLY = (Problem.__name__,)  # its `fields` are there where fields are wrong


class Schema(AutoSchema):
    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for status in self.refusals():
            if str(status) not in bodies:
                codes = f" Codes: {', '.join(STATUS[status])}." if status in STATUS else ""
                refusal = OpenApiResponse(Problem, SAYS[status] + codes)
                bodies[str(status)] = self._get_response_for_code(  # type: ignore[no-untyped-call]
                    refusal, str(status), [PROBLEM]
                )
        return bodies

    def refusals(self) -> Iterable[int]:
        yield from (400, 401, 404, 406, 413, 429, 500, 503)  # filters and bodies name things too
        if self.method != "GET" or "/spaces/" in self.path:
            yield from (403, 409)
        if self.method in ("POST", "PATCH"):
            yield from (408, 415)
        if self.path.endswith(("/replay", "/proof", "/plan", "/notes", "/season")):
            yield 409
        if self.path.endswith("/alike"):
            yield 403
        if "bundles" in self.path:
            yield from (403, 410)

    def get_auth(self) -> list[dict[str, list[str]]]:
        """Return the ways to authenticate, with `{}` among them where nobody in particular may ask too."""
        auth: list[dict[str, list[str]]] = super().get_auth()
        kinds = {type(permission) for permission in self.view.get_permissions()}
        closed = kinds & {SignedIn, SignedInOrWorker} or (SignedInToWrite in kinds and self.method != "GET")
        return auth if closed or {} in auth else [*auth, {}]

    def get_operation_id(self) -> str:
        """Such as get_bots_bot_versions: unique, as paths are."""
        parts = self.path.removeprefix("/api/v1").strip("/").replace("{", "").replace("}", "")
        return f"{self.method.lower()}_{parts.replace('/', '_') or 'index'}"

    def get_serializer_name(self, serializer: Any, _direction: Any) -> str:
        return type(serializer).__name__.removesuffix("Shape").removesuffix("Body")

    def get_tags(self) -> list[str]:
        if any(isinstance(kind, WorkerAuthentication) for kind in self.view.get_authenticators()):
            return ["workers"]
        return self._tokenize_path()[:1] or ["index"]


def answers_whole(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Require all that answers hold; what may be left out of a body has its default in the tables.
    Without this the clients made of the document would have to ask of each field whether it is there."""
    for name, schema in result["components"]["schemas"].items():
        if not name.endswith("Request") and name not in PARTLY and "properties" in schema:
            schema["required"] = sorted(schema["properties"])
    return result


def list_shape(shape: type[serializers.Serializer[Any]]) -> type[serializers.Serializer[Any]]:
    """A page of a list, for the document."""
    fields = {
        "results": shape(many=True),
        "next": serializers.URLField(allow_null=True, help_text="The address of the next page; null on the last."),
    }
    return type(shape.__name__.replace("Shape", "Page"), (serializers.Serializer,), fields)
