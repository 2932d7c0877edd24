"""What a seat should have done at a question of a recorded match or game: asked for by those whose seat it was."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.models.documents import VALUES, BoundedJSON
from tournaments.models.texts import REASON, MadeText


class Suggestion(models.Model):
    """Of the question to which answer `at` was given. `turn` is a fencing number, as a practice's."""

    class Status(models.TextChoices):
        WAITING = "waiting", "Waits until no match needs the workers"
        ASKED = "asked", "With a worker, or on the way to one"
        DONE = "done", "Other answers were tried"
        FAILED = "failed", "Given up; the reason says why"

    TO_DO = (Status.WAITING, Status.ASKED)

    match = models.ForeignKey("Match", models.CASCADE, related_name="suggestions", null=True, blank=True)
    practice = models.ForeignKey("Practice", models.CASCADE, related_name="suggestions", null=True, blank=True)
    at = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    rules = models.PositiveIntegerField()
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="suggestions")
    status = models.CharField(max_length=7, choices=Status, default=Status.WAITING)
    turn = models.PositiveIntegerField(default=0)
    begun = models.BooleanField(default=False)  # of ASKED: a worker tries answers
    until = models.DateTimeField(null=True, blank=True)  # it is asked anew then
    pool = models.CharField(max_length=30, blank=True)  # of ASKED: the space whose own workers have it; "" is the site
    reason = MadeText(REASON, blank=True)  # why it failed
    tried = BoundedJSON(most=VALUES, default=list, blank=True)  # as `workers.suggestion_orders.Tried`
    playouts = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("match", "at", name="a_moment_of_a_match_is_asked_about_once"),
            models.UniqueConstraint("practice", "at", name="a_moment_of_a_game_is_asked_about_once"),
            models.CheckConstraint(
                condition=Q(match__isnull=True, practice__isnull=False) | Q(match__isnull=False, practice__isnull=True),
                name="a_suggestion_is_of_a_match_or_a_game",
            ),
        ]
        indexes = [models.Index("id", name="suggestions_to_do", condition=Q(status__in=("waiting", "asked")))]

    def __str__(self) -> str:
        return f"suggestion at answer {self.at} of {self.match or self.practice}"
