"""Spaces: separate competitions on a site that somebody else runs."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower

from tournaments.models.texts import MARKDOWN, TypedText


def keeps() -> "models.PositiveIntegerField[int | None, int | None]":
    """Return for how many days something is kept. None: as long as the site keeps it."""
    return models.PositiveIntegerField(null=True, blank=True)


class Space(models.Model):
    """A class, a club or a company: with organisers, members, ladders, events and bots of its own.

    What belongs to no space belongs to the site. Who sees and organises what is in one is decided in
    `tournaments.core.accounts.spaces`.
    """

    class Access(models.TextChoices):
        PUBLIC = "public", "Public: everyone sees it, and it is in the site's lists"
        LINK = "link", "By link: anyone with an address in it sees it; it is in no list"
        PRIVATE = "private", "Private: only its members see it; for everyone else it does not exist"

    slug = models.SlugField(max_length=30, unique=True)
    title = models.CharField(max_length=80)
    about = TypedText(MARKDOWN, blank=True)  # in Markdown
    access = models.CharField(max_length=7, choices=Access, default=Access.PRIVATE)
    pseudonyms = models.BooleanField(default=False, db_default=False)  # for good: its members have drawn names alone
    blind = models.BooleanField(default=False, db_default=False)  # organisers see not who is who, until one lifts it
    own_workers_alone = models.BooleanField(default=False, db_default=False)  # the site's play nothing of it
    away_since = models.DateTimeField(null=True, blank=True)  # none of its own workers is here, and sets wait
    keep_words = keeps()  # what its bots wrote for their owners
    keep_replays = keeps()
    keep_sources = keeps()  # of versions that play no more
    keep_identities = keeps()  # once it is closed
    time_zone = models.CharField(
        max_length=60, blank=True, default="", db_default=""
    )  # of its deadlines; "": the site's
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    opened_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)  # since then it exists for the site's organisers alone

    class Meta:
        constraints = [models.UniqueConstraint(Lower("slug"), name="one_space_of_an_address")]

    def __str__(self) -> str:
        return self.title


class SpaceMember(models.Model):
    """Somebody's place in a space."""

    class Role(models.TextChoices):
        MEMBER = "member", "Member: sees it, and enters bots"
        ORGANISER = "organiser", "Organiser: runs it"

    space = models.ForeignKey(Space, models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="spaces")
    role = models.CharField(max_length=9, choices=Role, default=Role.MEMBER)
    identity = models.CharField(
        max_length=100, blank=True
    )  # who it is, for the space's organisers alone: a roster's name
    address = models.EmailField(blank=True, db_default="")  # by which a roster knows them, whatever theirs is now
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint("space", "user", name="one_place_a_person_in_a_space")]
        indexes = [models.Index("user", "space", name="spaces_of_a_person")]

    def __str__(self) -> str:
        return f"{self.user} in {self.space}"


class CourseLink(models.Model):
    """A place in a course of a learning platform (LTI) from which people come: they join the space bound to it."""

    provider = models.CharField(max_length=80)  # its key in the list of providers
    context = models.CharField(max_length=255, blank=True)  # the course, as the platform calls it
    place = models.CharField(max_length=255, blank=True)  # the link in it
    title = models.CharField(max_length=255, blank=True)
    space = models.ForeignKey(Space, models.SET_NULL, null=True, blank=True, related_name="courses")
    roster = models.CharField(max_length=600, blank=True)  # addresses at the platform: who is in the course,
    grades = models.CharField(max_length=600, blank=True)  # and the column of its gradebook

    class Meta:
        constraints = [models.UniqueConstraint("provider", "context", "place", name="one_link_of_a_place_in_a_course")]

    def __str__(self) -> str:
        return self.title or self.context


class JoinCode(models.Model):
    """Whoever has it may join: by a link with the key, or by typing the code, until it ends or is used up."""

    space = models.ForeignKey(Space, models.CASCADE, related_name="join_codes")
    key = models.CharField(max_length=43, unique=True)
    code = models.CharField(max_length=12, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    ends_at = models.DateTimeField()
    left = models.PositiveIntegerField()  # how many may still join by it
    used = models.PositiveIntegerField(default=0)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"join code {self.pk} of {self.space}"

    @property
    def spelled(self) -> str:
        """The code in groups of four, to be read from a board."""
        return "-".join(self.code[at : at + 4] for at in range(0, len(self.code), 4))


class AdmittedAddress(models.Model):
    """Whoever has confirmed this address, or one of this domain (`@example.org`), may join."""

    space = models.ForeignKey(Space, models.CASCADE, related_name="admits")
    address = models.CharField(max_length=254)  # in small letters

    class Meta:
        constraints = [models.UniqueConstraint("space", "address", name="admitted_once")]
        indexes = [models.Index("address", name="spaces_that_admit_an_address")]

    def __str__(self) -> str:
        return self.address


class JoinRequest(models.Model):
    """Somebody asks to join, and waits for an organiser's answer."""

    space = models.ForeignKey(Space, models.CASCADE, related_name="requests")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="join_requests")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint("space", "user", name="one_request_a_person_in_a_space")]

    def __str__(self) -> str:
        return f"{self.user} asks to join {self.space}"


def of_space(**more: object) -> "models.ForeignKey[Space | None, Space | None]":
    """Return the field of the space that a row belongs to. None: the site itself."""
    return models.ForeignKey(Space, models.PROTECT, null=True, blank=True, **more)  # type: ignore[arg-type]
