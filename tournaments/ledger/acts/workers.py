"""Which match workers may continue. Their status decides what they are sent and whether reports are accepted."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar

from django.db.models import Q

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.ledger.acts.base import Action, Change, Effect
from tournaments.ledger.acts.void_sets import effect_of, ladders_of_sets, void, worked
from tournaments.ledger.dispatch.leases import release
from tournaments.models import Act, Attempt, Ladder, Match, MatchSet, Worker

Status = Worker.Status


@dataclass(frozen=True, slots=True)
class WorkerAction(Action):
    worker: Worker
    after: ClassVar[Status]
    says: ClassVar[str]

    def preview(self) -> Effect:
        before = Status(Worker.objects.get(pk=self.worker.pk).status)
        if before == self.after:
            raise Refused(
                "wrong_status", "worker %(worker)s is %(value)s already", worker=self.worker, value=self.after.value
            )
        return Effect(f"worker {self.worker}", [self.says], [Change("status", before.label, self.after.label)])

    def logged_in(self) -> int | None:
        """The name of a space's worker tells of the space."""
        return self.worker.space_id

    def carry_out(self, act: Act) -> None:
        Worker.objects.filter(pk=self.worker.pk).update(status=self.after, reason=act.reason)


class Drain(WorkerAction):
    kind, button, after = "drain_worker", "Drain", Status.DRAINED
    about = "The worker finishes what it has and takes no more orders."
    says = Sentence("It finishes what it has and takes no more orders; what it reports is believed.")


class Welcome(WorkerAction):
    kind, button, after = "welcome_worker", "Welcome", Status.WELCOME
    about = "A drained or blocked worker takes orders again."
    says = Sentence("It takes orders again, and what it reports is believed.")


@dataclass(frozen=True, slots=True)
class Block(WorkerAction):
    void_since: datetime | None = None
    kind, button, after = "block_worker", "Block", Status.BLOCKED
    about = (
        "The worker's reports are refused. With `void_since`, every set that it played a match of since "
        "then is voided and dealt again."
    )
    says = Sentence("Nothing that it reports is believed from now on; what it plays now is sent to somebody else.")

    def ladders(self) -> Iterable[Ladder]:
        return ladders_of_sets(self._sets(), rating=False)

    def preview(self) -> Effect:
        turned, sets = super(Block, self).preview(), self._sets()
        if not sets:
            return replace(turned, says=[*turned.says, Sentence("What it has played stays.")])
        voided = effect_of(sets, turned.subject)
        return replace(voided, says=[*turned.says, *voided.says], changes=turned.changes)

    def carry_out(self, act: Act) -> None:
        super(Block, self).carry_out(act)
        for match in _played_now(self.worker):
            reason = Sentence(
                "worker %(worker)s was blocked: act %(act)s of the audit log", worker=self.worker, act=act.number
            )
            release(match=match, outcome=Attempt.Outcome.EXPIRED, reason=reason, failed=False)
        if sets := self._sets():
            void(sets, act)

    def _sets(self) -> list[MatchSet]:
        return worked(self.worker, self.void_since) if self.void_since else []


def _played_now(worker: Worker) -> list[Match]:
    mine = Q(worker=worker.name) | Q(worker__startswith=f"{worker.name}/")
    playing = Attempt.objects.filter(mine, outcome=Attempt.Outcome.PLAYING)
    leased = Match.objects.filter(status=Match.Status.LEASED, pk__in=playing.values("match"))
    return list(leased.select_for_update(of=("self", "set")).select_related("set"))
