"""Forecasts in words."""

from tournaments.features.events.preview import Outlook
from tournaments.formats.simulation import Expectation
from tournaments.matchmaking.forecasts import FIELD, Forecast
from tournaments.pages.desk.durations import span
from tournaments.pages.sentences import say


def facts_of(known: Forecast) -> list[tuple[str, str]]:
    most = say("At most %(most)s, if every bot used up its clock.", most=span(known.most))
    each = say("%(seats)s matches, one for each seat.", seats=known.seats)
    first = "Waits %(wait)s at most for its first match, where %(field)s bots play."
    return [
        (say("A match"), f"{_usual(known, known.usual)} {most}"),
        (say("A set"), f"{each} {_usual(known, known.set_usual)}"),
        (say("The workers here"), _played(known)),
        (say("A new entry"), say(first, wait=span(known.wait), field=FIELD)),
    ]


def _usual(known: Forecast, seconds: float) -> str:
    if not known.measured:
        return say("The time is not known yet: no such match was played here recently.")
    one = "About %(time)s, by the last one of this game at such tables."
    more = "About %(time)s, by the last %(measured)s of this game at such tables."
    return say(one if known.measured == 1 else more, time=span(seconds), measured=known.measured)


def _played(known: Forecast) -> str:
    if not known.workers:
        return say("No worker is online: sets wait until one is.")
    one, more = (
        "One worker plays %(sets)s, all ladders together.",
        "%(workers)s workers play %(sets)s, all ladders together.",
    )
    about = "about %(number)s sets an hour" if known.measured else "at least %(number)s sets an hour"
    number = f"{known.sets_an_hour:,.0f}"
    if number == "1":
        about = "about 1 set an hour" if known.measured else "at least 1 set an hour"
    sets = say(about, number=number)
    return say(one if known.workers == 1 else more, workers=known.workers, sets=sets)


def outlook_facts(seen: Outlook) -> list[tuple[str, str]]:
    clock = "%(time)s, at most, by the clock: none was played here recently."
    by = "%(time)s, by the last ones at such tables." if seen.measured else clock
    match = (say("A match"), say(by, time=span(60 * seen.minutes)))
    if seen.rehearsal is None:
        most = "%(sets)s sets at most. That is too much to simulate here; `manage.py rehearse` can."
        return [match, (say("In all"), say(most, sets=f"{seen.most_sets:,}"))]
    sure = seen.rehearsal
    best, pm = f"{100 * sure.best_wins:.0f}", f"{100 * sure.best_wins_pm:.0f}"
    return [
        match,
        (say("In all"), _in_all(sure)),
        (say("It takes"), _takes(span(3600 * sure.hours), seen.workers)),
        (say("The best wins"), say("%(best)s %% of the time, ± %(pm)s.", best=best, pm=pm)),
    ]


def _in_all(sure: Expectation) -> str:
    return say(
        "1 round, %(sets)s sets, %(matches)s matches; rehearsed %(times)s."
        if sure.rounds == 1
        else "%(rounds)s rounds, %(sets)s sets, %(matches)s matches; rehearsed %(times)s.",
        rounds=_about(sure.rounds),
        sets=_about(sure.sets),
        matches=_about(sure.matches),
        times=say("once") if sure.events == 1 else say("%(number)s times", number=sure.events),
    )


def _takes(time: str, workers: int) -> str:
    one, more = (
        "%(time)s with one worker and nothing else to play.",
        "%(time)s with %(workers)s workers and nothing else to play.",
    )
    return say(one if workers == 1 else more, time=time, workers=workers)


def _about(number: float) -> str:
    whole = f"{number:,.0f}"
    return whole if abs(number - round(number)) < 0.05 else say("about %(number)s", number=whole)
