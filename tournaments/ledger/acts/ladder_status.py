"""Whether a ladder takes bots and deals sets: pause, freeze, close, and back."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

from django.db.models import F, Max, OuterRef, Q, QuerySet, Subquery

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.core.feature import features
from tournaments.ledger.acts.base import Change, Effect, LadderAction
from tournaments.ledger.competitors.entry_states import GONE, end_suspensions
from tournaments.ledger.dispatch.leases import cancel
from tournaments.ledger.ladders.fielded import fielded
from tournaments.models import Act, Entry, Fit, Ladder, MatchSet

Status = Ladder.Status


@dataclass(frozen=True, slots=True)
class StatusChange(LadderAction):
    """From one status to another."""

    before: ClassVar[tuple[Status, ...]]
    after: ClassVar[Status]

    def preview(self) -> Effect:
        ladder = Ladder.objects.get(pk=self.ladder.pk)
        if ladder.status not in self.before:
            wanted = reduce(_or, (Sentence(status.value) for status in self.before))
            raise Refused(
                "wrong_status",
                "%(ladder)s is %(status)s; only a ladder that is %(wanted)s can be changed this way",
                ladder=ladder,
                status=Sentence(ladder.status),
                wanted=wanted,
            )
        change = Change("status", Status(ladder.status).label, self.after.label)
        return Effect(f"ladder {ladder.slug}", self.says(ladder), [change])

    @abstractmethod
    def says(self, ladder: Ladder) -> list[str]: ...

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        Ladder.objects.filter(pk=self.ladder.pk).update(status=self.after)


def _or(one: Sentence, other: Sentence) -> Sentence:
    return Sentence("%(one)s or %(other)s", one=one, other=other)


class Pause(StatusChange):
    kind, button = "pause_ladder", "Pause"
    about = "Nothing new is paired; what is under way is played to its end, and bots may enter."
    before, after = (Status.OPEN,), Status.PAUSED

    def says(self, ladder: Ladder) -> list[str]:
        return [
            Sentence("Nothing new is paired. %(under_way_said)s Bots may enter.", under_way_said=still_to_play(ladder))
        ]


class Resume(StatusChange):
    kind, button = "resume_ladder", "Resume"
    about = "Sets are paired again in a paused ladder."
    before, after = (Status.PAUSED,), Status.OPEN

    def says(self, ladder: Ladder) -> list[str]:
        playing = ladder.entries.filter(status=Entry.Status.PLAYING).count()
        return [
            Sentence(
                "Sets are paired again, among 1 bot."
                if playing == 1
                else "Sets are paired again, among %(playing)s bots.",
                playing=playing,
            )
        ]


class Freeze(StatusChange):
    kind, button = "freeze_ladder", "Freeze"
    about = "The ladder plays on with the bots and versions it has now; nobody enters or withdraws."
    before, after = (Status.OPEN, Status.PAUSED), Status.FROZEN

    def says(self, ladder: Ladder) -> list[str]:
        count = staying(ladder).count()
        return [
            Sentence(
                "1 bot plays on, with the version it has now."
                if count == 1
                else "%(count)s bots play on, each with the version it has now.",
                count=count,
            ),
            Sentence(
                "Until it is thawed nobody enters and nobody withdraws; new versions play elsewhere, but not here."
            ),
            Sentence("The final table, which says who wins the season, counts only sets dealt from now on."),
        ]

    def carry_out(self, act: Act) -> None:
        pin(self.ladder)
        super().carry_out(act)


class Opening(StatusChange):
    """Versions are no longer fixed."""

    def preview(self) -> Effect:
        effect = super().preview()
        for feature in features():
            feature.before_opening(self.ladder)
        return effect

    def carry_out(self, act: Act) -> None:
        unpin(self.ladder)
        super().carry_out(act)
        for feature in features():
            feature.ladder_opened(self.ladder)


class Thaw(Opening):
    kind, button = "thaw_ladder", "Thaw"
    about = "Bots enter, withdraw and change versions again in a frozen ladder."
    before, after = (Status.FROZEN,), Status.OPEN

    def says(self, ladder: Ladder) -> list[str]:
        newer = ladder.entries.exclude(status__in=GONE).filter(
            bot__versions__status="active", bot__versions__pk__gt=F("pinned")
        )
        again = Sentence(
            "Bots may enter and withdraw again, and play with their active versions: 1 has a newer one."
            if newer.count() == 1
            else "Bots may enter and withdraw again, and play with their active versions: %(count)s have newer.",
            count=newer.count(),
        )
        return [again, *opening_says(ladder)]


class Close(StatusChange):
    kind, button = "close_ladder", "Close"
    about = "The standings are final; what is not played is cancelled."
    before, after = (Status.OPEN, Status.PAUSED, Status.FROZEN), Status.CLOSED

    def says(self, ladder: Ladder) -> list[str]:
        count = _open(ladder).count()
        return [
            *(sentence for feature in features() for sentence in feature.closing_says(ladder)),
            Sentence(
                "The standings are final: nobody enters, nothing is paired, and later versions change nothing in them."
            ),
            Sentence(
                "1 set that is not over is cancelled and counts for nothing."
                if count == 1
                else "%(count)s sets that are not over are cancelled and count for nothing.",
                count=count,
            ),
        ]

    def carry_out(self, act: Act) -> None:
        for match_set in _open(self.ladder):
            cancel(match_set=match_set, reason=Sentence("the ladder was closed"))
        if Ladder.objects.get(pk=self.ladder.pk).status != Status.FROZEN:
            pin(self.ladder)
        super().carry_out(act)
        for feature in features():
            feature.ladder_closed(self.ladder, act)


class Reopen(Opening):
    kind, button = "reopen_ladder", "Open again"
    about = "A closed ladder is open again."
    before, after = (Status.CLOSED,), Status.OPEN

    def says(self, ladder: Ladder) -> list[str]:
        playing = ladder.entries.filter(status=Entry.Status.PLAYING).count()
        again = Sentence(
            "1 bot is paired again, with its active version. Cancelled sets stay cancelled."
            if playing == 1
            else "%(playing)s bots are paired again, with their active versions. Cancelled sets stay cancelled.",
            playing=playing,
        )
        return [again, *opening_says(ladder)]


def pin(ladder: Ladder) -> None:
    """Fix the field: each bot with the version that plays for it now. The final table counts what is dealt since."""
    mine = fielded(ladder).filter(bot=OuterRef("bot")).values("pk")[:1]
    ladder.entries.exclude(status=Entry.Status.WITHDRAWN).update(pinned=Subquery(mine))
    last = ladder.sets.aggregate(last=Max("number"))["last"]
    Ladder.objects.filter(pk=ladder.pk).update(final_after=last or 0)


def unpin(ladder: Ladder) -> None:
    """Bots play with their active versions again; one that was suspended with an older one plays on with the newer."""
    newer = Q(bot__versions__status="active") & ~Q(bot__versions__pk=F("pinned"))
    end_suspensions(ladder.entries.filter(newer))
    ladder.entries.update(pinned=None)
    Ladder.objects.filter(pk=ladder.pk).update(final_after=None)
    Fit.objects.filter(ladder=ladder).update(stale=True)  # other versions may play


def opening_says(ladder: Ladder) -> list[str]:
    """Return what features say before versions are no longer fixed."""
    return [sentence for feature in features() for sentence in feature.opening_says(ladder)]


def staying(ladder: Ladder) -> QuerySet[Entry]:
    return ladder.entries.exclude(status__in=GONE).filter(bot__in=fielded(ladder).values("bot"))


def _open(ladder: Ladder) -> QuerySet[MatchSet]:
    """Return the ladder's sets that are not over, those that people asked for among them."""
    sets = ladder.sets.filter(status=MatchSet.Status.OPEN)
    return sets.exclude(number=None, asked_by=None)


def still_to_play(ladder: Ladder) -> str:
    left = _open(ladder).count()
    if not left:
        return Sentence("No set is under way.")
    if left == 1:
        return Sentence("1 set that was paired before is played to its end.")
    return Sentence("%(left)s sets that were paired before are played to their end.", left=left)
