"""Whether ladders look fair: what checks of their public ledgers came to."""

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
