"""Drafts of bots, and practice: unrated games, against bots or people or continued from a replay."""

from datetime import timedelta
from itertools import zip_longest
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q, Value

from tournaments.core.config.game_titles import games
from tournaments.core.config.sentence_data import sentence_of
from tournaments.models.documents import RECORD, REPLAY, VALUES, BoundedBytes, BoundedJSON
from tournaments.models.texts import REASON, SOURCE, MadeText, TypedText

NONE = Value([], models.JSONField())


class Draft(models.Model):
    """A bot's source as it is typed, saved automatically."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="drafts")
    bot = models.ForeignKey(
        "Bot", models.SET_NULL, related_name="drafts", null=True, blank=True
    )  # whose version it will be
    game = models.CharField(max_length=40, choices=games)
    name = models.CharField(max_length=40)  # of the bot it is to become
    filename = models.CharField(max_length=100, default="bot.py")
    source = TypedText(SOURCE, blank=True)
    tried = models.ForeignKey(
        "Practice", models.SET_NULL, related_name="+", null=True, blank=True
    )  # in the sandbox, last
    created_at = models.DateTimeField(auto_now_add=True)
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [models.Index("owner", models.F("saved_at").desc(), name="drafts_of_a_person")]

    def __str__(self) -> str:
        return f"draft of {self.name}"


class DraftState(models.Model):
    """What a draft was until a save changed its source."""

    draft = models.ForeignKey(Draft, models.CASCADE, related_name="states")
    source = TypedText(SOURCE)
    filename = models.CharField(max_length=100)
    size = models.PositiveIntegerField()  # bytes of the source
    saved_at = models.DateTimeField()  # when it was saved, not when it was replaced

    def __str__(self) -> str:
        return f"{self.draft} as of {self.saved_at:%Y-%m-%d %H:%M:%S}"


class Practice(models.Model):
    """A game beside all ratings, under a ladder's settings; its answers so far are its whole state.

    Bots are asked again from the first question whenever it goes on: a worker plays the `script`, then lets the bots
    answer until a person is asked or the match is over. `turn` is the fencing number: it grows whenever a worker is
    asked, and only an answer that carries the present one is taken.
    """

    class Status(models.TextChoices):
        GATHERING = "gathering", "Seats are kept for people who were invited"
        WAITING = "waiting", "The bots are thinking"
        ASKING = "asking", "It is your turn"
        OVER = "over", "Played to its end"
        FAILED = "failed", "It cannot go on; the reason says why"
        LEFT = "left", "Left before its end"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="practices")
    ladder = models.ForeignKey("Ladder", models.CASCADE, related_name="practices")  # its clock and limits hold
    rules = models.PositiveIntegerField()
    options = BoundedJSON(most=VALUES)
    seed = models.CharField(max_length=64)
    seats = BoundedJSON(most=VALUES)  # by seat, who sits there: see `features.practice.seats`
    script = BoundedJSON(most=RECORD, default=list)  # the answers so far, as in a replay
    match = models.ForeignKey("Match", models.CASCADE, related_name="forks", null=True, blank=True)  # it is a fork of
    moment = models.PositiveIntegerField(null=True, blank=True)  # how many answers it has from that match
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    turn = models.PositiveIntegerField(default=0)
    until = models.DateTimeField(null=True, blank=True)  # a worker, a person or a table that gathers has time
    tries = models.PositiveSmallIntegerField(default=0)  # that came to nothing, at the present turn
    seconds = models.FloatField(default=0)  # that workers have spent on it
    reason = MadeText(REASON, blank=True)
    replay = BoundedBytes(most=REPLAY, null=True, blank=True)
    report = BoundedJSON(most=RECORD, default=dict, blank=True)  # for the owner: faults, stderr, CPU of its drafts
    faults_data = BoundedJSON(most=RECORD, null=True, blank=True)  # what the details of its faults were made of
    share_key = models.CharField(max_length=43, blank=True, db_default="", default="")  # who knows it sees the game
    # Of a table of several people:
    invite_key = models.CharField(max_length=43, blank=True, db_default="", default="")  # who knows it takes a seat
    hours = models.PositiveSmallIntegerField(null=True, blank=True)  # for each answer
    minutes = models.PositiveSmallIntegerField(null=True, blank=True)  # likewise, in the place of hours
    # the seats of people who have to answer now
    waits_for = BoundedJSON(most=VALUES, default=list, db_default=NONE, blank=True)
    # [moment, seat, what]: see `slow_play`
    absences = BoundedJSON(most=RECORD, default=list, db_default=NONE, blank=True)
    notify_at = models.DateTimeField(null=True, blank=True)  # whoever has not answered by then is told
    created_at = models.DateTimeField(auto_now_add=True)
    moved_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(match__isnull=True, moment__isnull=True) | Q(match__isnull=False, moment__isnull=False),
                name="a_fork_has_a_moment",
            ),
            models.UniqueConstraint("share_key", condition=~Q(share_key=""), name="a_share_key_opens_one_game"),
            models.UniqueConstraint("invite_key", condition=~Q(invite_key=""), name="an_invite_key_opens_one_table"),
        ]
        indexes = [
            models.Index("id", name="practices_under_way", condition=Q(status="waiting")),
            models.Index(
                "until",
                name="practices_people_are_due",
                condition=Q(status__in=("gathering", "asking"), until__isnull=False),
            ),
            models.Index("notify_at", name="practices_to_tell_of", condition=Q(notify_at__isnull=False)),
            models.Index("owner", models.F("id").desc(), name="practices_of_a_person"),
        ]

    def __str__(self) -> str:
        return f"practice {self.pk}"

    @property
    def pace(self) -> timedelta:
        """Return how long people have for each answer; nothing is as long as they like."""
        return timedelta(hours=self.hours or 0, minutes=self.minutes or 0)

    @property
    def faults(self) -> list[dict[str, Any]]:
        """Return the faults of the report, each with its detail as a sentence, for pages that translate it."""
        pairs = zip_longest(self.report.get("faults", []), self.faults_data or [])
        return [{**fault, "sentence": sentence_of(fault["detail"], data)} for fault, data in pairs if fault]


class PracticeSeat(models.Model):
    """A person at a seat that was kept for somebody by invitation, or at the host's own at such a table."""

    class State(models.TextChoices):
        HERE = "here", "At the table"
        AWAY = "away", "Was late too often; defaults are answered until they come back"
        LEFT = "left", "Has left for good; defaults are answered"

    practice = models.ForeignKey("Practice", models.CASCADE, related_name="sitting")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="practice_seats")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.HERE)
    missed = models.PositiveSmallIntegerField(default=0)  # times in a row that their time ran out

    class Meta:
        constraints = [
            models.UniqueConstraint("practice", "number", name="one_person_a_seat"),
            models.UniqueConstraint("practice", "user", name="nobody_sits_twice"),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of practice {self.practice_id}"
