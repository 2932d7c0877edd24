"""The personal parts of a page, and their places on the cached page that is the same for everyone.

The front (`tournaments.web.server.own_parts`) asks for one of two things besides whole pages: a visitor's page and
where its parts stand, or the parts alone as they are for the person who asks. It joins them.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template import Engine, RequestContext, Template

from tournaments.web.server.own_parts import HOLES_HEADER, LENGTHS_HEADER, Hole, holes_told, lengths_told

IN_SPACE = "in_space"  # in a context: the id of the space in which the page is, and which the person sees
HEAD = "_account.html"  # stands on every page
Context = dict[str, Any]
Own = Callable[..., Context | None]
View = Callable[..., HttpResponse]


def with_own(own: Own, *names: str) -> Callable[[View], View]:
    """Declare a page to be the visitors' but for these templates.
    `own` gets what the view gets, and returns what they show; None for a person whose page differs in more."""

    def declare(view: View) -> View:
        view.own, view.parts = own, (HEAD, *names)  # type: ignore[attr-defined]
        return view

    return declare


def nothing_else(*_: object, **__: object) -> Context:
    """Return an empty context, for pages on which the head alone is a person's own."""
    return {}


@dataclass(frozen=True, slots=True)
class Marks:
    """Around the parts of one page. Nobody who writes what the page shows knows the word."""

    word: str = field(default_factory=lambda: token_hex(16))

    def around(self, name: str, text: str) -> str:
        return f"<{self.word} {name}>{text}</{self.word} {name}>"

    def taken_out(self, page: bytes) -> tuple[bytes, list[Hole]]:
        """The page without marks, and where its parts stand."""
        clean, holes, begun = bytearray(), [], 0
        for piece in re.split(rb"(</?%s [\w.]+>)" % self.word.encode(), page):
            if not piece.startswith((b"<%s " % self.word.encode(), b"</%s " % self.word.encode())):
                clean += piece
            elif piece.startswith(b"</"):
                holes.append(Hole(piece.split()[1][:-1].decode(), begun, len(clean)))
            else:
                begun = len(clean)
        return bytes(clean), holes


def marks_of_request(request: HttpRequest | None) -> Marks | None:
    return getattr(request, "marks", None)


def take_out_marks(request: HttpRequest, response: HttpResponse) -> None:
    """Leaves the page as visitors see it, and tells the front where its parts stand."""
    if marks := marks_of_request(request):
        response.content, holes = marks.taken_out(response.content)
        response.headers[HOLES_HEADER] = holes_told(holes)


def parts_alone(request: HttpRequest, names: Sequence[str], context: Mapping[str, Any]) -> HttpResponse:
    """Return the parts, drawn in one context: what templates ask of the request, such as its token, is made once."""
    within = RequestContext(request, dict(context))
    templates = [Engine.get_default().get_template(each) for each in names]
    with within.bind_template(templates[0]):
        texts = [rendered_part(template, within).encode() for template in templates]
    lengths = {name: len(text) for name, text in zip(names, texts, strict=True)}
    return HttpResponse(b"".join(texts), headers={LENGTHS_HEADER: lengths_told(lengths)})


def rendered_part(template: Template, context: RequestContext) -> str:
    with context.push():
        return template.render(context)
