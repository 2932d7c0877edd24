"""Results without luck: what ladders show beside their ratings. Nothing here affects a rating or a pairing."""

from django.db import models

from tournaments.models.documents import RECORD, TABLE, VALUES, BoundedJSON
from tournaments.models.texts import REASON, MadeText


class LadderLuck(models.Model):
    """The value by which a ladder tells luck, fixed from the moment it is named."""

    ladder = models.OneToOneField("Ladder", models.CASCADE, related_name="luck")
    value = BoundedJSON(most=RECORD)  # `engine.luck_value`, whole
    hash = models.CharField(max_length=64)  # its own
    named_at = models.DateTimeField(auto_now_add=True)
    looked_at = models.DateTimeField(null=True)  # all sets that a fit had taken in by then have been looked at

    class Meta:
        verbose_name_plural = "ladder luck"

    def __str__(self) -> str:
        return f"the value of luck of {self.ladder}"


class MatchLuck(models.Model):
    """What is taken out of each seat's share of a match, told once."""

    match = models.OneToOneField("Match", models.CASCADE, related_name="luck")
    hash = models.CharField(max_length=64)  # of the value
    millionths = BoundedJSON(most=VALUES)  # of a share, by seat, whole numbers; empty where it cannot be told
    trouble = MadeText(REASON, blank=True)  # why not

    class Meta:
        verbose_name_plural = "match luck"

    def __str__(self) -> str:
        return f"luck of {self.match}"


class ShadowFit(models.Model):
    """The last fit of a ladder's ratings from shares without luck, beside the official one."""

    ladder = models.OneToOneField("Ladder", models.CASCADE, related_name="shadow")
    hash = models.CharField(max_length=64)  # of the value
    sets = models.PositiveIntegerField()  # taken in
    phi = models.FloatField()
    rows = BoundedJSON(most=TABLE)  # by version: Elo and half of its 95 % interval
    seconds = models.FloatField()  # it took
    made_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"shadow of {self.ladder} over {self.sets} sets"
