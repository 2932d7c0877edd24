"""Galleries: the closest matches, the biggest comebacks and upsets; of a game or all, of this month or all time."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Q
from django.utils import timezone

from bots.viewer.key_moments import percent
from bots.viewer.language import decimal
from engine.sentences import Sentence
from tournaments.core.accounts.spaces import Viewer
from tournaments.core.accounts.visibility import sets_listed_for
from tournaments.models import Highlight, Match, MatchSet
from tournaments.web.pages.match_lists import OVER, ROWS, Page, Row, by_place

Kind = Highlight.Kind
LENGTH = 10  # matches of a gallery
LOOKED_AT = 200  # of which the first are taken that the viewer may see
RATED = Q(set__number__isnull=False, set__status=MatchSet.Status.COMPLETE, set__counts=True)
FACTS = {
    Kind.CLOSEST: "decided by %(value)s of the score",
    Kind.COMEBACK: "came back from a chance of %(value)s",
    Kind.UPSET: "beat a bot rated %(value)s Elo above",
}


class Gallery(NamedTuple):
    kind: Kind
    page: Page


def galleries(viewer: Viewer, game: str, *, of_all_time: bool) -> list[Gallery]:
    """Return those that have something to show. As many queries as there are kinds, and four."""
    of = {"game": game} if game else {}
    of |= {} if of_all_time else {"month": f"{timezone.now():%Y-%m}"}
    values = {kind: dict(_first(kind, of)) for kind in Kind}
    chosen = {match for of_kind in values.values() for match in of_kind}
    matches = {match.pk: match for match in ROWS.filter(sets_listed_for(viewer), RATED, OVER, pk__in=chosen)}
    shelves = {kind: [pk for pk in of_kind if pk in matches][:LENGTH] for kind, of_kind in values.items()}
    return [
        Gallery(kind, Page([_row(matches[pk], kind, values[kind][pk]) for pk in shelf], None, newest=True))
        for kind, shelf in shelves.items()
        if shelf
    ]


def _first(kind: str, of: Mapping[str, str]) -> Sequence[tuple[int, float]]:
    order = ("-value", "match") if kind == Kind.UPSET else ("value", "-match")
    return list(Highlight.objects.filter(kind=kind, **of).order_by(*order).values_list("match", "value")[:LOOKED_AT])


def _row(match: Match, kind: Kind, value: float) -> Row:
    written = {Kind.CLOSEST: decimal(f"{100 * value:.1f} %"), Kind.COMEBACK: percent(value), Kind.UPSET: f"{value:.0f}"}
    tied = kind == Kind.CLOSEST and not value
    fact = Sentence("decided on the tie-break") if tied else Sentence(FACTS[kind], value=written[kind])
    return Row(match, by_place(match), fact=fact)
