"""Final runs: a frozen ladder plays new deals near some borders until they are decided, and is closed."""

from django.db import models
from django.db.models import F, Q

from tournaments.models.documents import TABLE, VALUES, BoundedJSON


class FinalRun(models.Model):
    """One at a time in a ladder. Its sets are ordinary rated sets of the ladder."""

    class State(models.TextChoices):
        RUNNING = "running", "Sets are dealt near the borders"
        DECIDED = "decided", "Every border is decided; the ladder is closed"
        SPENT = "spent", "As many sets as were allowed are played; the ladder is closed"
        STUCK = "stuck", "Nothing more could be dealt; the ladder is closed"
        CANCELLED = "cancelled", "Ended by an organiser"

    ladder = models.ForeignKey("Ladder", models.CASCADE, related_name="final_runs")
    borders = BoundedJSON(most=VALUES)  # places; each border lies after one
    sets_at_most = models.PositiveIntegerField()
    sets = models.PositiveIntegerField(default=0)  # dealt
    # the borders as they were looked at last, as `ladders.borders` has them
    judged = BoundedJSON(most=VALUES, default=list)
    bots = BoundedJSON(most=TABLE, default=list)  # ids of those that were near a border at some time
    waits = models.CharField(max_length=200, blank=True)  # why nothing is dealt now, though something will be
    state = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    act = models.OneToOneField("Act", models.PROTECT, related_name="final_run")  # that began it
    ended_by = models.ForeignKey("Act", models.PROTECT, related_name="+", null=True, blank=True)
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("ladder", condition=Q(state="running"), name="one_final_run_at_a_time"),
            models.CheckConstraint(condition=Q(sets__lte=F("sets_at_most")), name="a_final_run_keeps_its_budget"),
        ]

    def __str__(self) -> str:
        return f"final run {self.pk} of {self.ladder}"
