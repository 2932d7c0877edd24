"""What people follow, the news of it, and the weekly letter."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from tournaments.models.documents import VALUES, BoundedJSON

TARGETS = ("bot", "person", "ladder", "event")  # what can be followed, and has news


class Targeted(models.Model):
    """A row about a bot, a person, a ladder or an event. Its indexes are of its own."""

    bot = models.ForeignKey(
        "tournaments.Bot", models.CASCADE, null=True, blank=True, related_name="%(class)ss", db_index=False
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="%(class)ss_of", db_index=False
    )
    ladder = models.ForeignKey(
        "tournaments.Ladder", models.CASCADE, null=True, blank=True, related_name="%(class)ss", db_index=False
    )
    event = models.ForeignKey(
        "tournaments.Event", models.CASCADE, null=True, blank=True, related_name="%(class)ss", db_index=False
    )

    class Meta:
        abstract = True


class Follow(Targeted):
    """Somebody follows something."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="follows")
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            *(models.UniqueConstraint("user", target, name=f"{target}_is_followed_once") for target in TARGETS),
            models.CheckConstraint(
                condition=Q(
                    *(Q(**{f"{other}__isnull": other != target for other in TARGETS}) for target in TARGETS),
                    _connector=Q.OR,
                ),
                name="one_thing_is_followed",
            ),
        ]
        indexes = [models.Index(target, "id", name=f"followers_by_{target}") for target in TARGETS]

    def __str__(self) -> str:
        return f"{self.user} follows {self.target}"

    @property
    def target(self) -> Any:
        return self.bot or self.person or self.ladder or self.event


class NewsItem(Targeted):
    """Something that happened to what can be followed, written once for all followers.

    The names in its sentence are those of its rows when it is read: renamed or erased ones leave nothing behind.
    """

    class Kind(models.TextChoices):
        BOT = "bot", "A person has a new bot"
        VERSION = "version", "A bot plays with a new version"
        RANK = "rank", "A bot gained or lost a rank"
        STATUS = "status", "A ladder was closed, or opened again"
        SAID = "said", "Organisers announced something"
        ANNOUNCED = "announced", "An event takes bots"
        BEGAN = "began", "An event has begun"
        ROUND = "round", "A round is out"
        WINNER = "winner", "An event has a winner"
        CANCELLED = "cancelled", "An event was called off"

    NOTIFIED = (Kind.VERSION, Kind.SAID, Kind.BEGAN, Kind.WINNER, Kind.CANCELLED)  # followers get a notice

    key = models.CharField(max_length=120, unique=True)
    kind = models.CharField(max_length=10, choices=Kind)
    template = models.CharField(max_length=200)  # of a sentence
    filled = BoundedJSON(most=VALUES, default=dict, blank=True)  # what it has beside names of rows: numbers, a title
    text = models.CharField(max_length=400, blank=True)  # what organisers wrote in it
    round = models.PositiveIntegerField(default=0)  # of the event; 0: it tells no result of a round
    path = models.CharField(max_length=200)  # of the page that shows more
    at = models.DateTimeField(auto_now_add=True)
    told = models.PositiveBigIntegerField(null=True, blank=True)  # the last follow whose person has a notice; None: all
    missed = BoundedJSON(most=VALUES, default=list, blank=True)  # accounts whose notice failed, to be tried again

    class Meta:
        indexes = [
            *(models.Index(target, F("id").desc(), name=f"news_by_{target}") for target in TARGETS),
            models.Index("id", name="news_to_tell", condition=Q(told__isnull=False) | ~Q(missed=[])),
        ]

    def __str__(self) -> str:
        return self.key


class WeeklyLetter(models.Model):
    """That somebody wants the letter of the week, and what it compares with."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="weekly_letter")
    language = models.CharField(max_length=10)  # of the page on which it was asked for
    due_at = models.DateTimeField(default=timezone.now, db_index=True)
    places = BoundedJSON(most=VALUES, null=True, blank=True)  # by entry, a week before; None: not known yet

    def __str__(self) -> str:
        return f"weekly letter to {self.user}"
