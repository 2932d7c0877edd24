"""What keeps a site civil: suspensions of accounts, reports by people, and appeals against organisers' acts."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.models.documents import TABLE, BoundedJSON
from tournaments.models.spaces import of_space
from tournaments.models.texts import COMPLAINT, WORDS, TypedText


class Suspension(models.Model):
    """An account that writes nothing for some days, or until it is lifted: as long as `over_at` is not set."""

    space = of_space(related_name="suspensions")  # in which; none: on the whole site
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="suspensions")
    act = models.OneToOneField("Act", models.PROTECT, related_name="suspension")
    until = models.DateTimeField(null=True, blank=True)  # none: until it is lifted
    words = TypedText(WORDS)  # why, for the account and organisers alone
    paused = BoundedJSON(most=TABLE, default=list)  # the entries that played until then
    over_at = models.DateTimeField(null=True, blank=True)
    lifted = models.OneToOneField("Act", models.PROTECT, related_name="+", null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=("user", "space"),
                condition=Q(over_at=None),
                nulls_distinct=False,
                name="one_suspension_at_a_time_in_a_place",
            )
        ]
        indexes = [models.Index("until", name="suspensions_to_end", condition=Q(over_at=None))]

    def __str__(self) -> str:
        return f"suspension of account {self.user_id}"


class Complaint(models.Model):
    """Somebody tells organisers of what nobody should have to meet here. Organisers alone read it, and who wrote it."""

    class Status(models.TextChoices):
        OPEN = "open", "Organisers have not looked at it yet"
        DISMISSED = "dismissed", "Organisers left it as it is"
        SETTLED = "settled", "Organisers have done something about it"

    space = of_space(related_name="complaints")  # whose organisers look at it; none: those of the site
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="complaints")
    about = models.CharField(max_length=40)  # a kind and an id: see `features.moderation.subjects`
    text = TypedText(COMPLAINT)
    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    act = models.OneToOneField("Act", models.PROTECT, related_name="+", null=True, blank=True)  # that closed it
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "by", "about", condition=Q(status="open"), name="one_open_report_of_a_person_about_a_thing"
            )
        ]
        indexes = [models.Index("id", name="open_complaints", condition=Q(status="open"))]

    def __str__(self) -> str:
        return f"report {self.pk}"


class Appeal(models.Model):
    """Whom an organiser's act concerns asks for another look at it, once."""

    class Status(models.TextChoices):
        OPEN = "open", "Organisers have not answered yet"
        GRANTED = "granted", "Granted"
        REFUSED = "refused", "Refused"

    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="appeals")
    act = models.OneToOneField("Act", models.PROTECT, related_name="appeal")  # against which it is
    text = TypedText(COMPLAINT)
    status = models.CharField(max_length=8, choices=Status, default=Status.OPEN)
    answer = models.OneToOneField("Act", models.PROTECT, related_name="+", null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index("id", name="open_appeals", condition=Q(status="open"))]

    def __str__(self) -> str:
        return f"appeal {self.pk} against act {self.act.number}"
