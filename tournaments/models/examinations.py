"""The doctor's examination of a version that passed its check: some thousand questions in the sandbox."""

from django.db import models
from django.db.models import Q

from tournaments.models.documents import RECORD, BoundedJSON
from tournaments.models.texts import REASON, MadeText


class Examination(models.Model):
    """Asked a few seconds at a time. `turn` is a fencing number, as a practice's. It decides nothing."""

    class Status(models.TextChoices):
        WAITING = "waiting", "Waits until no match needs the workers"
        ASKED = "asked", "With a worker, or on the way to one"
        DONE = "done", "The card is there"
        FAILED = "failed", "Given up; the reason says why"

    version = models.OneToOneField("Version", models.CASCADE, related_name="examination")
    rules = models.PositiveIntegerField()
    status = models.CharField(max_length=7, choices=Status, default=Status.WAITING)
    turn = models.PositiveIntegerField(default=0)
    until = models.DateTimeField(null=True, blank=True)  # it is asked anew then
    pool = models.CharField(max_length=30, blank=True)  # of ASKED: the space whose own workers have it; "" is the site
    begun = models.BooleanField(default=False)  # of ASKED: whether a worker has said that it has it
    failures = models.PositiveSmallIntegerField(default=0)  # in a row
    reason = MadeText(REASON, blank=True)  # of the last of them
    seconds = models.FloatField(default=0.0)  # of wall time at workers
    questions = models.PositiveIntegerField(default=0)  # asked so far
    matches = models.PositiveIntegerField(default=0)
    seen = BoundedJSON(most=RECORD, default=dict, blank=True)  # what the card is made of, and nothing once it is made
    findings = BoundedJSON(most=RECORD, default=list, blank=True)  # the card
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index("id", name="examinations_to_do", condition=Q(status__in=("waiting", "asked")))]

    def __str__(self) -> str:
        return f"examination of {self.version}"

    @property
    def to_do(self) -> bool:
        return self.status in (self.Status.WAITING, self.Status.ASKED)
