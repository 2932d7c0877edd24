"""Organisers' acts, permanently public, and the disqualifications and announcements that follow from them."""

from django.db import models
from django.db.models import Q

from tournaments.models.documents import TABLE, BoundedJSON
from tournaments.models.spaces import of_space
from tournaments.models.texts import ANNOUNCED, WORDS, TypedText


class Act(models.Model):
    """One entry of the public audit log. Each holds the hash of the one before: none can be changed or taken out,
    but for the names of accounts that are erased."""

    number = models.PositiveIntegerField(unique=True)
    space = of_space(related_name="acts")  # what it was about is told to those who see the space
    kind = models.CharField(max_length=40)
    by = models.CharField(max_length=150)  # the name at that time
    subject = models.CharField(max_length=200)
    reason = TypedText(WORDS, blank=True)
    # what changed, and the ratings before and after where they did
    detail = BoundedJSON(most=TABLE, default=dict, blank=True)
    at = models.DateTimeField()
    previous = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    salts = BoundedJSON(most=TABLE, default=dict, blank=True, db_default={})  # by part: see `tournaments.audit.chain`
    erased = BoundedJSON(most=TABLE, default=dict, blank=True, db_default={})  # the seals of parts that lost names

    class Meta:
        indexes = [models.Index("kind", models.F("number").desc(), name="acts_of_a_kind")]

    def __str__(self) -> str:
        return f"act {self.number}: {self.kind} {self.subject}"


class Disqualification(models.Model):
    """Of a version, a bot or all bots of an owner, in one ladder or in all. It holds until it is lifted."""

    ladder = models.ForeignKey("Ladder", models.CASCADE, related_name="disqualifications", null=True, blank=True)
    version = models.ForeignKey("Version", models.CASCADE, related_name="disqualifications", null=True, blank=True)
    bot = models.ForeignKey("Bot", models.CASCADE, related_name="disqualifications", null=True, blank=True)
    owner = models.ForeignKey("User", models.CASCADE, related_name="disqualifications", null=True, blank=True)
    act = models.OneToOneField(Act, models.PROTECT, related_name="disqualification")
    lifted = models.OneToOneField(Act, models.PROTECT, related_name="reinstatement", null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(version__isnull=False, bot__isnull=True, owner__isnull=True)
                | Q(version__isnull=True, bot__isnull=False, owner__isnull=True)
                | Q(version__isnull=True, bot__isnull=True, owner__isnull=False),
                name="one_version_bot_or_owner_is_disqualified",
            ),
        ]
        indexes = [models.Index("ladder", name="disqualifications_now", condition=Q(lifted__isnull=True))]

    def __str__(self) -> str:
        return f"disqualification of {self.version or self.bot or self.owner}"


class Announcement(models.Model):
    """Words of the organisers, on the front page, on a ladder's or on a space's."""

    ladder = models.ForeignKey("Ladder", models.CASCADE, related_name="announcements", null=True, blank=True)
    space = of_space(related_name="announcements")  # on its page, and not on a ladder's
    title = models.CharField(max_length=80, blank=True, default="", db_default="")
    text = TypedText(ANNOUNCED)  # in Markdown
    act = models.OneToOneField(Act, models.PROTECT, related_name="announcement")
    withdrawn = models.OneToOneField(Act, models.PROTECT, related_name="+", null=True, blank=True)

    def __str__(self) -> str:
        return self.text[:60]
