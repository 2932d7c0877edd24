"""Items of a long-running loop that failed, so that the loop continues without them."""

from django.db import models
from django.db.models.functions import Now


class FailingItem(models.Model):
    """It is forgotten when the item passes, and when an organiser asks for another try."""

    loop = models.CharField(max_length=40)
    item = models.CharField(max_length=120)
    reason = models.CharField(max_length=500)  # of the latest failure
    failures = models.IntegerField(default=0)  # in a row
    first_failed_at = models.DateTimeField(db_default=Now())
    last_failed_at = models.DateTimeField(db_default=Now())
    next_try_at = models.DateTimeField(null=True)  # nothing: it is set aside, until somebody asks for it

    class Meta:
        constraints = [models.UniqueConstraint(fields=["loop", "item"], name="failing_item_once")]

    def __str__(self) -> str:
        return f"{self.loop}: {self.item}"
