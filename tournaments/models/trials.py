"""Trials: a new version plays the bot's champion, off the ladder, before it replaces it."""

from django.db import models
from django.db.models import F, Q

# 1: at least 8 sets and at most 150, undecided was refused. 2: `bots.sequential_test`.
RULE = 2


class Trial(models.Model):
    """A sequential test of a candidate against the champion, in duplicate sets with both at every table."""

    class Status(models.TextChoices):
        RUNNING = "running", "Sets are played until the test decides"
        PASSED = "passed", "The candidate is accepted: its owner is asked"
        PROMOTED = "promoted", "The candidate plays for its bot now"
        REFUSED = "refused", "The candidate is refused; the champion stays"
        CANCELLED = "cancelled", "Ended by its owner, or by a newer version"

    ladder = models.ForeignKey("Ladder", models.CASCADE, related_name="trials")
    candidate = models.OneToOneField("Version", models.CASCADE, related_name="trial")
    champion = models.ForeignKey("Version", models.CASCADE, related_name="defences")
    status = models.CharField(max_length=10, choices=Status, default=Status.RUNNING)
    rule = models.PositiveSmallIntegerField(default=RULE, db_default=RULE)  # by which it is judged
    elo0 = models.FloatField(default=0, db_default=0)  # the candidate against the champion: refused if it is as here
    elo1 = models.FloatField(default=30, db_default=30)  # accepted if it is as here
    played = models.PositiveIntegerField(default=0)  # sets, up to the one that decided
    score = models.FloatField(default=0.5)  # the candidate's mean share against the champion
    llr = models.FloatField(default=0)  # the log-likelihood ratio so far
    reason = models.CharField(max_length=200, blank=True)  # how it ended
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index("id", name="trials_under_way", condition=Q(status="running"))]
        constraints = [models.CheckConstraint(condition=Q(elo0__lt=F("elo1")), name="bounds_of_a_trial_are_in_order")]

    def __str__(self) -> str:
        return f"trial of {self.candidate}"
