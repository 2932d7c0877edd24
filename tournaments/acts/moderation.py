"""Suspending accounts, and answering reports and appeals. The log does not name the people."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.utils import timezone

from tournaments.acts.base import Action, Effect
from tournaments.acts.take_down import digest
from tournaments.errors import Refused
from tournaments.models import Act, Appeal, Complaint, Suspension, User
from tournaments.moderation import appeals, complaints, suspensions

OWN = "is about you or what is yours; another organiser decides about it"


@dataclass(frozen=True, slots=True)
class Suspend(Action):
    """An account reads, and writes nothing: no uploads, entries, games, texts. Its entries pause. `words`: why, for its
    owner and organisers alone. `until`: in UTC; without one, until it is lifted. The reason stands in the public log,
    so name nobody in it."""

    kind, button = "suspend_user", "Suspend an account"
    user: User
    words: str
    until: datetime | None = None

    def hold(self) -> None:
        User.objects.select_for_update(no_key=True).get(pk=self.user.pk)

    def preview(self) -> Effect:
        self._check()
        how_long = f"Until {self.until:%d %B %Y, %H:%M} UTC it" if self.until else "Until it is lifted the account"
        paused = len(suspensions.playing(self.user))
        says = [
            f"{how_long} reads, downloads what is its own, appeals and leaves. It writes nothing, by token neither.",
            f"{paused} entries of its bots pause in ladders. Results stay; sets under way and events are played out.",
        ]
        return Effect(f"account {self.user.pk}", says, more={"account": self.user.pk, "words": digest(self.words)})

    def carry_out(self, act: Act) -> None:
        suspensions.begin(self.user, act, self.until, self.words.strip())

    def _check(self) -> None:
        now = User.objects.get(pk=self.user.pk)
        if now.is_staff:
            raise Refused("organiser", "an organiser is not suspended; another organiser takes the right away first")
        if now.erased_at or not now.is_active:
            raise Refused("wrong_status", f"account {now.pk} is shut: nobody writes with it")
        if Suspension.objects.filter(user=now, over_at=None).exists():
            raise Refused("wrong_status", f"account {now.pk} is suspended already; lift that first")
        if self.until and self.until <= timezone.now():
            raise Refused("bad_time", f"{self.until:%d %B %Y, %H:%M} UTC is over; name a time to come, or none")
        complaints.checked_text(self.words)


@dataclass(frozen=True, slots=True)
class LiftSuspension(Action):
    """A suspended account writes again, and its entries play."""

    kind, button = "lift_suspension", "Lift a suspension"
    user: User

    def hold(self) -> None:
        User.objects.select_for_update(no_key=True).get(pk=self.user.pk)

    def preview(self) -> Effect:
        found = self._found()
        says = [f"It writes again, and {len(found.paused)} entries play, if nothing else keeps them out."]
        return Effect(f"account {self.user.pk}", says, more={"act": found.act.number})

    def carry_out(self, act: Act) -> None:
        suspensions.end(self._found(), act)

    def _found(self) -> Suspension:
        found = Suspension.objects.filter(user=self.user, over_at=None).select_related("user", "act").first()
        if found is None:
            raise Refused("wrong_status", f"account {self.user.pk} is not suspended")
        return found


@dataclass(frozen=True, slots=True)
class CloseReport(Action):
    report: Complaint
    status: ClassVar[Complaint.Status]
    says: ClassVar[str]

    def hold(self) -> None:
        Complaint.objects.select_for_update().get(pk=self.report.pk)

    def preview(self) -> Effect:
        if Complaint.objects.get(pk=self.report.pk).status != Complaint.Status.OPEN:
            raise Refused("wrong_status", f"{self.report} is closed already")
        return Effect(str(self.report), [self.says, "Who wrote it is told so, with your reason; nobody else is."])

    def carry_out(self, act: Act) -> None:
        complaints.close(self.report, act, self.status)

    def do(self, *, by: User | str, reason: str) -> Act:
        """Raises Refused as any act does, and own_report."""
        if isinstance(by, User) and complaints.concerns(self.report, by) and complaints.other_organisers(by):
            raise Refused("own_report", f"{self.report} {OWN}")
        return super(CloseReport, self).do(by=by, reason=reason)


class DismissReport(CloseReport):
    """What somebody reported stays as it is."""

    kind, button, status = "dismiss_report", "Leave it as it is", Complaint.Status.DISMISSED
    says = "Nothing is done about what it says."


class SettleReport(CloseReport):
    """Something was done about what somebody reported: rename, blank, suspend first, and then say so."""

    kind, button, status = "settle_report", "Something was done", Complaint.Status.SETTLED
    says = "It is closed. What is done about it are acts of their own: do them first."


@dataclass(frozen=True, slots=True)
class AnswerAppeal(Action):
    appeal: Appeal
    granted: ClassVar[bool]

    def hold(self) -> None:
        Appeal.objects.select_for_update().get(pk=self.appeal.pk)

    def preview(self) -> Effect:
        found = Appeal.objects.select_related("act").get(pk=self.appeal.pk)
        if found.status != Appeal.Status.OPEN:
            raise Refused("wrong_status", f"appeal {found.pk} is answered already")
        says = [f"It is {'granted' if self.granted else 'refused'}; who wrote it is told so, with your reason."]
        says += ["The suspension ends."] if self._to_end() else []
        alone = User.objects.filter(is_staff=True, is_active=True).count() == 1
        says += ["There is one organiser alone here, so who acted answers."] if alone else []
        return Effect(f"appeal {found.pk} against act {found.act.number}", says, more={"act": found.act.number})

    def carry_out(self, act: Act) -> None:
        if found := self._to_end():
            suspensions.end(found, act)
        appeals.answered(self.appeal, act, Appeal.Status.GRANTED if self.granted else Appeal.Status.REFUSED)

    def do(self, *, by: User | str, reason: str) -> Act:
        """Raises Refused as any act does, and own_act."""
        if isinstance(by, User) and self.appeal.act.by == str(by) and complaints.other_organisers(by):
            raise Refused("own_act", f"act {self.appeal.act.number} was yours; another organiser answers the appeal")
        return super(AnswerAppeal, self).do(by=by, reason=reason)

    def _to_end(self) -> Suspension | None:
        found = Suspension.objects.select_related("user", "act").filter(act=self.appeal.act_id, over_at=None)
        return found.first() if self.granted else None


class GrantAppeal(AnswerAppeal):
    """Somebody's appeal is granted, by another organiser than who acted, where there is one. A suspension ends with it;
    what else was done is undone by acts of their own."""

    kind, button, granted = "grant_appeal", "Grant the appeal", True


class RefuseAppeal(AnswerAppeal):
    """Somebody's appeal is refused, by another organiser than who acted, where there is one."""

    kind, button, granted = "refuse_appeal", "Refuse the appeal", False
