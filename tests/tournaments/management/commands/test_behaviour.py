"""What an organiser is shown of seats and favours."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.factories import a_completed_set, a_ladder, a_version, rate
from tournaments.ratings.table_behaviour import FEWEST

pytestmark = pytest.mark.django_db


def test_evidence_names_seats_and_pairs_and_how_often_honest_ladders_show_as_much() -> None:
    ladder, versions = a_ladder("arena", players=3), [a_version() for _ in range(3)]
    for _ in range(FEWEST):
        a_completed_set(ladder, versions)
    rate()
    out = StringIO()
    call_command("behaviour", "arena", stdout=out)
    assert f"{FEWEST} sets" in out.getvalue()
    assert "2 of 3" in out.getvalue()
    assert out.getvalue().count("gift") == 6
    assert "%" in out.getvalue().splitlines()[-1]


def test_without_a_ladder_or_a_set_there_is_nothing_to_say() -> None:
    with pytest.raises(CommandError, match="there is no ladder 'nowhere'"):
        call_command("behaviour", "nowhere")
    a_ladder("new")
    with pytest.raises(CommandError, match="no set of New is rated yet"):
        call_command("behaviour", "new")
