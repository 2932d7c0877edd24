"""Forecasts in words."""

from tournaments.matchmaking.forecasts import FIELD, Forecast
from tournaments.pages.desk.durations import span
from tournaments.pages.desk.event_preview import Outlook


def facts_of(known: Forecast) -> list[tuple[str, str]]:
    return [
        ("A match", f"{_usual(known, known.usual)} At most {span(known.most)}, if every bot used up its clock."),
        ("A set", f"{known.seats} matches, one for each seat. {_usual(known, known.set_usual)}"),
        ("The workers here", _played(known)),
        ("A new entry", f"Waits {span(known.wait)} at most for its first match, where {FIELD} bots play."),
    ]


def _usual(known: Forecast, seconds: float) -> str:
    if not known.measured:
        return "The time is not known yet: no such match was played here recently."
    matches = "the last one" if known.measured == 1 else f"the last {known.measured}"
    return f"About {span(seconds)}, by {matches} of this game at such tables."


def _played(known: Forecast) -> str:
    if not known.workers:
        return "No worker is online: sets wait until one is."
    who = "One worker plays" if known.workers == 1 else f"{known.workers} workers play"
    if not known.measured:
        return f"{who} at least {known.sets_an_hour:,.0f} sets an hour, all ladders together."
    return f"{who} about {known.sets_an_hour:,.0f} sets an hour, all ladders together."


def outlook_facts(seen: Outlook) -> list[tuple[str, str]]:
    by = "by the last ones at such tables" if seen.measured else "at most, by the clock: none was played here recently"
    match = ("A match", f"{span(60 * seen.minutes)}, {by}.")
    if seen.rehearsal is None:
        most = f"{seen.most_sets:,} sets at most. That is too much to simulate here; `manage.py rehearse` can."
        return [match, ("In all", most)]
    sure, known = seen.rehearsal, f"rehearsed {_times(seen.rehearsal.events)}"
    return [
        match,
        ("In all", f"{_about(sure.rounds)} rounds, {_about(sure.sets)} sets, {_about(sure.matches)} matches; {known}."),
        ("It takes", f"{span(3600 * sure.hours)} with {_workers(seen.workers)} and nothing else to play."),
        ("The best wins", f"{100 * sure.best_wins:.0f} % of the time, ± {100 * sure.best_wins_pm:.0f}."),
    ]


def _about(number: float) -> str:
    return f"{number:,.0f}" if abs(number - round(number)) < 0.05 else f"about {number:,.0f}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _workers(number: int) -> str:
    return "one worker" if number == 1 else f"{number} workers"
