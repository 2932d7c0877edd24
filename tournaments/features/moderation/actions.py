"""Suspending accounts, and answering reports and appeals. The log does not name the people."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar

from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.features.moderation import complaints, suspensions
from tournaments.ledger.acts.base import PLAIN_TEXT, Action, Effect, digest_sentence
from tournaments.models import Act, Appeal, Complaint, Entry, Space, Suspension, User

OWN = "is about you or what is yours; another organiser decides about it"


@dataclass(frozen=True, slots=True)
class Suspend(Action):
    kind, button = "suspend_user", "Suspend an account"
    about = (
        "An account can read, but not write: no uploads, entries, games, texts. Its entries pause. `words`: why, "
        "for its owner and organisers alone. `until`: in UTC; without one, until it is lifted. The reason stands in "
        "the public log, so name nobody in it."
    )
    user: User
    words: str = field(metadata=PLAIN_TEXT)
    until: datetime | None = None

    def hold(self) -> None:
        User.objects.select_for_update(no_key=True).get(pk=self.user.pk)

    def preview(self) -> Effect:
        return suspension_effect(self.user, None, self.until, self.words)

    def carry_out(self, act: Act) -> None:
        suspensions.begin_suspension(self.user, act, self.until, self.words.strip(), None)


def suspension_effect(user: User, space: Space | None, until: datetime | None, words: str) -> Effect:
    """Raises Refused: organiser, wrong_status, bad_time, no_reason, long_reason."""
    check_suspends(user, space, until)
    complaints.checked_text(words)
    where = Sentence(" in %(space)s", space=space) if space else ""
    how_long = (
        Sentence("Until %(until)s UTC it", until=f"{until:%d %B %Y, %H:%M}")
        if until
        else Sentence("Until it is lifted the account")
    )
    playing = suspensions.entries_to_suspend(user, space).filter(status=Entry.Status.PLAYING).count()
    says = [
        Sentence(
            "%(how_long_said)s can read, download its data, appeal and leave. It cannot "
            "write%(where_said)s, not even with a token.",
            how_long_said=how_long,
            where_said=where,
        ),
        Sentence(
            "1 entry of its bots pauses in ladders%(where_said)s."
            if playing == 1
            else "%(playing)s entries of its bots pause in ladders%(where_said)s.",
            playing=playing,
            where_said=where,
        ),
        Sentence("Results stay; sets under way and events are played out."),
    ]
    return Effect(f"account {user.pk}", says, more={"account": user.pk, "words": digest_sentence(words)})


def check_suspends(user: User, space: Space | None, until: datetime | None) -> None:
    now = User.objects.get(pk=user.pk)
    if now.is_staff:
        raise Refused("organiser", "an organiser cannot be suspended; another organiser removes that role first")
    if now.erased_at or not now.is_active:
        raise Refused("wrong_status", "account %(pk)s is closed: nobody can write with it", pk=now.pk)
    if Suspension.objects.filter(user=now, space=space, over_at=None).exists():
        raise Refused("wrong_status", "account %(pk)s is suspended already; lift that first", pk=now.pk)
    if until and until <= timezone.now():
        raise Refused(
            "bad_time", "%(until)s UTC is past; give a time to come, or none", until=f"{until:%d %B %Y, %H:%M}"
        )


@dataclass(frozen=True, slots=True)
class LiftSuspension(Action):
    kind, button = "lift_suspension", "Lift a suspension"
    about = "A suspended account can write again, and its entries play."
    user: User

    def hold(self) -> None:
        User.objects.select_for_update(no_key=True).get(pk=self.user.pk)

    def preview(self) -> Effect:
        return lifting_effect(self.user, None)

    def carry_out(self, act: Act) -> None:
        suspensions.end_suspension(suspension_to_lift(self.user, None), act)


def lifting_effect(user: User, space: Space | None) -> Effect:
    suspension = suspension_to_lift(user, space)
    says = [
        Sentence(
            "It can write again, and 1 entry plays, if nothing else keeps it out."
            if len(suspension.paused) == 1
            else "It can write again, and %(paused)s entries play, if nothing else keeps them out.",
            paused=len(suspension.paused),
        )
    ]
    return Effect(f"account {user.pk}", says, more={"act": suspension.act.number})


def suspension_to_lift(user: User, space: Space | None) -> Suspension:
    """Raises Refused: wrong_status."""
    rows = Suspension.objects.filter(user=user, space=space, over_at=None)
    suspension = rows.select_related("user", "act", "space").first()
    if suspension is None:
        raise Refused(
            "wrong_status",
            "account %(pk)s is not suspended%(part)s",
            pk=user.pk,
            part=Sentence(" in %(space)s", space=space) if space else "",
        )
    return suspension


@dataclass(frozen=True, slots=True)
class CloseReport(Action):
    report: Complaint
    status: ClassVar[Complaint.Status]
    says: ClassVar[str]

    def hold(self) -> None:
        Complaint.objects.select_for_update().get(pk=self.report.pk)

    def preview(self) -> Effect:
        if Complaint.objects.get(pk=self.report.pk).status != Complaint.Status.OPEN:
            raise Refused("wrong_status", "%(report)s is closed already", report=self.report)
        return Effect(
            str(self.report), [self.says, Sentence("The writer is notified, with your reason; nobody else is.")]
        )

    def carry_out(self, act: Act) -> None:
        complaints.close_complaint(self.report, act, self.status)

    def do(self, *, by: User | str, reason: str) -> Act:
        """Raises Refused as any act does, and own_report."""
        if isinstance(by, User) and complaints.concerns(self.report, by) and self._has_others(by):
            raise Refused("own_report", "%(report)s %(own)s", report=self.report, own=Sentence(OWN))
        return super(CloseReport, self).do(by=by, reason=reason)

    def _has_others(self, by: User) -> bool:
        return complaints.other_organisers(by, self.report.space_id)


class DismissReport(CloseReport):
    kind, button, status = "dismiss_report", "Leave it as it is", Complaint.Status.DISMISSED
    about = "What somebody reported stays as it is."
    says = Sentence("Nothing is done about what it says.")


class SettleReport(CloseReport):
    kind, button, status = "settle_report", "Resolved", Complaint.Status.SETTLED
    about = "Something was done about a report: rename, remove the text or suspend first, and then say so."
    says = Sentence("It is closed. What is done about it are acts of their own: do them first.")


@dataclass(frozen=True, slots=True)
class AnswerAppeal(Action):
    appeal: Appeal
    granted: ClassVar[bool]

    def hold(self) -> None:
        Appeal.objects.select_for_update().get(pk=self.appeal.pk)

    def preview(self) -> Effect:
        appeal = Appeal.objects.select_related("act").get(pk=self.appeal.pk)
        if appeal.status != Appeal.Status.OPEN:
            raise Refused("wrong_status", "appeal %(pk)s is answered already", pk=appeal.pk)
        says = [
            Sentence("It is granted; the writer is notified, with your reason.")
            if self.granted
            else Sentence("It is refused; the writer is notified, with your reason.")
        ]
        says += [Sentence("The suspension ends.")] if self._to_end() else []
        alone = complaints.number_of_organisers(appeal.act.space_id) == 1
        says += [Sentence("There is only one organiser here, so the one who acted answers.")] if alone else []
        return Effect(f"appeal {appeal.pk} against act {appeal.act.number}", says, more={"act": appeal.act.number})

    def carry_out(self, act: Act) -> None:
        if suspension := self._to_end():
            suspensions.end_suspension(suspension, act)
        complaints.answer_appeal(self.appeal, act, Appeal.Status.GRANTED if self.granted else Appeal.Status.REFUSED)

    def do(self, *, by: User | str, reason: str) -> Act:
        """Raises Refused as any act does, and own_act."""
        if isinstance(by, User) and self.appeal.act.by == str(by) and self._has_others(by):
            raise Refused(
                "own_act",
                "act %(number)s was yours; another organiser answers the appeal",
                number=self.appeal.act.number,
            )
        return super(AnswerAppeal, self).do(by=by, reason=reason)

    def _has_others(self, by: User) -> bool:
        return complaints.other_organisers(by, self.appeal.act.space_id)

    def _to_end(self) -> Suspension | None:
        rows = Suspension.objects.select_related("user", "act", "space").filter(act=self.appeal.act_id, over_at=None)
        return rows.first() if self.granted else None


class GrantAppeal(AnswerAppeal):
    kind, button, granted = "grant_appeal", "Grant the appeal", True
    about = (
        "An appeal is granted, by an organiser other than the one who acted, if there is one. This ends a suspension; "
        "anything else is undone by an act of its own."
    )


class RefuseAppeal(AnswerAppeal):
    kind, button, granted = "refuse_appeal", "Refuse the appeal", False
    about = "An appeal is refused, by an organiser other than the one who acted, if there is one."
