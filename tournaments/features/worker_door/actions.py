"""Actions about workers that come in by the door: admit one, revoke its tokens, let them play on a ladder."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef, Q

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.features.worker_door.tokens import check_token_room, checked_digest, checked_offers, full_name
from tournaments.ledger.acts.base import Action, Change, Effect
from tournaments.ledger.dispatch.leases import release
from tournaments.ledger.dispatch.open_lines import forget_needs
from tournaments.models import Act, Attempt, Ladder, Match, Space, Worker, WorkerToken
from workers.identity import OF, OUTSIDE

ONE_LINE = {"lines": False}
NO_LONGER = "outside workers play on its ladder no more"


@dataclass(frozen=True, slots=True)
class TokenAction(Action):
    """About a worker of a space, or of none."""

    worker: str = field(metadata=ONE_LINE)
    space: Space | None

    def full_name(self) -> str:
        return full_name(self.worker, self.space)


@dataclass(frozen=True, slots=True)
class AdmitWorker(TokenAction):
    kind, button = "admit_worker", "Admit a worker"
    about = (
        "A worker comes in by the site’s address and a token. It plays for the space alone; without one, on ladders "
        "that allow outside workers. `digest`: the SHA-256 of the token in hex, made by `manage.py fleet token`. "
        "`offers`: the languages that it may be sent; empty: all that it has."
    )
    digest: str = field(metadata=ONE_LINE)
    offers: str | None = field(metadata=ONE_LINE)

    def preview(self) -> Effect:
        checked_digest(self.digest)
        checked_offers(self.offers or "")
        check_token_room(self.space)
        says = (
            Sentence("It plays for %(space)s alone, once it has come.", space=self.space)
            if self.space
            else Sentence("It plays, once it has come, on ladders that allow outside workers.")
        )
        return Effect(f"worker {self.full_name()}", [says], more={"digest": self.digest, "offers": self.offers or ""})

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        worker, _ = Worker.objects.get_or_create(name=self.full_name(), defaults={"space": self.space})
        WorkerToken.objects.create(worker=worker, digest=self.digest, offers=checked_offers(self.offers or ""))
        if self.space:
            forget_needs(space=self.space)


@dataclass(frozen=True, slots=True)
class RevokeTokens(TokenAction):
    kind, button = "revoke_worker_tokens", "Revoke a worker’s tokens"
    about = "A worker that was admitted with a token is turned away from now on. What it has reported stays."

    def preview(self) -> Effect:
        tokens = WorkerToken.objects.filter(worker__name=self.full_name()).count()
        if not tokens:
            raise Refused("nothing_changes", "worker %(worker)s has no token", worker=self.full_name())
        says = Sentence("It comes in no more, and what it holds is sent to somebody else.")
        return Effect(f"worker {self.full_name()}", [says], more={"tokens": tokens})

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        WorkerToken.objects.filter(worker__name=self.full_name()).delete()


@dataclass(frozen=True, slots=True)
class AllowOutsideWorkers(Action):
    kind, button = "allow_outside_workers", "Change whether outside workers play"
    about = "Whether workers of no space that come in by the door play on a ladder of the site: `yes` or `no`."
    ladder: Ladder
    outside: str = field(metadata={"choices": (("yes", "yes"), ("no", "no"))})

    def ladders(self) -> Iterable[Ladder]:
        return (self.ladder,)

    def preview(self) -> Effect:
        before = Ladder.objects.get(pk=self.ladder.pk)
        if self.outside not in ("yes", "no"):
            raise Refused("bad_outside", "write yes or no")
        if before.space_id:
            raise Refused("of_a_space", "ladders of a space are played by the workers of the space and of the site")
        now, then = ("yes" if allowed else "no" for allowed in (before.outside_workers, self.outside == "yes"))
        if now == then:
            raise Refused("nothing_changes", "%(before)s has these settings already", before=before)
        says = [Sentence("Only the site’s own workers play there. What others hold of it is sent to these.")]
        if then == "yes":
            says = [
                Sentence(
                    "Workers with a token of the site play there too. What they report is executed again, and counts."
                ),
                Sentence("Whoever runs one can read the sources of the bots there."),
            ]
        return Effect(f"ladder {before.slug}", says, [Change("outside workers", now, then)])

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        Ladder.objects.filter(pk=self.ladder.pk).update(outside_workers=self.outside == "yes")
        forget_needs(ladder=self.ladder)
        if self.outside == "no":
            self._take_back()

    def _take_back(self) -> None:
        """Give what outside workers hold, or is on the way to them, to others at once, and count it against nobody."""
        of_outside = Attempt.objects.filter(
            match=OuterRef("pk"), lease=OuterRef("lease"), worker__contains=f"{OF}{OUTSIDE}/"
        )
        leased = Match.objects.filter(Q(set__at_own=True) | Exists(of_outside), status=Match.Status.LEASED)
        of_ladder = leased.filter(set__ladder=self.ladder).select_related("set").order_by("set", "pk")
        for match in of_ladder.select_for_update(of=("self",)):
            release(match=match, outcome=Attempt.Outcome.RETURNED, reason=NO_LONGER, failed=False)
