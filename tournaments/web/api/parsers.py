"""Parsing request bodies. Their size is limited before they are read (`tournaments.web.server.body_lengths`)."""

import re
from collections.abc import Mapping
from io import BytesIO
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, JSONParser, MultiPartParser
from rest_framework.renderers import BaseRenderer

from tournaments.core.config.budgets import Budget, declare
from tournaments.core.config.plain_text import cleaned, cleaned_fields, cleaned_query

Context = Mapping[str, Any] | None
STRING = re.compile(rb'"(?:[^"\\]++|\\.?)*+"?', re.DOTALL)  # to the end, if it is not closed: never tried twice
VALUES = declare(
    Budget(
        name="values of a JSON body",
        resource="Requests and pages",
        most=20_000,
        unit="values",
        holder="request to the API",
        where="tournaments.web.api.parsers.check_values",
        sentence="the body may have at most %(most)s values",
    )
)


class Json(JSONParser):
    def parse(self, stream: IO[Any], media_type: str | None = None, parser_context: Context = None) -> Any:
        try:
            sent = stream.read()
            check_values(sent)
            body: Any = super().parse(BytesIO(sent), media_type, parser_context)
            return cleaned_fields(body) if isinstance(body, dict) else cleaned(body)
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error
        except ParseError as error:
            reason = str(error.detail).removeprefix("JSON parse error - ")
            raise ParseError(f"The body must be JSON in UTF-8, and cannot be read: {reason}.") from error


def check_values(sent: bytes) -> None:
    """Raise ParseError for more values than a body may have: each takes far more memory than its signs."""
    if _values(sent) > VALUES.most and _values(STRING.sub(b"", sent)) > VALUES.most:
        raise ParseError(str(VALUES.refusal().detail))


def _values(sent: bytes) -> int:
    return sum(map(sent.count, (b",", b"[", b"{")))


class Form(MultiPartParser):
    """Its files stay as they are."""

    def parse(self, stream: IO[Any], media_type: str | None = None, parser_context: Context = None) -> Any:
        form: Any = super().parse(stream, media_type, parser_context)
        form.data = cleaned_query(form.data)
        return form


class Bytes(BaseParser):
    """The body is the file itself."""

    media_type = "application/octet-stream"

    def parse(self, stream: IO[Any], _media_type: str | None = None, _context: Context = None) -> Any:
        return stream.read()


class Octets(BaseRenderer):
    """Says in negotiation that bytes are offered; the views make such responses themselves."""

    media_type = "application/octet-stream"
    format = "bytes"


class Gzipped(BaseRenderer):
    """Likewise, of files that are packed."""

    media_type = "application/gzip"
    format = "gz"
