"""The match workers that have sent reports, which of them may continue, and the tokens of those from outside."""

from django.db import models

from tournaments.models.spaces import of_space
from tournaments.models.texts import REASON, MadeText


class Worker(models.Model):
    """A match worker by the name that its token proves. Several processes of one machine may share it."""

    class Status(models.TextChoices):
        WELCOME = "welcome", "Takes orders"
        DRAINED = "drained", "Finishes what it has and takes no more orders"
        BLOCKED = "blocked", "Its reports are refused"

    name = models.CharField(max_length=60, unique=True)
    space = of_space(related_name="workers")  # for which alone it plays, as its name says
    status = models.CharField(max_length=10, choices=Status, default=Status.WELCOME)
    reason = MadeText(REASON, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name

    @property
    def rests_because(self) -> str:
        """The reason that it gets if it is not welcome."""
        return f"the worker {self.name} is {self.status}"

    @property
    def blocked(self) -> bool:
        return self.status == self.Status.BLOCKED


class WorkerToken(models.Model):
    """The token of a worker that comes in by the door (`features.worker_door`). Only its SHA-256 is kept."""

    worker = models.ForeignKey(Worker, models.CASCADE, related_name="tokens")
    digest = models.CharField(max_length=64, unique=True)
    # What it may be sent besides Python, with commas between: languages, and "wasm" for the deterministic division.
    # Empty: all that it offers.
    offers = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.worker} {self.digest[:8]}"
