"""A member is suspended in one space, by its organisers. Outside it the account is as ever."""

from dataclasses import dataclass
from datetime import datetime

from tournaments.acts.base import Effect
from tournaments.errors import Refused
from tournaments.features.moderation import suspensions
from tournaments.features.moderation.actions import lifting_effect, suspended, suspension_effect
from tournaments.features.spaces.actions import SpaceAction
from tournaments.features.spaces.members import place_of
from tournaments.models import Act, SpaceMember, User


@dataclass(frozen=True, slots=True)
class SuspendMember(SpaceAction):
    kind, button = "suspend_member", "Suspend in the space"
    about = (
        "A member reads, and writes nothing in the space: no uploads, entries, games, texts, reports. Entries in "
        "its ladders pause. `words`: why, for the member and organisers alone. `until`: in UTC; without one, until "
        "it is lifted. The reason stands in the log, so name nobody in it."
    )
    user: User
    words: str
    until: datetime | None = None

    def hold(self) -> None:
        User.objects.select_for_update(no_key=True).get(pk=self.user.pk)

    def preview(self) -> Effect:
        if place_of(self.space, self.user).role == SpaceMember.Role.ORGANISER:
            raise Refused(
                "organiser",
                "%(user)s is an organiser of %(space)s, and has to step down first",
                user=self.user,
                space=self.space,
            )
        return suspension_effect(self.user, self.space, self.until, self.words)

    def carry_out(self, act: Act) -> None:
        suspensions.begin(self.user, act, self.until, self.words.strip(), self.space)


@dataclass(frozen=True, slots=True)
class LiftMember(SpaceAction):
    kind, button = "lift_member", "Lift a suspension in the space"
    about = "A member who is suspended in the space writes there again, and their entries play."
    user: User

    def hold(self) -> None:
        User.objects.select_for_update(no_key=True).get(pk=self.user.pk)

    def preview(self) -> Effect:
        return lifting_effect(self.user, self.space)

    def carry_out(self, act: Act) -> None:
        suspensions.end(suspended(self.user, self.space), act)
