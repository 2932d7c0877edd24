"""Ladders that are closed and events that are over: the archive."""

from django.db import models
from django.db.models import F, Q

from tournaments.models.documents import VALUES, BoundedJSON


class PastSeason(models.Model):
    """A season as it ended. Its fingerprint is in the public log, so that anybody knows a file of it as the site's.

    It is due as long as more has changed in it than was looked at: see `features.seasons.steps`.
    """

    ladder = models.OneToOneField("Ladder", models.CASCADE, related_name="past_season", null=True, blank=True)
    event = models.OneToOneField("Event", models.CASCADE, related_name="past_season", null=True, blank=True)
    ended_at = models.DateTimeField()
    changes = models.PositiveIntegerField(default=1)
    looked_at = models.PositiveIntegerField(default=0)  # how many of them
    winners = BoundedJSON(most=VALUES, default=list)  # ids of bots
    entrants = models.PositiveIntegerField(default=0)
    sets = models.PositiveIntegerField(default=0)
    fingerprint = models.CharField(max_length=64, blank=True)  # none of what ended before there were any
    act = models.OneToOneField("Act", models.PROTECT, related_name="+", null=True, blank=True)  # that has it
    old = models.BooleanField(default=False)  # it ended before

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(ladder__isnull=False, event__isnull=True) | Q(ladder__isnull=True, event__isnull=False),
                name="a_season_is_of_a_ladder_or_an_event",
            )
        ]
        indexes = [
            models.Index("id", name="seasons_due", condition=Q(looked_at__lt=F("changes"))),
            models.Index(F("ended_at").desc(), name="seasons_by_their_end"),
        ]

    def __str__(self) -> str:
        return f"season of {self.event or self.ladder}"
