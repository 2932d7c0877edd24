"""The time zone of a space: by its clock deadlines are shown and late days counted."""

from dataclasses import dataclass

from engine.sentences import Sentence
from tournaments.acts.base import Change, Effect
from tournaments.config.time_zones import checked_zone
from tournaments.errors import Refused
from tournaments.features.spaces.actions import SpaceAction
from tournaments.models import Act, Course, Space


@dataclass(frozen=True, slots=True)
class SetTimeZone(SpaceAction):
    kind, button = "set_time_zone", "Set the time zone"
    about = (
        "By the clock of this time zone deadlines in a space are shown, and late days end. `time_zone`: an IANA "
        "name, such as Europe/Berlin; without one it is the site’s. A ladder can have one of its own."
    )
    time_zone: str | None = None

    def preview(self) -> Effect:
        before, after = self.now().time_zone, checked_zone(self.time_zone or "")
        courses = Course.objects.filter(ladder__space=self.space, time_zone="").exclude(deadline=None).count()
        says = (
            Sentence("No deadline goes by it yet.")
            if not courses
            else Sentence("1 deadline stays the same moment, and late days after it end by the other clock.")
            if courses == 1
            else Sentence(
                "%(courses)s deadlines stay the same moments, and late days after them end by the other clock.",
                courses=courses,
            )
        )
        changes = [Change("time_zone", before or "site", after or "site")] if before != after else []
        return Effect(self.subject(), [says], changes)

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        name = checked_zone(self.time_zone or "")
        if self.now().time_zone == name:  # not before: the form begins with what is
            raise Refused("nothing_changes", "%(space)s is so already", space=self.space)
        Space.objects.filter(pk=self.space.pk).update(time_zone=name)
