"""What maintenance commands have done."""

from django.db import models


class Upkeep(models.Model):
    """When something was done last, and how many rows it has been done to in all: numbers that only grow stay so."""

    what = models.CharField(max_length=60, unique=True)  # "backup", or "attempts.OUTCOME" that retention has forgotten
    at = models.DateTimeField(auto_now=True)
    count = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.what}: {self.count}"
