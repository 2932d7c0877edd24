"""Pages for signed-in people: the page cached for visitors, with the person's own parts inserted.

Django decides for each request whether this person's page is the visitors' but for these parts, and makes the parts
alone; if it is not sure, it makes the whole page, as usual. The page that they are put into was asked for without the
person's cookies, or anything else that names a person: nothing of somebody can be in it.

What is in a space is kept as its members see it, beside what visitors see, and goes only to those of whom Django has
just said, with their parts, that they see the space.

Three headers say what an answer holds; no client sees them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tournaments.web.server.asgi_types import Headers, Scope, header
from tournaments.web.server.languages import language_of_request

WANTS = "boardroom.wants"  # in the scope, and in Django's environment, where no header of a client can stand
SPACE = "boardroom.space"  # likewise: the page is asked for as the members of that space see it
HOLES, OWN = "holes", "own"
NAMED = frozenset({b"host", b"x-forwarded-proto", b"x-forwarded-for", b"forwarded", b"cache-control", b"pragma"})

HOLES_HEADER, LENGTHS_HEADER, FORGET_HEADER = "Boardroom-Holes", "Boardroom-Own", "Boardroom-Forget"
SPACE_HEADER = "Boardroom-Space"
INTERNAL = frozenset(name.lower().encode() for name in (HOLES_HEADER, LENGTHS_HEADER, FORGET_HEADER, SPACE_HEADER))


class Hole(NamedTuple):
    """Where a part stands in a page, in bytes."""

    name: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Parts:
    """What Django has made for one person: the headers of the answer, and each part by its name."""

    headers: Headers
    texts: Mapping[str, bytes]

    def put_into(self, page: bytes, holes: Iterable[Hole]) -> bytes | None:
        """Return the whole page; None if the parts are not those of the page."""
        pieces, position, names = [], 0, []
        for hole in holes:
            pieces += [page[position : hole.begin], self.texts.get(hole.name, b"")]
            position = hole.end
            names.append(hole.name)
        return b"".join([*pieces, page[position:]]) if sorted(names) == sorted(self.texts) else None


def holes_told(holes: Iterable[Hole]) -> str:
    return ",".join(f"{hole.name} {hole.begin} {hole.end}" for hole in holes)


def holes_of(headers: Headers) -> tuple[Hole, ...]:
    text = header(headers, HOLES_HEADER.lower().encode()).decode()
    split = (hole.split() for hole in text.split(",") if hole)
    return tuple(Hole(name, int(begin), int(end)) for name, begin, end in split)


def lengths_told(lengths: Mapping[str, int]) -> str:
    return ",".join(f"{name} {length}" for name, length in lengths.items())


def parts_of_answer(headers: Headers, body: bytes) -> Parts | None:
    """Return the parts of an answer; None if it is a whole page."""
    lengths = header(headers, LENGTHS_HEADER.lower().encode()).decode()
    texts, position = {}, 0
    for name, length in (entry.split() for entry in lengths.split(",") if entry):
        texts[name], position = body[position : position + int(length)], position + int(length)
    return Parts(public_headers(headers), texts) if texts else None


def public_headers(headers: Headers) -> Headers:
    return [pair for pair in headers if pair[0] not in INTERNAL]


def wanting(scope: Scope, what: str) -> Scope:
    return {**scope, WANTS: what}


def space_of_parts(headers: Headers) -> str:
    """The id of the space in which the page is that the parts belong to; "" for a page of the site itself."""
    return header(headers, SPACE_HEADER.lower().encode()).decode()


def as_visitor(scope: Scope, space: str = "") -> Scope:
    """Return the request without anything that names a person: these headers alone, and its language."""
    all_headers = scope["headers"]
    language = language_of_request(header(all_headers, b"cookie"), header(all_headers, b"accept-language"))
    headers = [*(pair for pair in all_headers if pair[0] in NAMED), (b"accept-language", language)]
    return {**scope, "headers": headers, SPACE: space}
