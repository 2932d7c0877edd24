"""A ladder as a course: marks by a panel of staff's bots, a deadline, late days."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models

from tournaments.core.config.time_zones import moment_in_zone
from tournaments.models.documents import TABLE, VALUES, BoundedJSON

WITHIN, MOST_WITHIN = 10, 25


class Course(models.Model):
    """Of one ladder. What students see of each other is not in it: everybody is marked by their own sets alone."""

    ladder = models.OneToOneField("Ladder", models.CASCADE, related_name="course")
    rules = BoundedJSON(most=VALUES, default=list)  # [version of the panel, percent, points], in the scheme's order
    within = models.PositiveSmallIntegerField(default=WITHIN)  # percent points to which each chance is to be known
    deadline = models.DateTimeField(null=True, blank=True)
    late_days = models.PositiveSmallIntegerField(default=0)  # each student has in all ladders of its space
    penalty = models.PositiveSmallIntegerField(default=0)  # points for each late day
    time_zone = models.CharField(
        max_length=60, blank=True, default="", db_default=""
    )  # "": the space's, or else the site's
    thawed_at = models.DateTimeField(null=True, blank=True)  # the platform does not freeze it again for an end before
    final_after = models.PositiveIntegerField(null=True, blank=True)  # its sets with a higher number give final marks
    final_until = models.PositiveIntegerField(null=True, blank=True)  # the last of them; None: they are under way
    final_field = BoundedJSON(most=TABLE, default=dict)  # by bot, the version that is marked

    def __str__(self) -> str:
        return f"course of {self.ladder}"

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of deadlines, by which late days are counted."""
        space = self.ladder.space
        return ZoneInfo(self.time_zone or (space.time_zone if space else "") or settings.SITE_TIME_ZONE)

    @property
    def deadline_text(self) -> str:
        return self.shown(self.deadline) if self.deadline else ""

    def shown(self, moment: datetime) -> str:
        """Return a moment by the clock of its zone."""
        return moment_in_zone(moment, self.zone)


class Extension(models.Model):
    """A later deadline for one student."""

    course = models.ForeignKey(Course, models.CASCADE, related_name="extensions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    until = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint("course", "user", name="one_extension_a_student")]

    def __str__(self) -> str:
        return f"{self.user} until {self.until:%Y-%m-%d %H:%M}"
