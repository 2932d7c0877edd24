"""Chains of secrets that deals are made from, each fixed by its anchor before its first link is used."""

from django.db import models


class SeedChain(models.Model):
    """A hash chain: the anchor is the root hashed `length` times, and public; link n hashed n times is the anchor."""

    ladder = models.ForeignKey("Ladder", models.CASCADE, related_name="chains")
    number = models.PositiveIntegerField()  # of the ladder's chains
    length = models.PositiveIntegerField()
    anchor = models.CharField(max_length=64, unique=True)
    root = models.CharField(max_length=64)  # secret until every link is used and over
    used = models.PositiveIntegerField(default=0)  # links, the first one being 1
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("ladder", "number", name="chains_of_a_ladder_are_numbered"),
            models.CheckConstraint(condition=models.Q(used__lte=models.F("length")), name="a_chain_ends"),
        ]

    def __str__(self) -> str:
        return f"chain {self.number} of {self.ladder}"
