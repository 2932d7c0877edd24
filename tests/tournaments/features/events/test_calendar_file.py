"""Calendar files: what RFC 5545 demands of a file, and what a calendar finds in ours."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.factories import a_ladder, a_user
from tests.holding import ROBIN, a_draft, a_running, an_event, an_organiser, play_out
from tests.spaces import a_space
from tests.thorough import budget
from tests.tournaments.web.pages.conftest import signed_in
from tournaments.features.events.calendar_file import folded
from tournaments.features.events.lifecycle import announce, call_off
from tournaments.models import Event

START = datetime(2026, 12, 24, 17, 30, tzinfo=UTC)
Entry = dict[str, str]


def read(answer: bytes) -> list[Entry]:
    """Return the entries of a file, read as a calendar does: unfold, split, unescape."""
    text = answer.decode()
    assert text.endswith("END:VCALENDAR\r\n")
    assert "\n" not in text.replace("\r\n", "")
    assert max(len(line.encode()) for line in text.split("\r\n")) <= 75
    lines = text.replace("\r\n ", "").split("\r\n")
    assert lines[:2] == ["BEGIN:VCALENDAR", "VERSION:2.0"]
    entries: list[Entry] = []
    for line in lines:
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            entries.append({})
        elif entries:
            entries[-1].setdefault(name, unescaped(value))
    return entries


def unescaped(value: str) -> str:
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], value)


def calendar_of(event: Event, client: Client | None = None) -> list[Entry]:
    answer = (client or Client()).get(f"/events/{event.slug}/calendar.ics")
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    return read(answer.content)


@settings(max_examples=budget(50, full=2000), deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=400))
def test_a_folded_line_is_short_and_unfolds_to_itself(line: str) -> None:
    lines = folded(line).split("\r\n")
    assert lines.pop() == ""
    assert all(len(part.encode()) <= 75 for part in lines)
    assert lines[0] + "".join(part.removeprefix(" ") for part in lines[1:]) == line


@pytest.mark.django_db
def test_an_event_has_its_start_its_page_and_texts_as_they_were_typed() -> None:
    title, description = "Cup; of 2026, \\final\\ für alle " + "ä" * 30, "First line,\nsecond; line \\n\u2028third"
    event = an_event([], title=title, description=description, starts_at=START)
    [entry] = calendar_of(event)
    assert (entry["DTSTART"], entry["STATUS"]) == ("20261224T173000Z", "CONFIRMED")
    assert entry["SUMMARY"] == title
    assert entry["DESCRIPTION"] == "Zaibatsu\nFirst line,\nsecond; line \\n\nthird"
    assert entry["URL"] == f"http://127.0.0.1:8000/events/{event.slug}/"
    assert entry["UID"] == f"event-{event.pk}@127.0.0.1"
    assert "DTEND" not in entry


@pytest.mark.django_db
def test_an_event_keeps_its_uid_while_its_time_and_state_change() -> None:
    event = an_event([], starts_at=START, closes_at=START - timedelta(days=1))
    entry, closes = calendar_of(event)
    assert (closes["DTSTART"], closes["SUMMARY"]) == ("20261223T173000Z", f"Registration closes: {event.title}")
    assert closes["UID"] != entry["UID"]
    Event.objects.filter(pk=event.pk).update(starts_at=START + timedelta(hours=1))
    assert [item["DTSTART"] for item in calendar_of(event)] == ["20261224T183000Z", "20261223T173000Z"]
    call_off(event=event, by=an_organiser(), reason="No hall")
    [cancelled] = calendar_of(event)
    assert (cancelled["UID"], cancelled["STATUS"]) == (entry["UID"], "CANCELLED")
    assert cancelled["DTSTAMP"] >= entry["DTSTAMP"]


@pytest.mark.django_db
def test_what_is_over_has_an_end_and_what_has_no_date_no_file() -> None:
    over = play_out(a_running(2, ROBIN))
    Event.objects.filter(pk=over.pk).update(started_at=START, ended_at=START + timedelta(hours=2))
    [entry] = calendar_of(over)
    assert (entry["DTSTART"], entry["DTEND"]) == ("20261224T173000Z", "20261224T193000Z")
    Event.objects.filter(pk=over.pk).update(ended_at=START + timedelta(milliseconds=900))
    assert calendar_of(over)[0]["DTEND"] == "20261224T173001Z"  # an entry may not end when it begins
    undated = an_event([])
    assert Client().get(f"/events/{undated.slug}/calendar.ics").status_code == 404
    assert "calendar.ics" not in Client().get(f"/events/{undated.slug}/").content.decode()


@pytest.mark.django_db
def test_nobody_finds_in_a_calendar_what_they_may_not_see() -> None:
    odette = a_user("odette")
    space = a_space("chess", organiser=odette)
    hidden = a_draft(ladder=a_ladder(players=2, space=space), by=odette, slug="chess-cup", starts_at=START)
    announce(event=hidden, by=odette)
    draft, shown = a_draft(starts_at=START), an_event([], starts_at=START)
    for event in (hidden, draft):
        assert Client().get(f"/events/{event.slug}/calendar.ics").status_code == 404
    assert [entry["UID"] for entry in calendar_of(hidden, signed_in(odette))] == [f"event-{hidden.pk}@127.0.0.1"]
    public, organisers = (read(client.get("/events.ics").content) for client in (Client(), signed_in(odette)))
    assert [entry["SUMMARY"] for entry in public] == [shown.title]
    assert [entry["SUMMARY"] for entry in organisers] == [shown.title, hidden.title]


@pytest.mark.django_db
def test_a_calendar_that_asks_again_is_told_that_nothing_changed() -> None:
    event = an_event([], starts_at=timezone.now() + timedelta(days=3))
    for path in (f"/events/{event.slug}/calendar.ics", "/events.ics"):
        first = Client().get(path)
        again = Client().get(path, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
    Event.objects.filter(pk=event.pk).update(title="Another title")
    assert Client().get("/events.ics", headers={"If-None-Match": first["ETag"]}).status_code == 200
