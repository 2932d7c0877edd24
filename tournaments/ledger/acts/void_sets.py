"""Void sets: their matches are kept as evidence but do not count, and the same bots play again."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.core.feature import features
from tournaments.ledger.acts.base import Action, Effect
from tournaments.ledger.acts.standings_diff import Comparison, compare_standings
from tournaments.ledger.dispatch.leases import cancel
from tournaments.ledger.ladders.disqualified import excluded
from tournaments.ledger.ladders.official_fit import settle_ratings
from tournaments.ledger.ladders.rating_ledger import ledger_of, whole_of
from tournaments.ledger.ladders.standings import active_versions
from tournaments.ledger.matchmaking.deal import deal_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Act, Entry, Ladder, Match, MatchSet, Seat, Worker
from tournaments.ratings.ledger import Ledger

Status = MatchSet.Status
LISTED = 200  # sets that the log names one by one


@dataclass(frozen=True, slots=True)
class VoidSet(Action):
    kind, button = "void_set", "Void, and deal again"
    about = "What was played is kept as evidence and counts for nothing; the same bots play again on another deal."
    set: MatchSet

    def ladders(self) -> Iterable[Ladder]:
        return ladders_of_sets([self.set], rating=False)

    def preview(self) -> Effect:
        found = MatchSet.objects.select_related("ladder", "event").get(pk=self.set.pk)
        if why := not_voidable(found):
            raise Refused("not_voidable", "set %(pk)s cannot be voided: %(why)s", pk=found.pk, why=why)
        return effect_of([found], name_of_set(found))

    def carry_out(self, act: Act) -> None:
        void([MatchSet.objects.get(pk=self.set.pk)], act)


@dataclass(frozen=True, slots=True)
class VoidWorked(Action):
    kind, button = "void_worked", "Void what it played"
    about = "Every set in which the worker played a match, since a time or ever."
    worker: Worker
    since: datetime | None = None

    def ladders(self) -> Iterable[Ladder]:
        return ladders_of_sets(worked(self.worker, self.since), rating=False)

    def preview(self) -> Effect:
        sets = worked(self.worker, self.since)
        if not sets:
            raise Refused(
                "nothing_played", "%(worker)s played no set since then that can be voided", worker=self.worker
            )
        return effect_of(sets, f"worker {self.worker}")

    def carry_out(self, act: Act) -> None:
        void(worked(self.worker, self.since), act)


@dataclass(frozen=True, slots=True)
class ReinstateSet(Action):
    kind, button = "reinstate_set", "Let it count again"
    about = "A voided set of a ladder counts again, in its old place; what was dealt instead of it no longer counts."
    set: MatchSet

    def ladders(self) -> Iterable[Ladder]:
        return ladders_of_sets([self.set])

    def preview(self) -> Effect:
        found = MatchSet.objects.select_related("ladder").get(pk=self.set.pk)
        if found.status != Status.VOID or found.number is None:
            raise Refused("not_void", "set %(pk)s is not a voided set of a ladder", pk=found.pk)
        if found.matches.exclude(status=Match.Status.DONE).exists():
            raise Refused("not_played", "set %(pk)s was voided before it was played to its end", pk=found.pk)
        instead = list(_instead_of(found))
        assert found.ladder
        counting = found.ladder.sets.filter(Q(status=Status.COMPLETE) | Q(pk=found.pk), number__isnull=False)
        whole = whole_of(found.ladder, counting).without(excluded(found.ladder))
        after = _without(whole, [one.number for one in instead])
        table = compare_standings(found.ladder, _without(whole, [found.number]), after)
        says = [
            Sentence(
                "It counts again. 1 set that was dealt instead of it no longer counts."
                if len(instead) == 1
                else "It counts again. %(instead)s sets that were dealt instead of it no longer count.",
                instead=len(instead),
            )
        ]
        return Effect(name_of_set(found), says, [], [table], {"instead": [one.pk for one in instead]})

    def carry_out(self, act: Act) -> None:
        found = MatchSet.objects.select_related("ladder").get(pk=self.set.pk)
        instead = list(_instead_of(found))
        _end(instead, Sentence("set %(set)s counts again: act %(act)s of the audit log", set=found.pk, act=act.number))
        MatchSet.objects.filter(pk=found.pk).update(status=Status.COMPLETE, reason="")
        numbers = [one.number for one in (found, *instead) if one.number]
        assert found.ladder
        settle_ratings(ladder=found.ladder, first=min(numbers))


def worked(worker: Worker, since: datetime | None) -> list[MatchSet]:
    """The sets with a result by that worker that can be voided; checks of uploads and spot checks cannot."""
    mine = Q(matches__result__worker=worker.name) | Q(matches__result__worker__startswith=f"{worker.name}/")
    if since:
        mine &= Q(matches__result__recorded_at__gte=since)
    found = MatchSet.objects.filter(mine, status__in=(Status.OPEN, Status.COMPLETE)).distinct()
    return [one for one in found.select_related("ladder", "event").order_by("pk") if not not_voidable(one)]


def not_voidable(match_set: MatchSet) -> str:
    if match_set.status not in (Status.OPEN, Status.COMPLETE):
        return f"it is {match_set.get_status_display().lower()}"
    if match_set.checks_id or match_set.rechecks_id:
        return Sentence("checks count for no rating")
    if any(feature.paired_by_result(match_set) for feature in features()):
        return Sentence("later rounds of its event were paired by its result")
    return ""


def effect_of(sets: Sequence[MatchSet], subject: str) -> Effect:
    again = sum(_is_dealt_again(one) for one in sets)
    left = len(sets) - again
    says = [
        Sentence(
            "1 set no longer counts; what was played of it can still be viewed."
            if len(sets) == 1
            else "%(sets)s sets no longer count; what was played of them can still be viewed.",
            sets=len(sets),
        )
    ]
    if again:
        says.append(
            Sentence(
                "1 of them is dealt again to the same bots."
                if again == 1
                else "%(again)s of them are dealt again to the same bots.",
                again=again,
            )
        )
    if left:
        says.append(
            Sentence(
                "1 is not: a bot of it no longer plays there, or it is over."
                if left == 1
                else "%(left)s are not: a bot of theirs no longer plays there, or it is over.",
                left=left,
            )
        )
    named = [one.pk for one in sets[:LISTED]]
    return Effect(subject, says, [], list(_tables(sets)), {"sets": named, "number_of_sets": len(sets)})


def _tables(sets: Sequence[MatchSet]) -> Iterator[Comparison]:
    for ladder in ladders_of_sets(sets):
        before = ledger_of(ladder)
        numbers = [one.number for one in sets if one.ladder_id == ladder.pk]
        yield compare_standings(ladder, before, _without(before, numbers))


def void(sets: Sequence[MatchSet], act: Act) -> None:
    again = [one for one in sets if _is_dealt_again(one)]
    _end(sets, Sentence("voided: act %(act)s of the audit log", act=act.number))
    for ladder in ladders_of_sets(sets):
        numbers = [one.number for one in sets if one.ladder_id == ladder.pk and one.number]
        settle_ratings(ladder=ladder, first=min(numbers))
    for one in again:
        _deal_again(one)


def _end(sets: Iterable[MatchSet], reason: str) -> None:
    for one in sets:
        cancel(match_set=one, reason=reason)
        MatchSet.objects.filter(pk=one.pk).update(status=Status.VOID, reason=reason, rated=False)


def _deal_again(old: MatchSet) -> None:
    assert old.ladder
    if old.event:
        for feature in features():
            feature.set_voided(old)
        return
    if old.number:
        new = create_set(ladder=old.ladder, versions=_seated(old))
    else:
        new = deal_set(ladder=old.ladder, versions=_seated(old), lot=f"instead of set {old.pk}", asked_by=old.asked_by)
    MatchSet.objects.filter(pk=new.pk).update(replaces=old)


def _is_dealt_again(old: MatchSet) -> bool:
    """Return whether it is dealt again: if all who sat there still play. Sets of trials are dealt as these go on."""
    if old.event:
        return old.event.status in ("running", "finished")
    if old.trial_id or not old.ladder or old.ladder.status == Ladder.Status.CLOSED:
        return False
    playing = old.ladder.entries.filter(status=Entry.Status.PLAYING).values_list("bot", flat=True)
    bots = set(playing)
    here = {version.pk for version in active_versions(old.ladder) if version.bot_id in bots}
    return here.issuperset(_seated(old))


def _seated(match_set: MatchSet) -> list[int]:
    seats = Seat.objects.filter(match__set=match_set, match__turn=0).order_by("number")
    return list(dict.fromkeys(seats.values_list("version", flat=True)))


def _instead_of(match_set: MatchSet) -> Iterator[MatchSet]:
    """The sets dealt in its place, one after another, as far as they count or may yet."""
    found = MatchSet.objects.filter(replaces=match_set).first()
    while found:
        if found.status in (Status.OPEN, Status.COMPLETE):
            yield found
        found = MatchSet.objects.filter(replaces=found).first()


def _without(ledger: Ledger, numbers: Iterable[int | None]) -> Ledger:
    gone = set(numbers)
    return replace(ledger, sets=[one for one in ledger.sets if one.number not in gone])


def ladders_of_sets(sets: Iterable[MatchSet], *, rating: bool = True) -> list[Ladder]:
    """Return the ladders that rate the sets; if not `rating`, all under whose settings they are played."""
    ids = {one.ladder_id for one in sets if one.ladder_id and (one.number or not rating)}
    return list(Ladder.objects.filter(pk__in=ids).order_by("pk"))


def name_of_set(match_set: MatchSet) -> str:
    """Return what the set is called, without who plays in it, which may not be public yet."""
    if match_set.event:
        return f"set {match_set.pk} of event {match_set.event.slug}"
    where = f" of ladder {match_set.ladder.slug}" if match_set.ladder else ""
    return f"set {match_set.pk}{where}" + (f", number {match_set.number}" if match_set.number else "")
