"""Ladders: continuous rankings under fixed settings."""

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q

from engine.games import GAMES
from engine.records import RecordError, to_plain
from tournaments.models.bots import Bot, Version, games

LEAST_MEMORY_MB, MOST_MEMORY_MB = 64, 8192
MANY_ANSWERS = 1000  # more than a seat gives in one match


class Ladder(models.Model):
    class Status(models.TextChoices):
        OPEN = "open", "Open: bots may enter, and sets are paired"
        PAUSED = "paused", "Paused: bots may enter, nothing new is paired"
        CLOSED = "closed", "Closed: the standings are final"

    class Division(models.TextChoices):
        TIME = "time", "Bots are timed by the CPU seconds they use"
        FUEL = "fuel", "Bots run in WebAssembly on a budget of fuel: anybody can run them again to the same end"

    slug = models.SlugField(max_length=40, unique=True)
    title = models.CharField(max_length=80)
    description = models.TextField(blank=True)
    game = models.CharField(max_length=40, choices=games)
    rules = models.PositiveIntegerField()  # the rules version its sets are played by
    options = models.JSONField()  # of the game, complete
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    answer_ms = models.PositiveIntegerField(default=1000, validators=[MinValueValidator(10), MaxValueValidator(60_000)])
    bank_ms = models.PositiveIntegerField(
        default=30_000, validators=[MinValueValidator(100), MaxValueValidator(3_600_000)]
    )
    increment_ms = models.PositiveIntegerField(default=0, validators=[MaxValueValidator(60_000)])  # after each answer
    start_ms = models.PositiveIntegerField(default=5000, validators=[MinValueValidator(100), MaxValueValidator(60_000)])
    memory_mb = models.PositiveIntegerField(
        default=512, validators=[MinValueValidator(LEAST_MEMORY_MB), MaxValueValidator(MOST_MEMORY_MB)]
    )
    strikes = models.PositiveSmallIntegerField(default=3, validators=[MinValueValidator(1), MaxValueValidator(100)])
    division = models.CharField(max_length=4, choices=Division, default=Division.TIME)
    owners_apart = models.BooleanField(default=False)  # bots of one owner never sit at one table
    sets_wanted = models.PositiveIntegerField(default=100)  # of each version at full speed; after that the pace below
    pace_seconds = models.PositiveIntegerField(default=20)  # one set in so many seconds once all have played enough
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(strikes__gte=1), name="at_least_one_strike"),
            models.CheckConstraint(
                condition=Q(memory_mb__gte=LEAST_MEMORY_MB, memory_mb__lte=MOST_MEMORY_MB), name="memory_within_reason"
            ),
            models.CheckConstraint(
                condition=~Q(division="fuel") | Q(increment_ms=0),
                name="fuel_has_no_increment",
                violation_error_message="The deterministic division has no increment: set it to 0 and the bank higher.",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def clean(self) -> None:
        """For forms: options that the game cannot be played with would stop the pairing."""
        if self.game in GAMES:
            try:
                self.options = to_plain(GAMES[self.game].read_options(self.options))
            except RecordError as error:
                raise ValidationError({"options": str(error)}) from None

    @property
    def seats(self) -> int:
        return int(self.options["players"])

    @property
    def most_cpu_s(self) -> int:
        """Where the kernel ends a bot's process: well after the clocks should have."""
        return 60 + (self.bank_ms + self.start_ms + MANY_ANSWERS * self.increment_ms) // 1000

    @property
    def game_title(self) -> str:
        return GAMES[self.game].title


class Entry(models.Model):
    """A bot's place in a ladder. It plays with whichever version of the bot is active."""

    class Status(models.TextChoices):
        PLAYING = "playing", "Paired whenever its bot has an active version"
        WITHDRAWN = "withdrawn", "Withdrawn by its owner; may enter again"
        SUSPENDED = "suspended", "Suspended after three sets in a row in which it forfeited; upload a new version"

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="entries")
    bot = models.ForeignKey(Bot, models.CASCADE, related_name="entries")
    status = models.CharField(max_length=10, choices=Status, default=Status.PLAYING)
    entered_at = models.DateTimeField(auto_now_add=True)
    paired_at = models.DateTimeField(null=True, blank=True)  # the last time; the longest waiting come first

    class Meta:
        constraints = [models.UniqueConstraint("ladder", "bot", name="a_bot_enters_a_ladder_once")]
        verbose_name_plural = "entries"

    def __str__(self) -> str:
        return f"{self.bot} in {self.ladder}"


class Tally(models.Model):
    """What the ledger says of a version up to some set: a fold over completed sets, never edited by hand."""

    milli_elo = models.IntegerField()  # Elo times 1000, so that exchanges sum to zero exactly
    delta = models.IntegerField(default=0)  # milli-Elo, by its last set
    sets = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0)
    wins = models.FloatField(default=0)  # shared wins count as their share
    places = models.PositiveIntegerField(default=0)  # the sum, so that the mean is places / games
    forfeits = models.PositiveIntegerField(default=0)  # games in which it forfeited
    streak = models.PositiveIntegerField(default=0)  # sets in a row, up to its last, with a forfeit in each

    class Meta:
        abstract = True

    @property
    def elo(self) -> float:
        return self.milli_elo / 1000


class Rating(Tally):
    """A version's tally over all the sets of a ladder."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="ratings")
    version = models.ForeignKey(Version, models.CASCADE, related_name="ratings")

    class Meta:
        constraints = [models.UniqueConstraint("ladder", "version", name="one_rating_a_version_in_a_ladder")]
        indexes = [models.Index("ladder", F("milli_elo").desc(), "id", name="standings")]

    def __str__(self) -> str:
        return f"{self.version}: {self.elo:.0f}"


class RatingStep(Tally):
    """A version's tally after one completed set: the history that charts draw, and where a fold may go on from."""

    set = models.ForeignKey("tournaments.MatchSet", models.CASCADE, related_name="steps")
    version = models.ForeignKey(Version, models.CASCADE, related_name="steps")

    class Meta:
        constraints = [models.UniqueConstraint("set", "version", name="one_step_a_version_in_a_set")]
        indexes = [models.Index("version", F("set").desc(), name="steps_of_a_version")]

    def __str__(self) -> str:
        return f"{self.version}: {self.delta:+d}"
