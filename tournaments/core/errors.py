"""Refusals of a request by a person or a program: a stable code and a sentence that says what would be right."""

from bots.refusals import Refused

__all__ = [
    "PROBLEM",
    "Refused",
    "SchemaError",
    "problem",
]  # the verbs raise Refused; the API and the pages show both parts

PROBLEM = "application/problem+json"  # RFC 9457


class SchemaError(Exception):
    """The database's tables are those of another release. The text says what to do."""


def problem(code: str, detail: str, status: int) -> dict[str, object]:
    """Return a refusal as programs are told of it, after RFC 9457; `code` says the same as `type`, shorter."""
    kind = {"type": f"/docs/api/?code={code}#refusals", "title": code.replace("_", " ").capitalize()}
    return {"code": code, "detail": detail, **kind, "status": status}
