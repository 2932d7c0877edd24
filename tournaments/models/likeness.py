"""Versions that play like one of another bot: they may be one bot, entered twice."""

from django.db import models


class Likeness(models.Model):
    """A version that answered in a survey as one of an earlier entry of its side in the ladder did.

    There is no row of others: `open`, `different` and `untold`, like `tries`, are unused since 0.3.
    """

    class Status(models.TextChoices):
        OPEN = "open", "Matches are still played again"
        ALIKE = "alike", "All answers are the same"
        DIFFERENT = "different", "An answer differs"
        UNTOLD = "untold", "The other seats differ too early to tell"
        CLEARED = "cleared", "An organiser says that they are two bots"

    ladder = models.ForeignKey("Ladder", models.CASCADE, related_name="likenesses")
    original = models.ForeignKey("Version", models.CASCADE, related_name="+")
    version = models.ForeignKey("Version", models.CASCADE, related_name="likenesses")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    tries = models.PositiveIntegerField(default=0)
    matches = models.PositiveIntegerField(default=0)  # about which both were asked
    answers = models.PositiveIntegerField(default=0)  # that both gave in them, all the same
    looked_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint("ladder", "original", "version", name="compared_once_in_a_ladder")]

    def __str__(self) -> str:
        return f"{self.version} beside {self.original}"
