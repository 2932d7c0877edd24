"""What a ladder's bots answer to the same recorded views: requested by an organiser, only evidence."""

from django.db import models
from django.db.models import Q

from tournaments.models.documents import RECORD, TABLE, BoundedJSON


class Survey(models.Model):
    """Some recorded matches of a ladder, of which every bot that plays there answers each question."""

    class Status(models.TextChoices):
        RUNNING = "running", "Bots are still asked"
        DONE = "done", "All have answered, or could not"
        STOPPED = "stopped", "Begun anew, or given up"

    ladder = models.ForeignKey("Ladder", models.CASCADE, related_name="surveys")
    matches = BoundedJSON(most=TABLE)  # their ids
    status = models.CharField(max_length=8, choices=Status, default=Status.RUNNING)
    findings = BoundedJSON(most=TABLE, default=dict, blank=True)  # when it is done: see `features.likeness.findings`
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("ladder", condition=Q(status="running"), name="one_survey_at_a_time_in_a_ladder")
        ]

    def __str__(self) -> str:
        return f"survey {self.pk} of {self.ladder}"


class SurveyAnswers(models.Model):
    """Of one version in one match; gone once the survey is done. `turn` is a fencing number, as a practice's."""

    class Status(models.TextChoices):
        WAITING = "waiting", "Not asked yet"
        ASKED = "asked", "With a worker, or on the way to one"
        GIVEN = "given", "Has answered"
        FAILED = "failed", "Could not be asked"

    survey = models.ForeignKey(Survey, models.CASCADE, related_name="answers")
    version = models.ForeignKey("Version", models.CASCADE, related_name="+")
    match = models.ForeignKey("Match", models.CASCADE, related_name="+")
    status = models.CharField(max_length=7, choices=Status, default=Status.WAITING)
    turn = models.PositiveIntegerField(default=0)
    until = models.DateTimeField(null=True, blank=True)  # it is asked anew then
    said = BoundedJSON(most=RECORD, default=list, blank=True)  # digests, by answer of the match

    class Meta:
        constraints = [models.UniqueConstraint("survey", "version", "match", name="asked_once_in_a_survey")]
        indexes = [models.Index("id", name="answers_to_ask_for", condition=Q(status__in=("waiting", "asked")))]

    def __str__(self) -> str:
        return f"answers of {self.version} in {self.match}"
