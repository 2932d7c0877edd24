"""What the live page and the home page say of a match besides its board."""

import pytest

from tests.factories import a_completed_set, a_ladder, a_version
from tournaments.models import Match, Seat
from tournaments.web.pages.live import Showing, show_match

pytestmark = pytest.mark.django_db


def shown(match: Match, *places: int | None) -> Showing:
    for number, place in enumerate(places):
        Seat.objects.filter(match=match, number=number).update(place=place)
    showing = show_match(Match.objects.get(pk=match.pk))
    assert showing
    return showing


def test_of_a_match_that_is_over_nobody_leads() -> None:
    """The last answer may be seen before its result is recorded: then the game's own last words stand there."""
    match = a_completed_set(a_ladder(players=3), [a_version() for _ in range(3)]).matches.get(turn=0)
    names = shown(match).still.names
    assert shown(match, 2, 1, 3).lead == f"{names[1]} wins."
    assert shown(match, 1, 3, 1).lead == f"{names[0]} and {names[2]} share the win."
    unknown = shown(match, None, None, None)
    assert unknown.lead == unknown.told == unknown.still.sentence
    assert "leads" not in unknown.lead
    unknown.still.to_answer.append(0)
    assert "lead" in unknown.lead
