"""Trials: a new version plays its bot's champion, beside the ladder, before it replaces it.

Both sit at every table of a trial, in duplicate sets; a sequential test on the sets says when it is enough
(`tournaments.ratings.sprt`). Other seats go to bots of the ladder, the nearest in rating, or to the two again.
"""

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from tournaments.accounts.permissions import check_runs
from tournaments.broker.failing_items import FAILING_ITEMS, name_of
from tournaments.competitors.version_states import make_candidate, retire_candidates, take_over
from tournaments.errors import Refused
from tournaments.ladders.standings import standings
from tournaments.matchmaking.deal import deal
from tournaments.models import Bot, Entry, Ladder, Match, MatchSet, Seat, Trial, User, Version
from tournaments.notices import triggers
from tournaments.ratings.sprt import Test, llr_of
from workers.isolation import each

AHEAD = 2  # sets of a trial under way, so that a machine with two workers is not idle
TEST = Test(elo0=0.0, elo1=30.0, alpha=0.05, beta=0.05)
FEWEST, MOST = 8, 150  # sets: the variance is known from the first on; a trial that does not decide is refused


@transaction.atomic
def admit(*, version: Version) -> None:
    """After its check a version plays, or it gets a trial first if its owner has set the gate so."""
    champion = version.bot.versions.filter(status=Version.Status.ACTIVE).first()
    entry = version.bot.entries.filter(status=Entry.Status.PLAYING).select_related("ladder").order_by("pk").first()
    if version.bot.gate == Bot.Gate.OFF or champion is None or entry is None:
        take_over(version=version)
        return
    end_trials(bot=version.bot, reason=f"{version} came after it")
    make_candidate(version=version)
    Trial.objects.create(ladder=entry.ladder, candidate=version, champion=champion)


def go_on() -> int:
    """Deal the next sets of each owner's oldest trial, so that many uploads delay nobody else. Returns how many."""
    running = Trial.objects.filter(status=Trial.Status.RUNNING).exclude(ladder__status=Ladder.Status.PAUSED)
    older = running.filter(candidate__bot__owner=OuterRef("candidate__bot__owner"), pk__lt=OuterRef("pk"))
    to_play = Q(sets__matches__status__in=(Match.Status.WAITING, Match.Status.LEASED))
    under_way = Count("sets", filter=Q(sets__status=MatchSet.Status.OPEN) & to_play, distinct=True)
    waiting = running.filter(~Exists(older)).annotate(under_way=under_way).filter(under_way__lt=AHEAD)
    return each("trials", waiting.select_related("ladder", "candidate", "champion"), _deal, FAILING_ITEMS, name_of)


@transaction.atomic
def _deal(trial: Trial) -> int:
    if not Trial.objects.select_for_update().filter(pk=trial.pk, status=Trial.Status.RUNNING).exists():
        return 0
    number = trial.sets.count() + 1
    deal(ladder=trial.ladder, versions=_table(trial), lot=f"trial {trial.pk} set {number}", trial=trial)
    return 1


def _table(trial: Trial) -> list[int]:
    pair = [trial.candidate_id, trial.champion_id]
    elo = {line.version_id: line.elo for line in standings(trial.ladder)}
    mine = elo.get(trial.champion_id, 0.0)
    others = sorted(elo.keys() - set(pair), key=lambda version: (abs(elo[version] - mine), version))
    seats = trial.ladder.seats
    return [*pair, *others, *(pair * seats)][:seats]


@transaction.atomic
def judge(*, trial: Trial) -> None:
    """Check after a complete set whether the trial is decided."""
    trial = Trial.objects.select_for_update().select_related("candidate__bot", "champion").get(pk=trial.pk)
    if trial.status != Trial.Status.RUNNING:
        return
    shares = shares_of(trial)
    trial.played, trial.score = len(shares), sum(shares) / len(shares)
    trial.llr = llr_of(shares, TEST) if len(shares) >= FEWEST else 0.0
    if trial.llr >= TEST.upper:
        _win(trial)
    elif trial.llr <= TEST.lower:
        _lose(trial, f"after {trial.played} sets it is not {TEST.elo1:.0f} Elo stronger")
    elif trial.played >= MOST:
        _lose(trial, f"{MOST} sets did not decide")
    trial.save()
    triggers.tried(trial)


def shares_of(trial: Trial) -> list[float]:
    """Of each complete set, in order: the candidate's mean share against the champion, 1 ahead, 1/2 level, 0 behind."""
    seats = Seat.objects.filter(match__set__trial=trial, match__set__status=MatchSet.Status.COMPLETE)
    places: dict[int, dict[int, dict[int, list[int]]]] = {}
    for set_id, match, version, place in seats.values_list("match__set", "match", "version", "place"):
        places.setdefault(set_id, {}).setdefault(match, {}).setdefault(version, []).append(place or 0)
    return [
        sum(_share(match[trial.candidate_id], match[trial.champion_id]) for match in matches.values()) / len(matches)
        for _, matches in sorted(places.items())
    ]


def _share(mine: list[int], theirs: list[int]) -> float:
    pairs = [(one, other) for one in mine for other in theirs]
    return sum(0.5 + (one < other) / 2 - (one > other) / 2 for one, other in pairs) / len(pairs)


def _win(trial: Trial) -> None:
    owner_decides = trial.candidate.bot.gate == Bot.Gate.ASK
    trial.status, trial.ended_at = Trial.Status.PASSED if owner_decides else Trial.Status.PROMOTED, timezone.now()
    trial.reason = f"stronger than {trial.champion} by {trial.played} sets"
    if not owner_decides:
        take_over(version=trial.candidate)
    else:
        retire_candidates([trial.candidate_id])


def _lose(trial: Trial, reason: str) -> None:
    trial.status, trial.reason, trial.ended_at = Trial.Status.REFUSED, reason, timezone.now()
    retire_candidates([trial.candidate_id])


@transaction.atomic
def end_trials(*, bot: Bot, reason: str) -> None:
    """End trials. Their sets under way are played to the end and do not count."""
    trials = Trial.objects.filter(candidate__bot=bot, status=Trial.Status.RUNNING)
    candidates = list(trials.values_list("candidate", flat=True))
    trials.update(status=Trial.Status.CANCELLED, reason=reason, ended_at=timezone.now())
    retire_candidates(candidates)


@transaction.atomic
def set_gate(*, bot: Bot, gate: str, by: User) -> None:
    """Raises Refused: not_yours, unknown_gate. Trials under way end by the rule they began under, or at OFF."""
    check_runs(bot, by)
    if gate not in Bot.Gate.values:
        raise Refused(
            "unknown_gate", f"{gate!r:.20} is no rule for new versions; there are {', '.join(Bot.Gate.values)}"
        )
    Bot.objects.filter(pk=bot.pk).update(gate=gate)
    if gate == Bot.Gate.OFF:
        end_trials(bot=bot, reason="its owner opened the gate")
