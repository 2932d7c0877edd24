"""What maintenance commands have done."""

from django.db import models


class Upkeep(models.Model):
    """When something was done last, and how many rows it has been done to in all: numbers that only grow stay so."""

    what = models.CharField(max_length=60, unique=True)  # "backup", or "attempts.OUTCOME" that retention has forgotten
    at = models.DateTimeField(auto_now=True)
    count = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.what}: {self.count}"


class Spending(models.Model):
    """How much a holder (a person, a space, an address) has taken of a budget in the period that ends at `until`."""

    budget = models.CharField(max_length=60)
    holder = models.CharField(max_length=200)
    until = models.DateTimeField(db_index=True)
    amount = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["budget", "holder", "until"], name="one_count_in_a_period")]

    def __str__(self) -> str:
        return f"{self.budget} of {self.holder}: {self.amount}"
