"""The people at a table of several people."""

from django.conf import settings
from django.db import models


class PracticeSeat(models.Model):
    """A person at a seat that was kept for somebody by invitation, or at the host's own at such a table."""

    class State(models.TextChoices):
        HERE = "here", "At the table"
        AWAY = "away", "Was late too often; defaults are answered until they come back"
        LEFT = "left", "Has left for good; defaults are answered"

    practice = models.ForeignKey("Practice", models.CASCADE, related_name="sitting")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="practice_seats")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.HERE)
    missed = models.PositiveSmallIntegerField(default=0)  # times in a row that their time ran out

    class Meta:
        constraints = [
            models.UniqueConstraint("practice", "number", name="one_person_a_seat"),
            models.UniqueConstraint("practice", "user", name="nobody_sits_twice"),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of practice {self.practice_id}"
