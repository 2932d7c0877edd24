"""People and their API tokens."""

from datetime import UTC, datetime
from hashlib import sha256

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower

from tournaments.models.documents import VALUES, BoundedJSON
from tournaments.models.name_lookalikes import Look
from tournaments.models.spaces import of_space
from tournaments.models.text_index import text_index

TAKEN = "Somebody has this name, or one that people would take for it. Choose another."


class User(AbstractUser):
    """A person who signs in. Competitors, organisers (staff) and spectators are all users."""

    # Django's own rule knows letters and no marks on them, without which names of many scripts cannot be written.
    # `accounts.names` says what people may choose; organisers name accounts with any signs that an address can hold.
    username = models.CharField(
        max_length=150,
        unique=True,
        validators=[RegexValidator(r"\A[^\s\x00-\x1f\x7f-\x9f\"#%&'/<>?\\]+\Z")],
        error_messages={"unique": TAKEN},
    )
    about = models.CharField(max_length=500, blank=True)  # in their own words, for everybody
    confirmed_email = models.EmailField(blank=True)  # proven theirs; mail goes there as long as it is their address
    mailed = BoundedJSON(most=VALUES, default=list, blank=True)  # the kinds of notices they want by e-mail
    feed_key = models.CharField(max_length=43, blank=True)  # anybody who knows it can read their Atom feed

    home = of_space(related_name="+")  # it was made for: outside it nobody sees the account
    former_name = models.CharField(max_length=150, blank=True)  # taken from them; they may still sign in with it
    guest_until = models.DateTimeField(null=True, blank=True)  # of a guest, who has no account: see `accounts.guests`
    erase_at = models.DateTimeField(null=True, blank=True)  # it was asked for; until then it can be taken back
    erased_at = models.DateTimeField(null=True, blank=True)  # of a person nothing is left but a number
    erased_up_to = models.PositiveBigIntegerField(default=0, db_default=0)  # the last result that lost names
    known_factors: list[datetime] | None = None  # what `factors` says, where a session has brought it
    in_spaces = False  # whether they are in any, where a session has brought them
    token: "ApiToken | None" = None  # what they came with, where a program asks in their name

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(Lower("username"), name="one_person_of_a_name", violation_error_message=TAKEN),
            models.UniqueConstraint(
                Look("username"), name="no_person_looks_like_another", violation_error_message=TAKEN
            ),
        ]
        indexes = [
            text_index("about", "what_people_say"),
            models.Index("erase_at", name="accounts_to_erase", condition=models.Q(erase_at__isnull=False)),
            models.Index("guest_until", name="guests", condition=models.Q(guest_until__isnull=False)),
        ]

    @property
    def factors(self) -> list[datetime]:
        """The times at which each second factor was set up; recovery codes stand in for one, and are none."""
        if self.known_factors is not None:
            return self.known_factors
        held = Authenticator.objects.filter(user=self.pk).exclude(type=Authenticator.Type.RECOVERY_CODES)
        return list(held.order_by("pk").values_list("created_at", flat=True))

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """Return what a session must know to go on: it changes with the password and with each second factor."""
        fingerprint: str = super()._get_session_auth_hash(secret)  # type: ignore[misc]
        factors = self.factors
        if not factors:
            return fingerprint
        since = " ".join(each.astimezone(UTC).isoformat() for each in factors)
        return sha256(f"{fingerprint} {since}".encode()).hexdigest()


class ApiToken(models.Model):
    """An API token. Only the SHA-256 of the secret is kept; the secret is shown once, when it is made."""

    user = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    reads_only = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"


class Identity(models.Model):
    """A way to sign in: somebody whom a provider knows by `subject`. The two together never belong to two people."""

    user = models.ForeignKey(User, models.CASCADE, related_name="identities")
    provider = models.CharField(max_length=80)  # its key in the file of providers
    subject = models.CharField(max_length=255)
    called = models.CharField(max_length=150, blank=True)  # there; for the person to know it by
    linked_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint("provider", "subject", name="one_person_of_an_identity")]

    def __str__(self) -> str:
        return f"{self.called or self.subject} of {self.provider}"


class Team(models.Model):
    """People who run bots together: what the owner of a bot may do with it, the members of its team may."""

    name = models.CharField(max_length=40)
    about = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("name"), name="one_team_of_a_name"),
            models.UniqueConstraint(Look("name"), name="no_team_looks_like_another"),
        ]
        indexes = [text_index("about", "what_teams_say")]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """Somebody's place in a team."""

    class Role(models.TextChoices):
        INVITED = "invited", "Asked to join, and has not answered"
        MEMBER = "member", "Member"
        CAPTAIN = "captain", "Captain: invites and removes members"

    INSIDE = (Role.MEMBER, Role.CAPTAIN)  # who is invited, and has not answered, is no member

    team = models.ForeignKey(Team, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.INVITED)
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint("team", "user", name="one_place_a_person_in_a_team")]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}"
