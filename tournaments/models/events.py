"""Events: tournaments with a beginning and an end."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q

from tournaments.models.documents import VALUES, BoundedJSON
from tournaments.models.texts import MARKDOWN, TypedText

MOST = 1000  # entrants, as in `bots.formats.validation`, which the tables do not load
LONGEST_CHECK_IN = 7 * 24 * 60  # minutes


class Event(models.Model):
    """A tournament under a ladder's settings. What is played next follows from its format and its results alone."""

    class Status(models.TextChoices):
        DRAFT = "draft", "Not announced; only organisers see it"
        REGISTRATION = "registration", "Bots may register"
        RUNNING = "running", "Versions are frozen, and sets are played"
        FINISHED = "finished", "All sets are played; the result stands"
        CANCELLED = "cancelled", "Ended without a result"

    OVER = (Status.FINISHED, Status.CANCELLED)

    slug = models.SlugField(max_length=40, unique=True)
    title = models.CharField(max_length=80)
    description = TypedText(MARKDOWN, blank=True)
    ladder = models.ForeignKey("Ladder", models.PROTECT, related_name="events")
    spec = BoundedJSON(
        "format", most=VALUES, help_text='Such as {"t": "swiss", "rounds": 5}; docs/events.md shows them all.'
    )
    lot = models.CharField(max_length=64)  # all that the format draws, it draws from this
    status = models.CharField(max_length=12, choices=Status, default=Status.DRAFT)
    starts_at = models.DateTimeField(
        null=True, blank=True, help_text="It starts by itself then; empty: when an organiser starts it."
    )
    rules = TypedText(
        MARKDOWN,
        blank=True,
        default="",
        db_default="",
        help_text="Markdown: what counts here beside the format, for its page.",
    )
    opens_at = models.DateTimeField(
        null=True, blank=True, help_text="Bots may register from then on; empty: as soon as it is announced."
    )
    closes_at = models.DateTimeField(
        null=True, blank=True, help_text="Bots may register until then; empty: until it starts."
    )
    places = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(2), MaxValueValidator(MOST)],
        help_text="Bots that can play; those who come later wait for a place. Empty: as many as come.",
    )
    check_in_minutes = models.PositiveSmallIntegerField(
        default=0,
        db_default=0,
        validators=[MaxValueValidator(LONGEST_CHECK_IN)],
        help_text="Before the start, for all to check in; who does not is out, and the next moves up. 0: none.",
    )
    invited_only = models.BooleanField(
        default=False, db_default=False, help_text="Only people whom an organiser has invited register bots."
    )
    called_at = models.DateTimeField(null=True, blank=True)  # when its entrants were told to check in
    released = models.PositiveIntegerField(
        "released up to round",
        null=True,
        blank=True,
        help_text="0: results are held back until they are released round by round; empty: public as they come in.",
    )
    previous = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="later", help_text="The season before, for a link."
    )
    reason = models.CharField(max_length=200, blank=True)  # why it was cancelled
    organiser = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="events")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        indexes = [models.Index("id", name="events_under_way", condition=Q(status__in=("registration", "running")))]

    def __str__(self) -> str:
        return self.title

    @property
    def is_held_back(self) -> bool:
        """Whether results are still released round by round. Who sees which, `accounts.visibility` decides."""
        return self.released is not None

    def holds_back(self, number: int) -> bool:
        """Whether the results of this round are not released yet."""
        return self.released is not None and number > self.released


class Entrant(models.Model):
    """A bot in an event. Its version is frozen at the start."""

    class Status(models.TextChoices):
        PLAYING = "playing", "Plays"
        WAITING = "waiting", "On the waiting list; it plays if a place becomes free before the start"
        WITHDRAWN = "withdrawn", "Withdrawn; it is no longer paired from the next round on"
        DISQUALIFIED = "disqualified", "Disqualified; it is no longer paired, and has no place"

    event = models.ForeignKey(Event, models.CASCADE, related_name="entrants")
    bot = models.ForeignKey("Bot", models.CASCADE, related_name="events")
    version = models.ForeignKey("Version", models.CASCADE, null=True, blank=True, related_name="events")
    seed = models.FloatField(default=1500)  # its Elo at the start
    sd = models.FloatField(default=350)
    hand_seed = models.PositiveSmallIntegerField(null=True, blank=True)  # by an organiser, from 1; else by rating
    side = models.PositiveBigIntegerField(
        null=True, blank=True
    )  # its owner's at the start: who counts as one with whom
    status = models.CharField(max_length=12, choices=Status, default=Status.PLAYING)
    reason = models.CharField(max_length=200, blank=True)
    left_at = models.PositiveIntegerField(null=True, blank=True)  # the last round it was paired in when it left
    place = models.PositiveIntegerField(null=True, blank=True)  # in the end
    checked_in_at = models.DateTimeField(null=True, blank=True)
    registered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint("event", "bot", name="a_bot_registers_once")]
        indexes = [models.Index("bot", F("event").desc(), name="events_of_a_bot")]

    def __str__(self) -> str:
        return f"{self.bot} in {self.event}"


class EventInvitation(models.Model):
    """Somebody whom an organiser asked to take part."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="event_invitations")
    declined_at = models.DateTimeField(null=True, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint("event", "user", name="invited_to_an_event_once")]

    def __str__(self) -> str:
        return f"{self.user} is invited to {self.event}"
