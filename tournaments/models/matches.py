"""The ledger: sets, matches, the attempts to play them, and their results.

A match row exists before anything is sent. `lease` grows by one with every attempt and is the fencing number: only a
report that carries the present number, for a match still leased, is recorded.
"""

from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Cast, Concat

from tournaments.core.config.sentence_data import sentence_of
from tournaments.models.documents import RECORD, REPLAY, VALUES, BoundedBytes, BoundedJSON
from tournaments.models.spaces import of_space
from tournaments.models.texts import REASON, STDERR, MadeText


def _only(*present: str) -> Q:
    """Return the condition that a set belongs to these and nothing else."""
    parts = ("ladder", "number", "event", "trial", "checks", "rechecks", "asked_by")
    return Q(**{f"{part}__isnull": part not in present for part in parts})


class MatchSet(models.Model):
    """One deal, played as often as there are seats, the seats rotated; the unit that is rated.

    It is a set of a ladder, which has a number there and is rated; or one under a ladder's settings but beside its
    ratings: of an event, of a trial, asked for by somebody, or a spot check, which plays a match of another set
    again; or the check of a version, which sits at every seat, once.
    """

    class Status(models.TextChoices):
        OPEN = "open", "Has matches still to play"
        COMPLETE = "complete", "All its matches are recorded"
        CANCELLED = "cancelled", "One of its matches cannot be played; it is not rated"
        VOID = "void", "Voided by an organiser: what was played is kept, and counts for nothing"

    class Kind(models.TextChoices):
        LADDER = "ladder", "Ladder"
        EVENT = "event", "Event"
        TRIAL = "trial", "Trial"
        FRIENDLY = "friendly", "Friendly set"
        SPOT_CHECK = "spot_check", "Spot check"
        CHECK = "check", "Check of a version"

    ladder = models.ForeignKey("Ladder", models.CASCADE, related_name="sets", null=True, blank=True)  # its settings
    space = of_space(related_name="+", db_index=False)  # that of its ladder, or of the bot that is checked
    number = models.PositiveIntegerField(null=True, blank=True)  # in its ladder; ratings are folded in this order
    event = models.ForeignKey("Event", models.CASCADE, related_name="sets", null=True, blank=True)
    pairing = models.CharField(max_length=80, blank=True)  # what its event calls it
    round = models.PositiveIntegerField(null=True, blank=True)  # of its event
    trial = models.ForeignKey("Trial", models.CASCADE, related_name="sets", null=True, blank=True)
    checks = models.OneToOneField("Version", models.CASCADE, related_name="check_set", null=True, blank=True)
    rechecks = models.ForeignKey("Match", models.CASCADE, related_name="rechecks", null=True, blank=True)
    # Unused since 0.3, and null: a column stays for one release, as the one before runs beside it in an upgrade.
    stand_in = models.ForeignKey("Version", models.CASCADE, related_name="+", null=True, blank=True)
    asked_by = models.ForeignKey("User", models.CASCADE, related_name="asked_sets", null=True, blank=True)
    line = (
        models.GeneratedField(  # in which it waits; `tournaments.ledger.dispatch.fair_share` says which of them is next
            expression=Case(
                When(checks__isnull=False, then=Value("check")),
                When(asked_by__isnull=False, then=Value("asked")),
                When(rechecks__isnull=False, then=Value("again")),
                When(event__isnull=False, then=Concat(Value("event "), Cast("event_id", models.CharField()))),
                default=Concat(Value("ladder "), Cast("ladder_id", models.CharField())),
            ),
            output_field=models.CharField(max_length=30),
            db_persist=True,
        )
    )
    needs = models.CharField(max_length=100, blank=True)  # of a worker; the dispatcher writes it when it first looks
    at_own = models.BooleanField(default=False, db_default=False)  # it was last sent to the workers of its own space
    replaces = models.OneToOneField("self", models.CASCADE, related_name="replacement", null=True, blank=True)  # void
    game = models.CharField(max_length=40)
    rules = models.PositiveIntegerField()
    options = BoundedJSON(most=VALUES)
    seed = models.CharField(max_length=64)  # secret until the set is over
    chain = models.ForeignKey("SeedChain", models.PROTECT, related_name="sets", null=True, blank=True)
    link = models.PositiveIntegerField(null=True, blank=True)  # of the chain, from which the seed is made
    beacon = models.CharField(max_length=64, blank=True)  # what else the seed is made from; nobody could choose it
    commitment = models.CharField(max_length=64)  # its SHA-256, public from the start
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    reason = MadeText(REASON, blank=True)  # why it was cancelled
    counts = models.BooleanField(default=True)  # no version in it is disqualified
    rated = models.BooleanField(default=False)  # the ratings of its ladder have taken it in
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint("ladder", "number", name="set_numbers_do_not_repeat"),
            models.UniqueConstraint(
                "event",
                "pairing",
                condition=Q(event__isnull=False) & ~Q(status="void"),
                name="a_pairing_is_played_once",
            ),
            models.CheckConstraint(
                condition=Q(rated=False) | Q(status="complete", number__isnull=False, counts=True),
                name="complete_ladder_sets_are_rated",
            ),
            models.CheckConstraint(
                condition=_only("ladder", "number")
                | _only("ladder", "event")
                | _only("ladder", "trial")
                | _only("ladder", "rechecks")
                | _only("ladder", "asked_by")
                | _only("checks"),
                name="a_set_belongs_to_one_thing",
            ),
            models.CheckConstraint(
                condition=Q(event__isnull=True, round__isnull=True, pairing="")
                | (Q(event__isnull=False, round__isnull=False) & ~Q(pairing="")),
                name="sets_of_events_have_a_round_and_a_pairing",
            ),
            models.UniqueConstraint("chain", "link", name="a_link_is_used_once"),
            models.CheckConstraint(
                condition=Q(chain__isnull=True, link__isnull=True) | Q(chain__isnull=False, link__gte=1),
                name="a_link_is_of_a_chain",
            ),
            models.CheckConstraint(
                condition=Q(status="open", ended_at__isnull=True) | (~Q(status="open") & Q(ended_at__isnull=False)),
                name="a_set_has_an_end_when_it_is_over",
            ),
        ]
        indexes = [
            models.Index("id", name="open_sets", condition=Q(status="open")),
            models.Index(
                "id",
                name="spot_checks_to_compare",
                condition=Q(rechecks__isnull=False, status="complete", reason=""),
            ),
            models.Index("ladder", F("ended_at").desc(), name="latest_rated_sets", condition=Q(rated=True)),
            models.Index("ladder", "id", name="sets_of_a_ladder"),
            models.Index("space", "id", name="sets_of_a_space", condition=Q(space__isnull=False)),
            models.Index("line", "game", "rules", "needs", "id", name="lines", condition=Q(status="open")),
            models.Index("id", name="sets_of_unknown_needs", condition=Q(status="open", needs="")),
            models.Index(
                "ladder",
                name="sets_to_rate",
                condition=Q(status="complete", rated=False, number__isnull=False, counts=True),
            ),
        ]

    def __str__(self) -> str:
        if self.checks_id:
            return f"check of {self.checks}"
        if self.event_id:
            return f"{self.event}, {self.pairing}"
        if self.rechecks_id:
            return f"spot check of match {self.rechecks_id}"
        if self.asked_by_id:
            return f"a set that {self.asked_by} asked for"
        return f"{self.trial}" if self.trial_id else f"{self.ladder} set {self.number}"

    @property
    def kind(self) -> "MatchSet.Kind":
        """The purpose that it was dealt for."""
        beside = {"check": self.checks_id, "event": self.event_id, "trial": self.trial_id}
        beside |= {"friendly": self.asked_by_id, "spot_check": self.rechecks_id}
        return self.Kind(next((kind for kind, belongs in beside.items() if belongs), "ladder"))

    @property
    def strikes(self) -> int:
        """Faults after which a seat forfeits. A check forgives none."""
        return self.ladder.strikes if self.ladder else 1


class Match(models.Model):
    """One play of a set's deal at one seating."""

    class Status(models.TextChoices):
        WAITING = "waiting", "Waiting for a worker"
        LEASED = "leased", "With a worker, or on its way to one"
        DONE = "done", "Played and recorded"
        QUARANTINED = "quarantined", "Set aside after too many failed attempts"
        CANCELLED = "cancelled", "Not played: its set was cancelled"

    set = models.ForeignKey(MatchSet, models.CASCADE, related_name="matches")
    turn = models.PositiveSmallIntegerField()  # which rotation of the seats
    status = models.CharField(max_length=12, choices=Status, default=Status.WAITING)
    lease = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    forgiven = models.PositiveIntegerField(default=0)  # attempts up to this lease count against it no more
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "matches"
        constraints = [
            models.UniqueConstraint("set", "turn", name="one_match_a_rotation"),
            models.CheckConstraint(
                condition=Q(status="leased", lease__gte=1, lease_until__isnull=False)
                | (~Q(status="leased") & Q(lease_until__isnull=True)),
                name="a_leased_match_has_a_lease",
            ),
        ]
        indexes = [
            models.Index("id", name="waiting_matches", condition=Q(status="waiting")),
            models.Index("lease_until", name="leased_matches", condition=Q(status="leased")),
            models.Index("status", name="matches_never_played", condition=Q(status__in=("quarantined", "cancelled"))),
        ]

    def __str__(self) -> str:
        return f"match {self.pk}"


class Seat(models.Model):
    """Who sits where in a match, and how that seat fared once the match is done."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    version = models.ForeignKey("Version", models.CASCADE, related_name="seats")
    score = models.IntegerField(null=True, blank=True)
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    verdict = models.CharField(max_length=20, blank=True)
    forfeited = models.BooleanField(default=False)
    cpu_ms = models.FloatField(null=True, blank=True)
    took_ms = models.FloatField(null=True, blank=True)  # to answer, waiting included
    memory_mb = models.FloatField(null=True, blank=True)  # the most it used, as far as the worker could tell
    stderr = MadeText(STDERR, blank=True)  # its last lines, for the owner
    withdrawn = models.BooleanField(default=False, db_default=False)  # its code is not run here: it forfeits

    class Meta:
        constraints = [
            models.UniqueConstraint("match", "number", name="one_bot_a_seat"),
            models.CheckConstraint(
                condition=Q(place__isnull=True, score__isnull=True, verdict="")
                | (Q(place__gte=1, score__isnull=False) & ~Q(verdict="")),
                name="a_seat_has_all_of_its_outcome_or_none",
            ),
        ]
        indexes = [models.Index("version", F("match").desc(), name="matches_of_a_version")]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.match}"


class Result(models.Model):
    """The recorded end of a match. The unique match is what makes recording happen once."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="result")
    lease = models.PositiveIntegerField()
    worker = models.CharField(max_length=120)
    tier = models.CharField(max_length=20)
    seconds = models.FloatField()
    replay = BoundedBytes(most=REPLAY)  # gzipped JSON, `engine.replay`
    digest = models.CharField(max_length=64)  # of the replay's content as it was recorded, also inside it
    rewritten = models.CharField(max_length=64, blank=True, db_default="", default="")  # its digest without names
    recorded_at = models.DateTimeField(auto_now_add=True)
    story = BoundedJSON(most=VALUES, null=True, blank=True)  # its headline without names; "" where there is none

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(lease__gte=1), name="a_result_has_a_lease")]
        indexes = [
            models.Index(F("recorded_at").desc(), name="latest_results"),
            models.Index("match", name="rewritten_replays", condition=~Q(rewritten="")),
            models.Index("match", name="untold_results", condition=Q(story__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"result of {self.match}"


class SeatNotes(models.Model):
    """What a bot wrote on stderr, for its owner: [answer, text], by the place in the replay of the answer asked for."""

    seat = models.OneToOneField(Seat, models.CASCADE, related_name="notes")
    pages = BoundedJSON(most=RECORD)

    class Meta:
        verbose_name_plural = "notes of seats"

    def __str__(self) -> str:
        return f"notes of {self.seat}"


class FaultEvidence(models.Model):
    """What a bot's owner needs to understand a fault."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="faults")
    answer = models.IntegerField()  # index in the replay's answers; -1 at the start
    verdict = models.CharField(max_length=20)
    detail = MadeText(REASON)
    detail_data = BoundedJSON(most=RECORD, null=True, blank=True)  # what the sentence was made of, where that is known
    asked = BoundedJSON(most=RECORD, null=True, blank=True)
    given = MadeText(REASON, blank=True)

    class Meta:
        verbose_name_plural = "fault evidence"

    def __str__(self) -> str:
        return f"{self.verdict} of {self.seat}"

    @property
    def sentence(self) -> str:
        """Return the detail, for pages that translate it."""
        return sentence_of(self.detail, self.detail_data, REASON)
