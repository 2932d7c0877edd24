"""What an event is drafted with, and that an event of an earlier edition keeps what it has."""

from typing import Any

import pytest

from bots.formats.settings import Groups, Knockout, RoundRobin, Swiss
from tests.factories import a_ladder
from tests.holding import a_draft, an_event, an_organiser, fresh
from tournaments.core.errors import Refused
from tournaments.features.events.draft_actions import EditEvent
from tournaments.features.events.event_format import format_of
from tournaments.models import Event

pytestmark = pytest.mark.django_db
OLD: dict[str, Any] = {"t": "knockout", "seats": 2, "fewest": 0, "lives": 1, "advance": 0, "sets": [1], "extra": 3}


def of_before(event: Event) -> Event:
    """The event as the release before stored it."""
    Event.objects.filter(pk=event.pk).update(spec=OLD)
    return fresh(event)


def edit(event: Event, spec: dict[str, Any], **changes: Any) -> Event:
    fields = {"slug": event.slug, "title": event.title, "ladder": event.ladder, "staged": False, **changes}
    EditEvent(event=event, format=spec, **fields).do(by=an_organiser(), reason="Why not?")
    return fresh(event)


def test_a_draft_has_the_smallest_tables_that_its_game_allows() -> None:
    event = a_draft({"t": "round_robin", "seats": 4}, ladder=a_ladder())
    assert format_of(event) == RoundRobin(4, fewest=event.spec["fewest"])
    assert event.spec["fewest"] < 4
    full = a_draft({"t": "round_robin", "seats": 4, "fewest": 4}, ladder=a_ladder())
    assert full.spec["fewest"] == 4


def test_an_event_of_before_is_of_the_first_edition_and_is_played_to_its_end() -> None:
    event = of_before(an_event([]))
    assert format_of(event) == Knockout(edition=1, owners_apart=False)


@pytest.mark.parametrize("spec", [OLD, {"t": "knockout"}])
def test_the_title_of_an_announced_event_of_before_changes_and_its_format_does_not(spec: dict[str, Any]) -> None:
    event = edit(of_before(an_event([])), spec, title="A new name")
    assert (event.title, event.spec) == ("A new name", OLD)


def test_the_format_of_an_announced_event_of_before_stays() -> None:
    with pytest.raises(Refused) as caught:
        edit(of_before(an_event([])), {**OLD, "bracket": "fixed"})
    assert caught.value.code == "announced"


def test_a_draft_that_is_given_another_format_is_of_the_latest_edition() -> None:
    event = edit(of_before(a_draft()), {"t": "swiss", "rounds": 2})
    assert format_of(event) == Swiss(rounds=2, fewest=2)


def test_what_cannot_be_is_refused_when_it_is_drafted() -> None:
    for spec in ({"lives": 2, "third_place": True}, {"seats": 3, "third_place": True}):
        with pytest.raises(Refused) as caught:
            a_draft({"t": "knockout", **spec}, ladder=a_ladder())
        assert caught.value.code == "bad_third_place"


def test_groups_end_in_a_fixed_bracket() -> None:
    fixed = {"t": "knockout", "bracket": "fixed", "third_place": True}
    spec = {"t": "groups", "groups": 2, "qualify": 2, "first": {"t": "round_robin"}, "then": fixed}
    event = a_draft(spec)
    assert format_of(event) == Groups(2, 2, RoundRobin(fewest=2), Knockout(fewest=2, bracket="fixed", third_place=True))
