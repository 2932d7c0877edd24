"""Actions on a space that concern its people: remove or suspend one, change access or workers, close it, open it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.accounts.spaces import organisers_of
from tournaments.core.errors import Refused
from tournaments.features.moderation import suspensions
from tournaments.features.moderation.actions import lifting_effect, suspension_effect, suspension_to_lift
from tournaments.features.spaces import members
from tournaments.features.spaces.members import membership_of
from tournaments.ledger.acts.base import PLAIN_TEXT, Action, Change, Effect
from tournaments.ledger.acts.ladder_status import Close
from tournaments.ledger.dispatch.open_lines import forget_needs
from tournaments.models import Act, Event, Ladder, Space, SpaceMember, User, Worker

Access = Space.Access
WHOSE = {
    "own": Sentence("Only its own workers play its matches."),
    "all": Sentence("Its own workers play its matches first, and the site's play its share."),
}


@dataclass(frozen=True, slots=True)
class SpaceAction(Action):
    """Of a space's own organisers, and of the site's."""

    space: Space

    def now(self) -> Space:
        return Space.objects.get(pk=self.space.pk)

    def subject(self) -> str:
        return f"space {self.space.slug}"


@dataclass(frozen=True, slots=True)
class RemoveMember(SpaceAction):
    kind, button = "remove_member", "Remove from the space"
    about = (
        "A member is removed from a space. Their bots leave its ladders and events, and wait there in case "
        "they come back."
    )
    user: User

    def hold(self) -> None:
        members.hold_what_they_have(self.space, self.user)
        members.lock_space(self.space)

    def preview(self) -> Effect:
        members.check_not_last(members.membership_of(self.space, self.user))
        says = [
            Sentence("%(user)s is no longer a member, and their bots leave its ladders and events.", user=self.user)
        ]
        return Effect(f"account {self.user}", says, more={"space": self.space.slug})

    def carry_out(self, act: Act) -> None:
        members.part_with_member(members.membership_of(self.space, self.user))
        text = Sentence("You are no longer a member of %(space)s: %(reason)s", space=self.space, reason=act.reason)
        members.notify_of_membership([self.user], f"act {act.number}", text, "/spaces/", self.space)


@dataclass(frozen=True, slots=True)
class ChangeAccess(SpaceAction):
    kind, button = "change_access", "Change who sees it"
    about = "Who sees a space: public, link or private."
    access: str = field(metadata={"choices": Access.choices})

    def preview(self) -> Effect:
        if self.access not in Access.values:
            raise Refused(
                "bad_access",
                "%(access)s is not one of %(values)s",
                access=f"{self.access:.20}",
                values=", ".join(Access.values),
            )
        before, after = Access(self.now().access), Access(self.access)
        if before == after:
            raise Refused("nothing_changes", "%(space)s is already set that way", space=self.space)
        return Effect(
            self.subject(),
            [Sentence("Who sees it: %(access_said)s.", access_said=Sentence(after.label))],
            [Change("access", before.value, after.value)],
        )

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        Space.objects.filter(pk=self.space.pk).update(access=self.access)


@dataclass(frozen=True, slots=True)
class ChangeWorkers(SpaceAction):
    kind, button = "change_workers", "Change whose workers play"
    about = (
        "Whose workers play for a space: its own alone (`own`), or its own first and its share of the site's (`all`)."
    )
    workers: str = field(metadata={"choices": list(WHOSE.items())})

    def preview(self) -> Effect:
        if self.workers not in WHOSE:
            raise Refused(
                "bad_workers",
                "%(workers)s is not one of %(whose)s",
                workers=f"{self.workers:.20}",
                whose=", ".join(WHOSE),
            )
        before = "own" if self.now().own_workers_alone else "all"
        if before == self.workers:
            raise Refused("nothing_changes", "%(space)s is already set that way", space=self.space)
        return Effect(self.subject(), list(self._says()), [Change("workers", before, self.workers)])

    def _says(self) -> Iterable[str]:
        yield WHOSE[self.workers]
        yield Sentence("Workers finish the matches they have.")
        welcome = Worker.objects.filter(space=self.space, status=Worker.Status.WELCOME)
        if self.workers == "own" and not welcome.exists():
            yield Sentence("It has none, so nothing is played there until the site's operator assigns one.")

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        Space.objects.filter(pk=self.space.pk).update(own_workers_alone=self.workers == "own")
        forget_needs(space=self.space)


@dataclass(frozen=True, slots=True)
class CloseSpace(SpaceAction):
    kind, button = "close_space", "Close the space"
    about = "A space and all its ladders close: only the site's organisers see it and can open it again."

    def ladders(self) -> Iterable[Ladder]:
        return self.space.ladders.exclude(status=Ladder.Status.CLOSED).order_by("pk")

    def hold(self) -> None:
        super(CloseSpace, self).hold()
        Space.objects.select_for_update(no_key=True).get(pk=self.space.pk)

    def preview(self) -> Effect:
        if self.now().closed_at:
            raise Refused("wrong_status", "%(space)s is closed already", space=self.space)
        count = self.space.members.count()
        says = [
            Sentence(
                "Its only member no longer sees it, and join codes do not open it."
                if count == 1
                else "Its %(count)s members no longer see it, and join codes do not open it.",
                count=count,
            ),
            Sentence("Nothing is lost: the site’s organisers can open it again."),
            *self._of_events(),
            *self._of_ladders(),
        ]
        return Effect(self.subject(), says, [Change("space", "open", "closed")])

    def _of_ladders(self) -> Iterable[str]:
        for ladder in self.ladders():
            yield Sentence("Of the ladder %(ladder)s:", ladder=ladder)
            yield from Close(ladder).says(ladder)

    def _of_events(self) -> Iterable[str]:
        coming = (Event.Status.REGISTRATION, Event.Status.RUNNING)
        if events := Event.objects.filter(ladder__space=self.space, status__in=coming).count():
            yield Sentence(
                "1 event that is not over plays what is dealt, and then waits until it is opened again."
                if events == 1
                else "%(events)s events that are not over play what is dealt, and then wait until it is opened again.",
                events=events,
            )

    def carry_out(self, act: Act) -> None:
        for ladder in list(self.ladders()):
            Close(ladder).carry_out(act)
        Space.objects.filter(pk=self.space.pk).update(closed_at=timezone.now())
        text = Sentence("%(space)s is closed: %(reason)s", space=self.space, reason=act.reason)
        members.notify_of_membership(organisers_of(self.space.pk), f"act {act.number}", text, "/spaces/", self.space)


@dataclass(frozen=True, slots=True)
class OpenSpaceAgain(SpaceAction):
    kind, button = "open_space_again", "Open the space again"
    about = "A closed space opens again for its members. Its ladders stay closed until each is opened."

    def preview(self) -> Effect:
        if not self.now().closed_at:
            raise Refused("wrong_status", "%(space)s is open", space=self.space)
        says = [
            Sentence(
                "Its members see it again, and its organisers run it. Its ladders stay closed until each is opened."
            )
        ]
        return Effect(self.subject(), says, [Change("space", "closed", "open")])

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        Space.objects.filter(pk=self.space.pk).update(closed_at=None)


@dataclass(frozen=True, slots=True)
class SuspendMember(SpaceAction):
    kind, button = "suspend_member", "Suspend in the space"
    about = (
        "A member can read, but not write in the space: no uploads, entries, games, texts, reports. Entries in "
        "its ladders pause. `words`: why, for the member and organisers alone. `until`: in UTC; without one, until "
        "it is lifted. The reason stands in the log, so name nobody in it."
    )
    user: User
    words: str = field(metadata=PLAIN_TEXT)
    until: datetime | None = None

    def hold(self) -> None:
        User.objects.select_for_update(no_key=True).get(pk=self.user.pk)

    def preview(self) -> Effect:
        if membership_of(self.space, self.user).role == SpaceMember.Role.ORGANISER:
            raise Refused(
                "organiser",
                "%(user)s is an organiser of %(space)s, and has to step down first",
                user=self.user,
                space=self.space,
            )
        return suspension_effect(self.user, self.space, self.until, self.words)

    def carry_out(self, act: Act) -> None:
        suspensions.begin_suspension(self.user, act, self.until, self.words.strip(), self.space)


@dataclass(frozen=True, slots=True)
class LiftMember(SpaceAction):
    kind, button = "lift_member", "Lift a suspension in the space"
    about = "A member who is suspended in the space can write there again, and their entries play."
    user: User

    def hold(self) -> None:
        User.objects.select_for_update(no_key=True).get(pk=self.user.pk)

    def preview(self) -> Effect:
        return lifting_effect(self.user, self.space)

    def carry_out(self, act: Act) -> None:
        suspensions.end_suspension(suspension_to_lift(self.user, self.space), act)
