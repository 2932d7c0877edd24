"""Trials: a new version plays the bot's champion, beside the ladder, before it replaces it."""

from django.db import models
from django.db.models import Q


class Trial(models.Model):
    """A sequential test of a candidate against the champion, in duplicate sets with both at every table."""

    class Status(models.TextChoices):
        RUNNING = "running", "Sets are played until the test decides"
        PASSED = "passed", "The candidate is stronger: its owner is asked"
        PROMOTED = "promoted", "The candidate plays for its bot now"
        REFUSED = "refused", "The candidate is not stronger by what was asked; the champion stays"
        CANCELLED = "cancelled", "Ended by its owner, or by a newer version"

    ladder = models.ForeignKey("Ladder", models.CASCADE, related_name="trials")
    candidate = models.OneToOneField("Version", models.CASCADE, related_name="trial")
    champion = models.ForeignKey("Version", models.CASCADE, related_name="defences")
    status = models.CharField(max_length=10, choices=Status, default=Status.RUNNING)
    played = models.PositiveIntegerField(default=0)  # sets
    score = models.FloatField(default=0.5)  # the candidate's mean share against the champion
    llr = models.FloatField(default=0)  # the log-likelihood ratio so far
    reason = models.CharField(max_length=200, blank=True)  # how it ended
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index("id", name="trials_under_way", condition=Q(status="running"))]

    def __str__(self) -> str:
        return f"trial of {self.candidate}"
