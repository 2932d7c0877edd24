"""Trials: a new version plays its bot's champion, off the ladder, before it replaces it.

Both sit at every table of a trial, in duplicate sets; a sequential test on the sets says when it is enough
(`bots.sequential_test`). Other seats go to bots of the ladder, the nearest in rating, or to the two again.
"""

from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from bots.sequential_test import NAMED, Evidence
from engine.sentences import Sentence
from tournaments.core.accounts.permissions import check_runs
from tournaments.core.broker.available_workers import workers_known
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.core.notices import triggers
from tournaments.features.trials.evidence import TO_PLAY, evidence_of
from tournaments.ledger.competitors.version_states import make_candidate, retire_candidates, take_over
from tournaments.ledger.dispatch.check_turns import charge_check, is_resting, owners_over_budget
from tournaments.ledger.dispatch.leases import cancel
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking.deal import deal_set
from tournaments.models import Bot, Entry, Ladder, MatchSet, Result, Trial, User, Version
from workers.isolation import handle_each

TRIAL_MS = declare(
    Budget(
        name="wall time of trials that come first",
        resource="Checks and builds",
        most=60_000,
        unit="ms",
        seconds=86_400,
        holder="owner of the new versions",
        where="tournaments.features.trials.rules.deal_trials",
        sentence="trials of one owner come first for %(most)s ms a day; after that they take turns with the ladders",
        setting="TRIAL_MS_A_DAY",
    )
)
AHEAD = 2  # sets of a trial under way, so that a machine with two workers is not idle


@transaction.atomic
def begin_trial(version: Version) -> bool:
    """Begin the trial of a version that has passed its check, if its bot's gate asks for one; return whether."""
    champion = version.bot.versions.filter(status=Version.Status.ACTIVE).first()
    ladder = ladder_for(version.bot)
    if version.bot.gate == Bot.Gate.OFF or champion is None or ladder is None:
        return False
    end_trials(bot=version.bot, reason=Sentence("%(version)s came after it", version=version))
    make_candidate(version=version)
    test = NAMED[version.bot.gate_test]
    Trial.objects.create(ladder=ladder, candidate=version, champion=champion, elo0=test.elo0, elo1=test.elo1)
    return True


def ladder_for(bot: Bot) -> Ladder | None:
    """Return the ladder under whose settings its trials are played: the first that it entered and plays in."""
    playing = bot.entries.filter(status=Entry.Status.PLAYING).exclude(ladder__status=Ladder.Status.CLOSED)
    entry = playing.select_related("ladder").order_by("pk").first()
    return entry.ladder if entry else None


def deal_trials() -> int:
    """Deal the next sets of each owner's oldest trial, so that many uploads delay nobody else. Returns how many.

    With one worker, trials of who has used up the day's budget rest for as long as their last set took.
    """
    under_way = Trial.objects.filter(ladder__status__in=Ladder.PAIRED, status=Trial.Status.RUNNING)
    if not under_way.exists():  # counting their sets costs far more
        return 0
    older = under_way.filter(candidate__bot__owner=OuterRef("candidate__bot__owner"), pk__lt=OuterRef("pk"))
    to_play = Q(sets__matches__status__in=TO_PLAY)
    sets = Count("sets", filter=Q(sets__status=MatchSet.Status.OPEN) & to_play, distinct=True)
    waiting = under_way.filter(~Exists(older)).annotate(under_way=sets).filter(under_way__lt=AHEAD)
    if workers_known() <= 1:
        over, most = owners_over_budget(TRIAL_MS), 0 if is_resting(TRIAL_MS) else 1
        waiting = waiting.exclude(candidate__bot__owner__in=over, under_way__gte=most)
    return handle_each(
        "trials", waiting.select_related("ladder", "candidate", "champion"), _deal, FAILING_ITEMS, item_name
    )


@transaction.atomic
def _deal(trial: Trial) -> int:
    ladder = Ladder.objects.select_for_update(no_key=True).get(pk=trial.ladder_id)  # it may be closed at this moment
    under_way = Trial.objects.select_for_update().filter(pk=trial.pk, status=Trial.Status.RUNNING)
    if ladder.status not in Ladder.PAIRED or not under_way.exists():
        return 0
    number = trial.sets.count() + 1
    deal_set(ladder=trial.ladder, versions=_table(trial), lot=f"trial {trial.pk} set {number}", trial=trial)
    return 1


def _table(trial: Trial) -> list[int]:
    pair = [trial.candidate_id, trial.champion_id]
    elo = {line.version_id: line.elo for line in standings(trial.ladder)}
    mine = elo.get(trial.champion_id, 0.0)
    others = sorted(elo.keys() - set(pair), key=lambda version: (abs(elo[version] - mine), version))
    seats = trial.ladder.seats
    return [*pair, *others, *(pair * seats)][:seats]


def set_completed(completed: MatchSet) -> None:
    """Charge the candidate's owner with a set of a trial, and judge the trial."""
    if trial := completed.trial:
        played = Result.objects.filter(match__set=completed).values_list("seconds", "worker")
        for seconds, worker in played:
            charge_check(TRIAL_MS, trial.candidate.bot.owner_id, seconds, worker)
        judge_trial(trial=trial)


@transaction.atomic
def judge_trial(*, trial: Trial) -> None:
    """Check after a complete set whether the trial is decided."""
    Bot.objects.select_for_update().get(pk=trial.candidate.bot_id)  # no other version of it takes over meanwhile
    rows = Trial.objects.select_for_update(of=("self",)).select_related("candidate__bot", "champion", "ladder")
    trial = rows.get(pk=trial.pk)
    if trial.status != Trial.Status.RUNNING:
        return
    evidence = evidence_of(trial)
    trial.played, trial.score, trial.llr = evidence.sets, evidence.mean, evidence.llr
    if evidence.accepted is not None:
        _end(trial, evidence)
    trial.save()
    triggers.notify_of_trial(trial)


def _end(trial: Trial, evidence: Evidence) -> None:
    likelier, other = (trial.elo1, trial.elo0) if evidence.accepted else (trial.elo0, trial.elo1)
    trial.reason = Sentence(
        "%(sets)s sets speak for %(likelier)s Elo against %(champion)s, not %(other)s",
        sets=evidence.sets,
        likelier=f"{likelier:+.0f}",
        champion=trial.champion,
        other=f"{other:+.0f}",
    )
    trial.ended_at = timezone.now()
    if evidence.accepted:
        _win(trial)
    else:
        trial.status = Trial.Status.REFUSED
        retire_candidates([trial.candidate_id])


def _win(trial: Trial) -> None:
    if trial.candidate.bot.gate == Bot.Gate.ASK:
        trial.status = Trial.Status.PASSED
        retire_candidates([trial.candidate_id])
    else:
        trial.status = Trial.Status.PROMOTED
        take_over(version=trial.candidate)


@transaction.atomic
def end_trials(*, bot: Bot, reason: str) -> None:
    """End trials. Their sets under way are cancelled, after the commit: whoever records a set waits for the bot."""
    Bot.objects.select_for_update().get(pk=bot.pk)
    trials = Trial.objects.filter(candidate__bot=bot, status=Trial.Status.RUNNING)
    candidates = list(trials.values_list("candidate", flat=True))
    sets = list(MatchSet.objects.filter(trial__in=trials, status=MatchSet.Status.OPEN))
    trials.update(status=Trial.Status.CANCELLED, reason=reason, ended_at=timezone.now())
    transaction.on_commit(partial(_cancel_all, sets), robust=True)
    retire_candidates(candidates)


def promote(version: Version) -> None:
    """End the trials of its bot: the owner lets the version play, perhaps one that was accepted."""
    end_trials(bot=version.bot, reason=Sentence("%(version)s plays now", version=version))
    Trial.objects.filter(candidate=version, status=Trial.Status.PASSED).update(status=Trial.Status.PROMOTED)


def end_trials_of(bots: QuerySet[Bot], ladder: Ladder | None, reason: str) -> None:
    """End the trials of these bots, in one ladder or in all."""
    if ladder:
        bots = bots.filter(pk__in=running_trials(ladder).values("candidate__bot"))
    for bot in bots:
        end_trials(bot=bot, reason=reason)


def ladder_closed(ladder: Ladder) -> None:
    end_trials_of(Bot.objects.all(), ladder, Sentence("the ladder was closed"))


def closing_says(ladder: Ladder) -> list[str]:
    """Return what the preview says before a ladder is closed."""
    ends = Sentence("Trials of new versions that are played there end, and the versions before them play on.")
    return [ends] if running_trials(ladder).exists() else []


def running_trials(ladder: Ladder) -> QuerySet[Trial]:
    return Trial.objects.filter(ladder=ladder, status=Trial.Status.RUNNING)


def _cancel_all(sets: Sequence[MatchSet]) -> None:
    for match_set in sets:
        cancel(match_set=match_set, reason=Sentence("its trial has ended"))


@transaction.atomic
def set_gate(*, bot: Bot, gate: str, by: User, gate_test: str = "") -> None:
    """Set the rule for new versions, and the test that they are put to; without one, the same as before.

    Raises Refused: not_yours, unknown_gate, unknown_test. Trials under way end by the test they began with, or at OFF.
    """
    check_runs(bot, by)
    gate_test = gate_test or bot.gate_test
    if gate not in Bot.Gate.values:
        raise Refused(
            "unknown_gate",
            "%(gate)s is not a rule for new versions; the rules are %(values)s",
            gate=f"{gate:.20}",
            values=", ".join(Bot.Gate.values),
        )
    if gate_test not in Bot.GateTest.values:
        raise Refused(
            "unknown_test",
            "%(gate_test)s is not a test for new versions; the tests are %(values)s",
            gate_test=f"{gate_test:.20}",
            values=", ".join(Bot.GateTest.values),
        )
    Bot.objects.filter(pk=bot.pk).update(gate=gate, gate_test=gate_test)
    if gate == Bot.Gate.OFF:
        end_trials(bot=bot, reason=Sentence("its owner opened the gate"))
