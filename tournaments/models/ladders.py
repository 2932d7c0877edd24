"""Ladders: continuous rankings under fixed settings."""

from dataclasses import asdict, fields
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext

from bots import protocol
from bots.protocol import Clock, Output
from engine.records import to_plain
from tournaments.core.config.game_titles import games, title_of_game
from tournaments.core.config.space_limits import ANSWERS, within_maxima
from tournaments.models.documents import TABLE, VALUES, BoundedJSON
from tournaments.models.spaces import of_space
from tournaments.models.texts import MARKDOWN, TypedText
from workers.sandbox import limits
from workers.sandbox.limits import Limits

RANGES = {name: bounds for name, bounds in (protocol.RANGES | limits.RANGES).items() if name != "cpu_s"}
PAUSE, PAUSES = 10, (0, 1440)  # minutes
UPLOAD, UPLOADS = 5, (1, 20)  # MB, as in `bots.bundle`, which the tables do not load
PRIOR_SD, PRIOR_SDS = 350, (50, 1000)  # as in `tournaments.ratings.ledger`, which the tables do not load
BY_LOT = 25  # of 100 tables
DEFAULTS = {**to_plain(Clock()), **to_plain(Output()), **asdict(Limits())}


def setting_field(name: str, meaning: str) -> "models.PositiveIntegerField[int, int]":
    """A whole number in the range that the workers, too, hold it to."""
    return bounded_field(name, DEFAULTS[name], RANGES[name], meaning)


def bounded_field(
    name: str, usual: int, bounds: tuple[int, int], meaning: str, **more: Any
) -> "models.PositiveIntegerField[int, int]":
    low, high = bounds
    refusal = f"{name} is %(show_value)s; it must be a whole number from {low} to {high}."
    validators = [MinValueValidator(low, refusal), MaxValueValidator(high, refusal)]
    return models.PositiveIntegerField(
        default=usual, validators=validators, help_text=f"{meaning} {low} to {high}.", **more
    )


class Ladder(models.Model):
    class Status(models.TextChoices):
        OPEN = "open", "Open: bots may enter, and sets are paired"
        PAUSED = "paused", "Paused: bots may enter, nothing new is paired"
        FROZEN = "frozen", "Frozen: it plays on with the bots and versions it had then"
        CLOSED = "closed", "Closed: the standings are final"

    class Division(models.TextChoices):
        TIME = "time", "Bots are timed by the CPU seconds they use"
        FUEL = "fuel", "Bots run in WebAssembly on a budget of fuel: anybody can run them again with the same result"

    class FewOwners(models.TextChoices):
        PLAY = "play", "Bots of one owner may sit together, as few as possible"
        WAIT = "wait", "Nobody plays until there are more owners"

    class DataLicence(models.TextChoices):
        """By the names of SPDX, which lead to their texts."""

        CC0 = "CC0-1.0", "CC0: no conditions"
        BY = "CC-BY-4.0", "CC BY: name the site"
        BY_SA = "CC-BY-SA-4.0", "CC BY-SA: name the site, and share adaptations alike"
        BY_NC = "CC-BY-NC-4.0", "CC BY-NC: name the site; no commercial use"

    PAIRED = (Status.OPEN, Status.FROZEN)

    slug = models.SlugField(max_length=40, unique=True)
    space = of_space(related_name="ladders")
    title = models.CharField(max_length=80)
    description = TypedText(MARKDOWN, blank=True)
    game = models.CharField(max_length=40, choices=games)
    rules = models.PositiveIntegerField()  # the rules version its sets are played by
    options = BoundedJSON(most=VALUES)  # of the game, complete
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    answer_ms = setting_field("answer_ms", "For one answer, in milliseconds of CPU time, as all times here.")
    bank_ms = setting_field("bank_ms", "For all answers of a match.")
    increment_ms = setting_field("increment_ms", "Added to the bank after each answer.")
    start_ms = setting_field("start_ms", "Until a bot is ready.")
    memory_mb = setting_field("memory_mb", "Address space of a bot, in MB of 1,048,576 bytes.")
    threads = setting_field(
        "threads", "How many a bot may have, the first included. Where a worker cannot count them, a bot has one."
    )
    open_files = setting_field("open_files", "How many a bot may have open at once, its three pipes included.")
    files_mb = setting_field("files_mb", "The largest file that a bot may write, in MB.")
    temp_mb = setting_field("temp_mb", "A bot's temporary folder, in MB. Not every worker's sandbox has one.")
    line_kb = setting_field("line_kb", "The longest answer, in KB of 1,024 bytes.")
    output_kb = setting_field("output_kb", "What a bot may write in a match, stdout and stderr together, in KB.")
    stderr_kb = setting_field("stderr_kb", "The end of a bot's stderr that is kept for its owner, in KB.")
    upload_mb = bounded_field(
        "upload_mb", UPLOAD, UPLOADS, "The largest upload of a bot, in MB; unpacked twice as much.", db_default=UPLOAD
    )
    strikes = models.PositiveSmallIntegerField(default=3, validators=[MinValueValidator(1), MaxValueValidator(100)])
    division = models.CharField(max_length=4, choices=Division, default=Division.TIME)
    owners_apart = models.BooleanField(default=True)  # bots of one owner or team never sit at one table
    few_owners = models.CharField(
        max_length=4,
        choices=FewOwners,
        default=FewOwners.PLAY,
        help_text="What happens while fewer owners are here than a table has seats.",
    )
    version_pause = bounded_field(
        "version_pause",
        PAUSE,
        PAUSES,
        "Minutes for which a version plays, at least, before another that played before may take its place again.",
    )
    sets_wanted = models.PositiveIntegerField(default=100)  # of each version at full speed; after that the pace below
    pace_seconds = models.PositiveIntegerField(default=20)  # one set in so many seconds once all have played enough
    table_sizes = BoundedJSON(
        most=VALUES,
        default=list,
        blank=True,
        help_text="Numbers of players to mix, as often as each is listed; empty: the options' own.",
    )
    margin = models.PositiveIntegerField(
        default=0, help_text="The lead in score that counts as a full win; 0: who is ahead is all that counts."
    )
    prior_sd = bounded_field(
        "prior_sd",
        PRIOR_SD,
        PRIOR_SDS,
        "How far apart, in Elo, bots of this game are thought to be before they play: the deviation of their ratings.",
    )
    fit_prior = models.BooleanField(
        default=True, help_text="Fit prior_sd to the field, once, when every bot has played 20 games."
    )
    scale = models.PositiveIntegerField(default=1000, db_default=1000)  # thousandths, fitted: of ratings by margins
    fitted_after = models.PositiveIntegerField(null=True, blank=True)  # its latest set when both were fitted
    fit_rules = models.PositiveSmallIntegerField(default=3, db_default=3)  # of its ratings; 2: closed under them
    # Its latest set when its versions were fixed: those dealt since make the final table. None: they are not, or it was
    # closed before there were such tables.
    final_after = models.PositiveIntegerField(null=True, blank=True)
    by_lot = bounded_field(
        "by_lot",
        BY_LOT,
        (0, 100),
        "How many of 100 tables are drawn by lot; the others seat similar ratings together. At least half while styles "
        "beat each other in a circle, except with 0.",
    )
    live_delay = models.PositiveIntegerField(
        default=0, help_text="Seconds by which spectators see a running match later than it is played."
    )
    data_licence = models.CharField(
        max_length=12,
        choices=DataLicence,
        default=DataLicence.CC0,
        db_default=DataLicence.CC0,
        help_text="The licence of its data files.",
    )
    anchor = models.ForeignKey(
        "Version",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="Held at 1000, so that months compare.",
    )
    # Of a ladder of the site: whether workers that come in by the door, and are nobody's of the site, play there.
    outside_workers = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(strikes__gte=1), name="at_least_one_strike"),
            *(
                models.CheckConstraint(condition=Q(**{f"{name}__range": bounds}), name=f"{name}_in_range")
                for name, bounds in (
                    RANGES | {"prior_sd": PRIOR_SDS, "by_lot": (0, 100), "version_pause": PAUSES, "upload_mb": UPLOADS}
                ).items()
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def seats(self) -> int:
        return int(self.options["players"])

    @property
    def sizes(self) -> list[int]:
        """The sizes of its tables; each wave draws one."""
        return self.table_sizes or [self.seats]

    @property
    def played_by(self) -> dict[str, int]:
        """The numbers by which its matches are played: in a space they are within the operator's maxima."""
        asked = {name: getattr(self, name) for name in RANGES}
        lowered = within_maxima(asked, max(self.sizes)) if self.space_id else asked
        return {name: max(RANGES[name][0], value) for name, value in lowered.items()}

    @property
    def lowered(self) -> dict[str, int]:
        """The maxima that are lower than the ladder has them."""
        return {name: value for name, value in self.played_by.items() if value < getattr(self, name)}

    @property
    def clock(self) -> Clock:
        numbers = self.played_by
        return Clock(**{field.name: numbers[field.name] for field in fields(Clock)})

    @property
    def limits(self) -> Limits:
        numbers = self.played_by
        named = {field.name: numbers[field.name] for field in fields(Limits) if field.name in numbers}
        return Limits(**named, cpu_s=self.most_cpu_s)

    @property
    def output(self) -> Output:
        numbers = self.played_by
        return Output(**{field.name: numbers[field.name] for field in fields(Output)})

    @property
    def most_cpu_s(self) -> int:
        """The CPU time at which the kernel ends a bot's process: well after the clocks should have."""
        clock = self.clock
        return 60 + (clock.bank_ms + clock.start_ms + ANSWERS * clock.increment_ms) // 1000

    @property
    def game_title(self) -> str:
        return title_of_game(self.game)

    @property
    def kind(self) -> str:
        """The kind of play, as far as its title does not say so."""
        players = gettext("%(seats)s players") % {"seats": self.seats}
        return players if self.title == self.game_title else f"{self.game_title}, {players}"


class Entry(models.Model):
    """A bot's place in a ladder. It plays with the active version of the bot."""

    class Status(models.TextChoices):
        PLAYING = "playing", "Paired whenever its bot has an active version"
        WITHDRAWN = "withdrawn", "Withdrawn by its owner; may enter again"
        SUSPENDED = "suspended", "Suspended after three sets in a row in which it forfeited; upload a new version"
        DISQUALIFIED = "disqualified", "Disqualified by the organisers; the audit log says why"

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="entries")
    bot = models.ForeignKey("Bot", models.CASCADE, related_name="entries")
    status = models.CharField(max_length=12, choices=Status, default=Status.PLAYING)
    pinned = models.ForeignKey("Version", models.SET_NULL, related_name="+", null=True, blank=True)  # while frozen
    entered_at = models.DateTimeField(auto_now_add=True)
    paired_at = models.DateTimeField(null=True, blank=True)  # the last time; the longest waiting come first
    next_by = models.DateTimeField(null=True, blank=True)  # promised: a match of it is over by then
    unpromised = models.CharField(max_length=200, blank=True)  # why not, as far as its ladder is paired
    broken = models.PositiveIntegerField(default=0)  # promises of that kind that were not kept
    left_after = models.PositiveIntegerField(null=True, blank=True)  # the ladder's latest set when it last left
    ranked_from = models.FloatField(default=0, db_default=0)  # sets that its bot has played there when it has a rank
    named_after = models.PositiveIntegerField(  # the ladder's latest set when its bot was named; None: it counts whole
        null=True, blank=True
    )
    told_rank = models.PositiveIntegerField(null=True, blank=True)  # the rank that its people know of
    told_on = models.DateField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint("ladder", "bot", name="a_bot_enters_a_ladder_once")]
        indexes = [models.Index("next_by", name="promises", condition=Q(status="playing"))]
        verbose_name_plural = "entries"

    def __str__(self) -> str:
        return f"{self.bot} in {self.ladder}"

    @property
    def no_promise(self) -> str:
        """Why nothing is promised to one that plays: a sentence; nothing where something is, or will be in a moment."""
        if self.next_by or self.status != Entry.Status.PLAYING:
            return ""
        if self.ladder.status not in Ladder.PAIRED:
            return f"Nothing is promised while the ladder is {self.ladder.status}."
        return self.unpromised


class Tally(models.Model):
    """What the ledger says of a version up to some set: a fold over completed sets, never edited by hand."""

    milli_elo = models.IntegerField()  # Elo times 1000, so that exchanges sum to zero exactly
    delta = models.IntegerField(default=0)  # milli-Elo, by its last set
    sets = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0)
    wins = models.FloatField(default=0)  # shared wins count as their share
    places = models.PositiveIntegerField(default=0)  # the sum, so that the mean is places / games
    forfeits = models.PositiveIntegerField(default=0)  # games in which it forfeited
    streak = models.PositiveIntegerField(default=0)  # sets in a row, up to its last, with a forfeit in each

    class Meta:
        abstract = True

    @property
    def elo_classic(self) -> float:
        return self.milli_elo / 1000


class Rating(Tally):
    """A version's tally over all the sets of a ladder, and what the last fit made of them.

    `elo` is the number people see: the fit's, moved a little by each set that came after, and no less than `floor`
    (`ratings.floors`). A version that came after the fit has none yet.
    """

    elo = models.FloatField(null=True)
    fitted = models.FloatField(null=True)  # exactly the fit's
    floor = models.FloatField(null=True)  # what it was shown at before its latest set, if it won that
    fitted_games = models.PositiveIntegerField(default=0, db_default=0)  # that the fit knew
    fitted_wins = models.FloatField(default=0, db_default=0)
    sd = models.FloatField(null=True)  # of `elo`, in Elo
    chance_sd = models.FloatField(null=True)  # the part of it that more games cure: without the prior's pull
    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="ratings")
    version = models.ForeignKey("Version", models.CASCADE, related_name="ratings")

    class Meta:
        constraints = [models.UniqueConstraint("ladder", "version", name="one_rating_a_version_in_a_ladder")]
        indexes = [models.Index("ladder", F("elo").desc(nulls_last=True), "id", name="standings")]

    def __str__(self) -> str:
        return f"{self.version}: {self.elo_classic:.0f}"


class Fit(models.Model):
    """The last exact fit of a ladder's ratings: a pure function of the sets that it took in."""

    ladder = models.OneToOneField(Ladder, models.CASCADE, related_name="fit")
    stale = models.BooleanField(default=False)  # sets came after it
    sets = models.PositiveIntegerField()  # taken in
    phi = models.FloatField()  # dispersion: below 1, the deals' luck cancels within sets
    clash = models.FloatField(default=0, db_default=0)  # Elo by which pairs stray from the ratings, beyond luck
    rules = models.PositiveSmallIntegerField(default=1, db_default=1)  # of the fit, by which it was made
    rules_since = models.DateTimeField(null=True)  # when they changed; None where it never was under others
    repeats = models.PositiveIntegerField(default=0, db_default=0)  # line-ups that play the same games again
    zero = models.FloatField()  # the Elo of a version without results
    rows = BoundedJSON(most=TABLE)  # the public table, as `tournaments.ratings.table.Row`
    named = BoundedJSON(most=TABLE, default=dict, db_default={})  # by bot, as `tournaments.ratings.named_since.Since`
    # as `tournaments.ratings.transitivity` has it; None: not looked at yet
    transitivity = BoundedJSON(most=TABLE, null=True)
    final = BoundedJSON(most=TABLE, null=True)  # as `tournaments.ratings.final_table.Final`, once versions are fixed
    seconds = models.FloatField()  # it took
    made_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"fit of {self.ladder} over {self.sets} sets"


class RatingMoves(models.Model):
    """Why ratings moved on one day of a ladder, from its first fit until the last: as `tournaments.ratings.moves`."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="moves")
    day = models.DateField()  # UTC
    began_at = models.DateTimeField()
    base = BoundedJSON(most=TABLE)  # the state at its beginning; empty once the day is over
    moves = BoundedJSON(most=TABLE)  # by version
    made_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "rating moves"
        constraints = [models.UniqueConstraint("ladder", "day", name="moves_of_a_day_once")]

    def __str__(self) -> str:
        return f"moves of {self.ladder} on {self.day}"


class RatingStep(Tally):
    """A version's tally after one completed set: the history that charts draw, and where a fold may go on from."""

    set = models.ForeignKey("tournaments.MatchSet", models.CASCADE, related_name="steps")
    version = models.ForeignKey("Version", models.CASCADE, related_name="steps")

    class Meta:
        constraints = [models.UniqueConstraint("set", "version", name="one_step_a_version_in_a_set")]
        indexes = [models.Index("version", F("set").desc(), name="steps_of_a_version")]

    def __str__(self) -> str:
        return f"{self.version}: {self.delta:+d}"
