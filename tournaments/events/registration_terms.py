"""Checks an event's registration times and places."""

from tournaments.errors import Refused
from tournaments.models import Entrant, Event


def check_registration(event: Event) -> None:
    """Raises Refused: bad_closes_at, bad_check_in, bad_places."""
    opens, closes, starts = event.opens_at, event.closes_at, event.starts_at
    if opens and closes and closes <= opens:
        raise Refused("bad_closes_at", "registration would close before it opens; name a later end")
    if closes and starts and closes > starts:
        raise Refused("bad_closes_at", "registration would close after the start; it ends by itself then")
    if opens and starts and starts <= opens:
        raise Refused("bad_opens_at", "registration would open after the start; name an earlier time")
    if event.check_in_minutes and not starts:
        raise Refused("bad_check_in", "check-in is the time before the start; name a start, or put it at 0 minutes")
    _check_places(event)


def _check_places(event: Event) -> None:
    if event.places is None or not event.pk:
        return
    playing = event.entrants.filter(status=Entrant.Status.PLAYING).count()
    if event.places < playing:
        raise Refused(
            "bad_places",
            "1 bot has a place already; name 1 or more, or disqualify it first"
            if playing == 1
            else "%(playing)s bots have a place already; name %(playing)s or more, or disqualify some first",
            playing=playing,
        )
