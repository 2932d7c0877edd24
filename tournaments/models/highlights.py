"""Matches that stand out, for the galleries."""

from django.db import models
from django.db.models import F

SHELVES = (("kind",), ("kind", "game"), ("kind", "month"), ("kind", "game", "month"))  # what a gallery is of


class Highlight(models.Model):
    """What is remarkable about a rated match that everybody played to the end. `value`: by which share of the winner's
    score it was decided, the least chance that the winner had, or how much Elo a rival was above the winner."""

    class Kind(models.TextChoices):
        CLOSEST = "closest", "The closest"
        COMEBACK = "comeback", "The biggest comebacks"
        UPSET = "upset", "The biggest upsets"

    match = models.ForeignKey("Match", models.CASCADE, related_name="highlights")
    kind = models.CharField(max_length=8, choices=Kind)
    game = models.CharField(max_length=40)
    month = models.CharField(max_length=7)  # 2026-11, in which it was recorded
    value = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint("match", "kind", name="a_match_is_highlighted_once_a_kind")]
        indexes = [
            models.Index(*shelf, "value", F("match").desc(), name=f"highlights_by_{'_'.join(shelf)}")
            for shelf in SHELVES
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.match}"
