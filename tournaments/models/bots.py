"""Bots and their immutable versions."""

from django.conf import settings
from django.db import models
from django.db.models import Func, Q
from django.db.models.functions import Lower

from tournaments.core.config.game_titles import games
from tournaments.core.config.sentence_data import sentence_of
from tournaments.models.documents import BUNDLE, RECORD, VALUES, BoundedBytes, BoundedJSON
from tournaments.models.name_lookalikes import Look
from tournaments.models.spaces import of_space
from tournaments.models.text_index import text_index
from tournaments.models.texts import REPORT, MadeText

UNIQUE_NAMES: list[tuple[type[Func], tuple[str, ...], str]] = [
    (Lower, (), "one_bot_of_a_name_in_a_game"),
    (Look, (), "no_bot_looks_like_another_of_its_game"),
    (Lower, ("space",), "one_bot_of_a_name_in_a_space"),
    (Look, ("space",), "no_bot_looks_like_another_of_its_space"),
]


class Bundle(models.Model):
    """An upload, byte for byte, under its SHA-256. Two uploads of the same bytes are one bundle."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    content = BoundedBytes(most=BUNDLE)
    size = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.sha256[:12]


class Bot(models.Model):
    """Somebody's competitor in one game."""

    class Gate(models.TextChoices):
        OFF = "off", "A new version plays as soon as it has passed its check"
        ASK = "ask", "It first plays its champion, off the ladder; if it passes the test, you are asked"
        AUTO = "auto", "It first plays its champion, off the ladder; if it passes the test, it takes over"

    class GateTest(models.TextChoices):
        """By the names of `bots.sequential_test.NAMED`."""

        GAIN = "gain", "Stronger: 30 Elo more, or no more than equal"
        NON_REGRESSION = "non_regression", "Not weaker: equal, or 30 Elo less"
        BALANCED = "balanced", "The better of the two: 15 Elo more, or 15 less"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="bots")
    space = of_space(related_name="bots")  # it enters ladders and events of this space alone
    team = models.ForeignKey("Team", models.SET_NULL, related_name="bots", null=True, blank=True)
    game = models.CharField(max_length=40, choices=games)
    name = models.CharField(max_length=40)
    # that organisers took: to be erased too
    former_names = BoundedJSON(most=VALUES, default=list, blank=True, db_default=[])
    about = models.CharField(max_length=500, blank=True)  # in its owner's words, for everybody
    motto = models.CharField(max_length=60, blank=True, default="", db_default="")  # likewise, in a line
    colours = models.CharField(max_length=15, blank=True, default="", db_default="")  # of its emblem: "#17324d #f4c95d"
    # The rung or sample that it is, among the site's own bots (`bots.characters`); nobody else's is any.
    house = models.CharField(max_length=40, blank=True, default="", db_default="")
    gate = models.CharField(max_length=4, choices=Gate, default=Gate.OFF)
    gate_test = models.CharField(  # what a new version is to show there
        max_length=14, choices=GateTest, default=GateTest.GAIN, db_default=GateTest.GAIN
    )
    named_at = models.DateTimeField(null=True, blank=True)  # to count for its owner over all games; None: it is not
    counts_meanwhile = models.BooleanField(default=False, db_default=False)  # until the named one has played enough
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("owner", "game", condition=Q(named_at__isnull=False), name="one_named_bot_a_game"),
            *(  # nobody learns from a name that is taken what there is in a space
                models.UniqueConstraint(of("name"), "game", *where, condition=Q(space__isnull=not where), name=name)
                for of, where, name in UNIQUE_NAMES
            ),
        ]
        indexes = [text_index("about", "what_bots_say")]

    def __str__(self) -> str:
        return self.name


class Version(models.Model):
    """One immutable upload of a bot. At most one version of a bot is active; that one is paired."""

    class Status(models.TextChoices):
        CHECKING = "checking", "Being checked: unpacked, started, and played against itself once"
        CANDIDATE = "candidate", "Passed its check and plays its champion, off the ladder"
        ACTIVE = "active", "Passed its check and plays for its bot"
        RETIRED = "retired", "Passed its check; another version plays now"
        REJECTED = "rejected", "Failed its check; the report says why"

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    bundle = models.ForeignKey(Bundle, models.PROTECT, related_name="versions")
    filename = models.CharField(max_length=100, blank=True)  # its ending says how to read the bundle
    need = models.CharField(max_length=20, default="python")  # what a worker must offer to run it
    contents = models.CharField(
        max_length=64, blank=True, db_default="", db_index=True
    )  # as in `bots.contents`, however it was packed
    behaviour = models.CharField(max_length=64, blank=True, db_default="")  # unused since 0.3
    activated_at = models.DateTimeField(null=True, blank=True)  # the last time
    note = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.CHECKING)
    report = MadeText(REPORT, blank=True)  # of the check, for the owner, in sentences
    report_data = BoundedJSON(most=RECORD, null=True, blank=True)  # what they were made of, where that is known
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("bot", "number", name="version_numbers_do_not_repeat"),
            models.UniqueConstraint("bot", condition=Q(status="active"), name="one_active_version_a_bot"),
            models.UniqueConstraint("bot", condition=Q(status="checking"), name="one_version_in_check_a_bot"),
            models.UniqueConstraint("bot", condition=Q(status="candidate"), name="one_candidate_a_bot"),
        ]

    def __str__(self) -> str:
        return f"{self.bot} v{self.number}"

    @property
    def report_sentence(self) -> str:
        """Return the report, for pages that translate it."""
        return sentence_of(self.report, self.report_data, REPORT)
