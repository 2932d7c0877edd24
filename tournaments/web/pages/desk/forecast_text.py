"""Forecasts in words."""

from tournaments.ledger.matchmaking.forecasts import FIELD, Forecast
from tournaments.web.pages.desk.durations import duration_text
from tournaments.web.pages.sentences import figure, say


def facts_of(known: Forecast) -> list[tuple[str, str]]:
    most = say("At most %(most)s, if every bot used up its clock.", most=duration_text(known.most))
    each = say("%(seats)s matches, one for each seat.", seats=known.seats)
    first = "Waits %(wait)s at most for its first match, where %(field)s bots play."
    return [
        (say("A match"), f"{_usual(known, known.usual)} {most}"),
        (say("A set"), f"{each} {_usual(known, known.set_usual)}"),
        (say("The workers here"), _played(known)),
        (say("A new entry"), say(first, wait=duration_text(known.wait), field=FIELD)),
    ]


def _usual(known: Forecast, seconds: float) -> str:
    if not known.measured:
        return say("The time is not known yet: no such match was played here recently.")
    one = "About %(time)s, by the last one of this game at such tables."
    more = "About %(time)s, by the last %(measured)s of this game at such tables."
    return say(one if known.measured == 1 else more, time=duration_text(seconds), measured=known.measured)


def _played(known: Forecast) -> str:
    if not known.workers:
        return say("No worker is online: sets wait until one is.")
    one, more = (
        "One worker plays %(sets)s, all ladders together.",
        "%(workers)s workers play %(sets)s, all ladders together.",
    )
    about = "about %(number)s sets an hour" if known.measured else "at least %(number)s sets an hour"
    number = figure(f"{known.sets_an_hour:,.0f}")
    if number == "1":
        about = "about 1 set an hour" if known.measured else "at least 1 set an hour"
    sets = say(about, number=number)
    return say(one if known.workers == 1 else more, workers=known.workers, sets=sets)
