"""What a report says, in the reader's language: of each check its definition, today's value, and what it cannot find.

Names of checks, states and values are those of `tournaments.ratings.fairness`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, gettext_noop, ngettext

from bots.viewer.language import decimal
from tournaments.models import FairnessReport
from tournaments.ratings.fairness import ABSENT, FOUND, OK, SKIPPED, WAITS
from tournaments.web.pages.sentences import chance, say


@dataclass(frozen=True, slots=True)
class Texts:
    """Of a check, in English. `today` and `needs` are filled in with its values, and with what it needs."""

    title: str
    definition: str
    today: str
    needs: str
    blind: str


@dataclass(frozen=True, slots=True)
class CheckRow:
    texts: Texts
    state: str
    is_found: bool
    is_fine: bool
    today: str
    needs: str


HALVES = gettext_noop("%(needs)s versions with 8 sets in each half")
APART = gettext_noop("%(apart)s Elo apart, %(expected)s expected; by luck as much in %(chance)s")
TEXTS: Mapping[str, Texts] = {
    "deals": Texts(
        gettext_noop("Every deal counted"),
        gettext_noop("Set numbers and links of the seed chain have no gaps: nothing was dealt and dropped."),
        gettext_noop(
            "Rated: %(rated)s. Under way: %(open)s. Of disqualified bots: %(removed)s. Voided: %(void)s. "
            "Missing: %(missing)s; links without a set: %(links)s."
        ),
        gettext_noop("any set"),
        gettext_noop("Results that are false, which replays show; a set dropped before anything was dealt."),
    ),
    "seats": Texts(
        gettext_noop("Every seat alike"),
        gettext_noop("Each version sat equally often in every seat, at tables of each size."),
        gettext_noop("Versions: %(versions)s. Seated unevenly: %(uneven)s."),
        gettext_noop("any set"),
        gettext_noop("Who meets whom, and what a deal was worth."),
    ),
    "refit": Texts(
        gettext_noop("Fitted again"),
        gettext_noop(
            "A script that shares no line with the site computes the table from the ledger: every digit is the same."
        ),
        gettext_noop("Lines: %(lines)s. Different: %(wrong)s."),
        gettext_noop("at most 200 versions and 20,000 sets"),
        gettext_noop("A ledger that is false, or rules that are."),
    ),
    "foretold": Texts(
        gettext_noop("Foretold and happened"),
        gettext_noop(
            "Ratings of all earlier sets foretell each tenth of the sets; a set counts once. 1 is a true scale."
        ),
        gettext_noop("%(slope)s, known within %(within)s"),
        gettext_noop("%(needs)s foretold sets"),
        gettext_noop("A scale that is off by less than a tenth; faults that strength does not change."),
    ),
    "halves": Texts(
        gettext_noop("Two halves"),
        gettext_noop("Ratings by sets of even and of odd numbers differ no more than their errors say (chi-square)."),
        APART,
        HALVES,
        gettext_noop("Whatever is in both halves: a bot that is favoured everywhere."),
    ),
    "times": Texts(
        gettext_noop("Earlier and later"),
        gettext_noop("The same for the first and the second half of the sets: no version changes in time."),
        APART,
        HALVES,
        gettext_noop("What was so from the first set on; gains that all share."),
    ),
    "gate": Texts(
        gettext_noop("The gate against itself"),
        gettext_noop(
            "Two that met in this ladder, their names exchanged by lot, are equals: it accepts one in 18 at most."
        ),
        gettext_noop("Accepted: %(accepted)s of %(trials)s; by luck at most %(most)s"),
        gettext_noop("%(needs)s sets"),
        gettext_noop("Trials that are played otherwise than the ladder."),
    ),
    "twins": Texts(
        gettext_noop("Placebo twins"),
        gettext_noop(
            "The house enters one bot under two names, fixed in the log and revealed when the ladder closes: it is "
            "rated alike under both. Neither takes a prize."
        ),
        gettext_noop("%(apart)s Elo apart, with an error of %(error)s; by luck at most %(most)s"),
        gettext_noop("revealed twins, with %(needs)s sets each"),
        gettext_noop("Favours for other bots; whoever compares answers may know the twins before."),
    ),
}


def verdict_on(report: FairnessReport) -> str:
    """Return the sentence that the page begins with."""
    states = [check["state"] for check in report.checks]
    alarms, waiting = states.count(FOUND), states.count(WAITS)
    found = ngettext(
        "Checks that found something in %(sets)s set: %(found)s.",
        "Checks that found something in %(sets)s sets: %(found)s.",
        report.sets,
    )
    nothing = ngettext("Nothing found in %(sets)s set.", "Nothing found in %(sets)s sets.", report.sets)
    begins = (found if alarms else nothing) % {"sets": report.sets, "found": alarms}
    return f"{begins} {say('Checks that need more games: %(waiting)s.', waiting=waiting)}" if waiting else begins


def check_row(check: Mapping[str, Any]) -> CheckRow:
    texts, state, needs = TEXTS[check["name"]], check["state"], check["needs"]
    states = {
        OK: say("nothing found"),
        FOUND: say("found something"),
        WAITS: say("needs more games"),
        SKIPPED: say("too large"),
        ABSENT: say("none revealed"),
    }
    today = {WAITS: say("%(has)s so far", has=check["has"]), SKIPPED: "", ABSENT: ""}.get(state)
    if today is None:
        today = gettext(texts.today) % {name: _shown(name, value) for name, value in check["values"].items()}
    return CheckRow(texts, states[state], state == FOUND, state == OK, today, gettext(texts.needs) % {"needs": needs})


def _shown(name: str, value: Any) -> object:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "–"
    if name == "chance":
        return chance(value)
    digits = {"slope": 2, "within": 2}.get(name, 0)
    return decimal(f"{value:.{digits}f}") if isinstance(value, float) else value
