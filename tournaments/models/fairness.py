"""Whether ladders look fair: what checks of their public ledgers came to, and one bot under two names."""

from django.db import models

from tournaments.models.documents import VALUES, BoundedJSON


class FairnessReport(models.Model):
    """The last report on a ladder, over its rated sets."""

    ladder = models.OneToOneField("Ladder", models.CASCADE, related_name="fairness")
    sets = models.PositiveIntegerField()
    checks = BoundedJSON(most=VALUES)  # as `tournaments.ratings.fairness.Check`
    seconds = models.FloatField()  # it took
    made_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"fairness of {self.ladder} over {self.sets} sets"


class Twins(models.Model):
    """A bot of the house that plays in a ladder under a second name: who may know it, `features.fairness.twins` says.

    The public log has the SHA-256 of `text` from the beginning, and `text` once they are revealed.
    """

    ladder = models.OneToOneField("Ladder", models.CASCADE, related_name="twins")
    original = models.ForeignKey("Version", models.CASCADE, related_name="+")
    twin = models.OneToOneField("Version", models.CASCADE, related_name="+")
    text = models.CharField(max_length=300)
    act = models.OneToOneField("Act", models.PROTECT, related_name="+")  # that entered them
    revealed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"twins of {self.ladder}"
