"""The attempts to play a match: how each ended says why a match was played again."""

from django.db import models
from django.db.models import F, Q

from tournaments.models.texts import REASON, MadeText


class Attempt(models.Model):
    """One try at a match under one lease; the owners of its bots can see them all."""

    class Outcome(models.TextChoices):
        SENT = "sent", "Sent to the queue"
        PLAYING = "playing", "A worker plays it"
        RECORDED = "recorded", "Its report was recorded"
        RETURNED = "returned", "Given back by a worker that was leaving"
        VOID = "void", "The platform failed; no bot is charged"
        EXPIRED = "expired", "Nothing was heard before the lease ran out"
        REFUSED = "refused", "Its report was refused; the reason says why"

    match = models.ForeignKey("Match", models.CASCADE, related_name="attempts")
    lease = models.PositiveIntegerField()
    worker = models.CharField(max_length=120, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.SENT)
    reason = MadeText(REASON, blank=True)
    failed = models.BooleanField(default=False)  # counts against the match: too many, and it is quarantined
    sent_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("match", "lease", name="one_attempt_a_lease"),
            models.CheckConstraint(
                condition=Q(outcome__in=("sent", "playing"), ended_at__isnull=True)
                | (~Q(outcome__in=("sent", "playing")) & Q(ended_at__isnull=False)),
                name="an_attempt_has_an_end_when_it_is_over",
            ),
        ]
        indexes = [
            models.Index("match", name="attempts_under_way", condition=Q(outcome__in=("sent", "playing"))),
            models.Index(F("ended_at").desc(), name="latest_attempts"),
        ]

    def __str__(self) -> str:
        return f"attempt {self.lease} at {self.match}"
