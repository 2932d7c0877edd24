"""A trial: the progress of the test, its sets, and the consequence on the ladder."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from bots.sequential_test import INFORMATION, LEAST, MOST, NAMED, Evidence, SequentialTest, elo_of
from bots.viewer.language import decimal
from tournaments.core.accounts.spaces import open_to
from tournaments.features.trials.chart import curve
from tournaments.features.trials.evidence import evidence_of, test_of
from tournaments.features.trials.forecast import Forecast, forecast_trial, forecasts
from tournaments.features.trials.rules import ladder_for
from tournaments.ledger.ladders.repeats import repeats_in_trial
from tournaments.models import Bot, Trial
from tournaments.models.trials import RULE
from tournaments.web.pages.desk.durations import duration_text
from tournaments.web.pages.lookup import row_or_404
from tournaments.web.pages.sentences import say

BAR = 200  # the width of the longest
NO_BREAK = "\u00a0"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Sets of one kind: how many of its games the candidate took from the champion, a tie being half."""

    took: str
    sets: int
    width: float


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a version that is so much stronger takes from the champion."""

    elo: float
    share: float


def trial_page(request: HttpRequest, number: int) -> HttpResponse:
    seen = Trial.objects.filter(open_to(request.user, "ladder__space"), pk=number)
    rows = seen.select_related("ladder", "candidate__bot", "champion")
    trial = row_or_404(rows, say("There is no trial %(number)s.", number=number))
    return render(request, "trials/trial.html", trial_context(trial))


def trial_context(trial: Trial) -> dict[str, object]:
    """Return what the page of a trial shows."""
    evidence, under_way = evidence_of(trial), trial.status == Trial.Status.RUNNING
    low, high = evidence.interval
    return {
        "trial": trial,
        "bot": trial.candidate.bot,
        "under_way": under_way,
        "owner_decides": trial.candidate.bot.gate == Bot.Gate.ASK,
        "evidence": evidence,
        "chart": curve(evidence),
        "outcomes": sets_by_outcome(evidence),
        "elo": {"at": elo_of(evidence.mean), "low": elo_of(low), "high": elo_of(high)},
        "bounds": expectations(test_of(trial)),
        "takes": cost_in_words(forecast_trial(trial.ladder, test_of(trial))) if under_way else "",
        "repeats": repeats_in_trial(trial),
        "voided": not under_way and trial.rule == RULE and evidence.sets < trial.played,
        "information": INFORMATION,
        "least": LEAST,
        "most": MOST,
    }


def expectations(test: SequentialTest) -> list[Expectation]:
    return [Expectation(elo, share) for elo, share in zip((test.elo0, test.elo1), test.shares, strict=True)]


def sets_by_outcome(evidence: Evidence) -> list[Outcome]:
    """Return the sets by outcome, from lost all to won all."""
    games, most = evidence.seats, max(evidence.outcomes) or 1
    kinds = enumerate(evidence.outcomes)
    return [Outcome(outcome_in_words(halves, games), sets, round(BAR * sets / most, 1)) for halves, sets in kinds]


def outcome_in_words(halves: int, games: int) -> str:
    if halves in (0, games, 2 * games):
        return say({0: "lost all", games: "level", 2 * games: "won all"}[halves])
    return say("%(won)s of %(games)s", won=decimal(halves / 2), games=games)


def cost_in_words(expected: Forecast) -> str:
    """Return what a trial will take, in words."""
    if not expected.seconds:
        return say("about %(usual)s sets, at most %(most)s", usual=expected.usual, most=expected.most)
    timed, time = (
        "about %(usual)s sets, %(time)s here, at most %(most)s",
        duration_text(expected.seconds).replace(" ", NO_BREAK),
    )
    return say(timed, usual=expected.usual, time=time, most=expected.most)


@dataclass(frozen=True, slots=True)
class Choice:
    """A test that an owner may choose, what its bounds mean, and what it takes where the bot plays."""

    name: str
    meaning: str
    bounds: list[Expectation]
    takes: str  # empty while the bot plays in no ladder


def choices(bot: Bot) -> list[Choice]:
    """Return the tests that the owner of the bot may choose."""
    ladder = ladder_for(bot)
    expected = forecasts(ladder) if ladder else {}
    return [
        Choice(name, meaning, expectations(NAMED[name]), cost_in_words(expected[name]) if expected else "")
        for name, meaning in Bot.GateTest.choices
    ]
