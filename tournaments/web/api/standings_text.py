"""A ladder's standings as JSON, whose lines are kept as text while their inputs are unchanged.

Ten thousand lines of 28 fields take most of a second to make, and are requested repeatedly between two folds. The
database is asked each time whether they are still valid (`ladders.standings_lines`): no answer is older than that.
"""

from typing import Any

from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.ladders.standings_lines import Inputs, inputs_of
from tournaments.models import Ladder
from tournaments.web.api.base import show
from tournaments.web.api.shapes.ladders import StandingShape, StandingsShape

MOST_BYTES = 32 << 20  # of all that is kept
NONE = b'"standings":[]'  # where the lines stand in the rest

kept: dict[int, tuple[Inputs, bytes]] = {}  # by ladder; who was asked for last comes last


def standings_text(ladder: Ladder, beside: dict[str, Any], request: Request) -> bytes:
    """The same bytes as if all of it was rendered at once. `beside`: the rest of the answer, made each time."""
    rest = {"ladder": ladder.slug, "standings": [], **beside}
    text: bytes = JSONRenderer().render(show(StandingsShape, rest, request))
    return text.replace(NONE, b'"standings":' + cached_standings_lines(ladder), 1)


def cached_standings_lines(ladder: Ladder) -> bytes:
    known, inputs = kept.pop(ladder.pk, None), inputs_of(ladder)
    text = known[1] if known and known[0] == inputs else None
    if text is None:
        text = JSONRenderer().render(StandingShape(standings(ladder), many=True).data)
        if inputs != inputs_of(ladder):  # it may be made of both
            return text
    _keep(ladder, inputs, text)
    return text


def _keep(ladder: Ladder, inputs: Inputs, text: bytes) -> None:
    kept[ladder.pk] = inputs, text
    while sum(len(lines) for _, lines in list(kept.values())) > MOST_BYTES:
        kept.pop(next(iter(kept)), None)
