"""The time zone of a space: by its clock deadlines are shown and late days counted."""

from dataclasses import dataclass

from engine.sentences import Sentence
from tournaments.acts.base import Change, Effect
from tournaments.acts.spaces import SpaceAction
from tournaments.config.time_zones import similar_name, zone_name
from tournaments.errors import Refused
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


def checked_zone(text: str) -> str:
    """Return the name as it is usually spelled; of nothing, nothing. Raises Refused(bad_time_zone)."""
    if not text.strip():
        return ""
    if found := zone_name(text):
        return found
    raise Refused(
        "bad_time_zone",
        "%(name)s is no time zone; name it as %(such)s is named",
        name=f"{text.strip():.60}",
        such=similar_name(text),
    )
