"""Badges of bots, and how far each ladder was read for them."""

from django.db import models


class Badge(models.Model):
    """What a bot has earned, once, by a rated set of a ladder."""

    class Kind(models.TextChoices):
        BEATEN = "beaten", "Finished a set ahead of a character"
        FIRST_WIN = "first_win", "First win"
        FIRST_UPSET = "first_upset", "First upset"
        ALL_BEATEN = "all_beaten", "All characters beaten"
        WEEK = "week", "A week on the ladder"

    bot = models.ForeignKey("Bot", models.CASCADE, related_name="badges")
    kind = models.CharField(max_length=12, choices=Kind)
    character = models.CharField(max_length=40, blank=True)  # that it has beaten, as `Bot.house` has it
    set = models.ForeignKey("MatchSet", models.CASCADE, related_name="+")
    earned_at = models.DateTimeField()  # the end of the set

    class Meta:
        constraints = [models.UniqueConstraint("bot", "kind", "character", name="a_badge_is_earned_once")]

    def __str__(self) -> str:
        return f"{self.bot}: {self.kind} {self.character}".strip()


class BadgeReading(models.Model):
    """How far a ladder was read for badges. Sets that are rated anew have new steps, and so are read again."""

    ladder = models.OneToOneField("Ladder", models.CASCADE, related_name="badge_reading")
    step = models.BigIntegerField(default=0)  # the last rating step that was read
    fit_at = models.DateTimeField(null=True)  # the fit by which all steps were read

    def __str__(self) -> str:
        return f"badges of {self.ladder}"
