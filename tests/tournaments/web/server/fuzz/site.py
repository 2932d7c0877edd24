"""A site with something on it: a ladder, a match, and a log that is long to download."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.factories import a_completed_set, a_ladder, a_version
from tests.tournaments.web.server.fuzz.crowd import PAGES
from tests.tournaments.web.server.stand import a_stand
from tournaments.audit.log import PLATFORM, append

ENTRIES = 200


def fill(entries: int = ENTRIES) -> None:
    ladder = a_ladder("main", players=2)
    a_completed_set(ladder, [a_version(), a_version()])
    for number in range(entries):
        append(kind="note", by=PLATFORM, subject=number, detail={"texts": ["x" * 2_000] * 24})  # a longer text is cut


@contextmanager
def a_site() -> Iterator[int]:
    fill()
    with a_stand() as stand:
        for page in PAGES:
            stand.ask(page)  # the first time takes longest, whoever else asks
        yield stand.port
