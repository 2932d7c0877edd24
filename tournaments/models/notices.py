"""Notices and their delivery: a page, e-mail, webhooks, feeds."""

from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.models.documents import VALUES, BoundedJSON


class Notice(models.Model):
    """One notice to one person, written in the transaction in which the event happened."""

    class Kind(models.TextChoices):
        FAULT = "fault", "A bot of yours was at fault in a match"
        CHECK = "check", "A version of yours was checked"
        TRIAL = "trial", "A trial of one of your versions is over"
        SET = "set", "A set that you asked for is over"
        RANK = "rank", "A bot of yours gained or lost a rank"
        EVENT = "event", "An event with a bot of yours began, released a round or ended"
        ACT = "act", "An organiser's act concerns you"
        TEAM = "team", "A team asks you to join"
        SPACE = "space", "You are invited to a space, somebody asks to join yours, or was answered"
        GAME = "game", "A game with other people waits for you, has begun or is over"
        ACCOUNT = "account", "Somebody may be using your account"
        FOLLOW = "follow", "Something that you follow has news"
        WEEK = "week", "A week is over: how your bots did"
        TEST = "test", "You tested a webhook"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=10, choices=Kind)
    key = models.CharField(max_length=120)  # what it is about: nobody gets two with the same key
    text = models.CharField(max_length=400)  # a sentence
    path = models.CharField(max_length=200)  # of the page that shows more
    detail = BoundedJSON(most=VALUES, default=dict, blank=True)  # the same for programs
    at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint("user", "key", name="told_once")]
        indexes = [models.Index("user", models.F("id").desc(), name="notices_of_a_person")]

    def __str__(self) -> str:
        return self.text


class Webhook(models.Model):
    """An address that notices are posted to: those of its person, or the news of a space or an event that they run."""

    class Receiver(models.TextChoices):
        PROGRAM = "json", "Signed JSON, for a program"
        SLACK = "slack", "Slack"
        DISCORD = "discord", "Discord"
        MATTERMOST = "mattermost", "Mattermost"
        TEAMS = "teams", "Microsoft Teams"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="webhooks")
    space = models.ForeignKey("Space", models.CASCADE, null=True, blank=True, related_name="webhooks")
    event = models.ForeignKey("Event", models.CASCADE, null=True, blank=True, related_name="webhooks")
    url = models.URLField(max_length=300)
    receiver = models.CharField(max_length=10, choices=Receiver, default=Receiver.PROGRAM, db_default=Receiver.PROGRAM)
    secret = models.CharField(max_length=64)
    kinds = BoundedJSON(most=VALUES, default=list)  # of notices
    stopped = models.CharField(max_length=200, blank=True)  # why nothing is sent any more
    failures = models.PositiveIntegerField(default=0)  # in a row
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(space=None) | Q(event=None), name="a_webhook_is_of_one_thing"),
        ]

    def __str__(self) -> str:
        return self.shown_url

    @property
    def shown_url(self) -> str:
        """Return the address. That of a chat has only its host and its end: whoever knows the rest can post there."""
        whole = self.receiver == self.Receiver.PROGRAM
        return self.url if whole else f"https://{urlsplit(self.url).hostname}/…{self.url[-4:]}"


class Delivery(models.Model):
    """A notice on its way: by e-mail, or to a webhook. It is tried again until it arrives or is given up."""

    class Status(models.TextChoices):
        WAITING = "waiting", "To be sent, or sent again"
        DONE = "done", "It has arrived"
        FAILED = "failed", "Given up; the answer says why"

    notice = models.ForeignKey(Notice, models.CASCADE, related_name="deliveries")
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries", null=True, blank=True)  # or e-mail
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    next_at = models.DateTimeField()
    answer = models.CharField(max_length=200, blank=True)  # the last answer of the other side

    class Meta:
        constraints = [
            models.UniqueConstraint("notice", "webhook", name="one_delivery_a_webhook"),
            models.UniqueConstraint("notice", condition=Q(webhook__isnull=True), name="one_mail_a_notice"),
        ]
        indexes = [models.Index("next_at", name="deliveries_to_make", condition=Q(status="waiting"))]

    def __str__(self) -> str:
        return f"{self.notice_id} to {self.webhook or 'mail'}"
