"""Addresses of the pages and endpoints of events."""

from tournaments.core.config.routes import routes_of
from tournaments.web.pages.methods import form, seen
from tournaments.web.pages.public_cache import cached_for_public

page = routes_of("tournaments.features.events")
endpoint = routes_of("tournaments.features.events.api")

PAGES = (
    page("events/", "pages.events_page", cached_for_public, name="events"),
    page("events/<slug:slug>/", "pages.event_page", cached_for_public, name="event"),
    page("events.ics", "calendar_file.all_events_calendar", seen, name="events-calendar"),
    page("events/<slug:slug>/calendar.ics", "calendar_file.event_calendar", seen, name="event-calendar"),
    page("events/<slug:slug>/placings.csv", "csv_files.placings", seen, name="placings-csv"),
    page("events/<slug:slug>/matches.csv", "csv_files.matches_csv", seen, name="event-matches-csv"),
    page("events/<slug:slug>/register/", "pages.register_bot", name="event-register"),
    page("events/<slug:slug>/decline/", "pages.decline_invitation", name="event-decline"),
    page("entrants/<int:number>/check-in/", "pages.check_in_entrant", name="entrant-check-in"),
    page("entrants/<int:number>/withdraw/", "pages.withdraw_entrant", name="entrant-withdraw"),
    page("desk/new-event/", "desk.new_event", form, name="desk-new-event"),
    page("desk/events/<slug:slug>/", "desk.event_desk", seen, name="desk-event"),
    page("desk/events/<slug:slug>/reveal/", "reveal.reveal", seen, name="desk-reveal"),
    page("desk/events/<slug:slug>/webhooks/", "desk.event_webhooks", form, name="event-webhooks"),
    page("desk/events/<slug:slug>/edit/", "desk.edit_event", form, name="desk-edit-event"),
)
ENDPOINTS = (
    endpoint("events", "Events", name="events"),
    endpoint("events/<slug:slug>", "OneEvent", name="event"),
    endpoint("events/<slug:slug>/plan", "OnePlan", name="plan"),
    endpoint("events/<slug:slug>/entrants", "Entrants", name="entrants"),
    endpoint("events/<slug:slug>/decline", "Decline", name="event-decline"),
    endpoint("events/<slug:slug>/entrants/<int:entrant>/check-in", "CheckIn", name="check-in"),
    endpoint("events/<slug:slug>/entrants/<int:entrant>", "OneEntrant", name="entrant"),
)
