"""Finds the practice game that an address names."""

from django.http import Http404, HttpRequest

from tournaments.accounts.spaces import open_to
from tournaments.features.practice.seats import at_tables_of
from tournaments.models import Practice
from tournaments.pages.sentences import say
from tournaments.pages.who_asks import signed_in


def practice_or_404(number: int, request: HttpRequest) -> Practice:
    """Return a practice game of one's own, or at whose table one sits; to everybody else it does not exist."""
    rows = Practice.objects.select_related("ladder", "owner", "match").filter(
        at_tables_of(signed_in(request)), open_to(request.user, "ladder__space"), pk=number
    )
    if (practice := rows.first()) is None:
        raise Http404(say("There is no game %(number)s of yours.", number=number))
    return practice
