"""The official ratings: an exact fit over all rated sets of a ladder, repeated whenever sets have arrived.

A fit is a pure function of the ledger; what a process remembers between fits only saves reading. The classic Elo beside
it (`classic_elo`) moves with every set.
"""

import time
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from functools import partial

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.core.broker.queues import announce_change
from tournaments.core.feature import features
from tournaments.ledger.competitors.entry_states import end_suspensions
from tournaments.ledger.ladders.classic_elo import FIELDS, STREAK, lock, rate_ladder, refold, tally_of
from tournaments.ledger.ladders.disqualified import recount
from tournaments.ledger.ladders.fielded import fielded
from tournaments.ledger.ladders.final_fits import final_of_ladder
from tournaments.ledger.ladders.fitted_constants import fit_constants
from tournaments.ledger.ladders.foreseen_fits import foreseen
from tournaments.ledger.ladders.named_fits import named_rows
from tournaments.ledger.ladders.rating_floors import floor_of, floors_since
from tournaments.ledger.ladders.rating_ledger import rated_versions, scale_of, sets_in_order
from tournaments.ledger.ladders.rating_moves import keep_moves
from tournaments.ledger.ladders.repeats import repeats_in
from tournaments.models import Fit, Ladder, Rating, Version
from tournaments.ratings import elo
from tournaments.ratings import fit as ratings_fit
from tournaments.ratings.floors import with_floors
from tournaments.ratings.incremental import landed
from tournaments.ratings.ledger import Version as RatedVersion
from tournaments.ratings.moves import state_of_fit
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.played_again import Parted, fresh_by
from tournaments.ratings.table import anchors, forerunners, parted, playing, table_rows
from tournaments.ratings.transitivity import transitivity
from workers.isolation import apart, handle_each

OFTEN = 1.0  # seconds from one fit of a ladder to the next, at least
SHARE = 20  # a fit waits so many times as long as the last one took: the dispatcher has more to do
SAME = 0.001  # Elo by which two fits of the same sets may differ
LATELY = timedelta(minutes=1)  # sets that ended longer ago are left to the next fit
PUBLISH = """
UPDATE tournaments_rating AS rating SET elo = greatest(told.elo, told.floor), fitted = told.elo, floor = told.floor,
    sd = told.sd, chance_sd = told.chance_sd, fitted_games = rating.games, fitted_wins = rating.wins
FROM unnest(%s::bigint[], %s::float8[], %s::float8[], %s::float8[], %s::float8[])
    AS told (version, elo, sd, chance_sd, floor)
WHERE rating.ladder_id = %s AND rating.version_id = told.version
"""


@dataclass(slots=True)
class FitMemory:
    """The pair sums of a ladder's sets, so that a fit reads only those that are new; and the ratings by the last fit,
    moved by the sets that landed since."""

    pairs: Pairs
    live: ratings_fit.Fit = field(default_factory=ratings_fit.Fit)
    landed: set[int] = field(default_factory=set)
    made_at: datetime | None = None  # another process may have fitted since

    @property
    def numbers(self) -> AbstractSet[int]:
        """The sets that the sums hold, even if a fit was interrupted while it read more."""
        return self.pairs.cells.keys()


memories: dict[int, FitMemory] = {}


def refit_due() -> int:
    """Fit the ladders that have new sets, or preview their effect. Returns how many ladders moved."""
    rated = Exists(Rating.objects.filter(ladder=OuterRef("pk")))
    old = Q(fit__rules__lt=F("fit_rules")) | Q(fit__transitivity__isnull=True)
    wanting = Ladder.objects.filter(Q(fit=None) | Q(fit__stale=True) | old, rated)
    return handle_each("official ratings", wanting.select_related("fit"), _move, FAILING_ITEMS, item_name)


def _move(ladder: Ladder) -> bool:
    if _is_due(ladder):
        refit(ladder=ladder)
        return True
    return rate_new_sets(ladder=ladder)


def _is_due(ladder: Ladder) -> bool:
    last = getattr(ladder, "fit", None)
    if last is None or ladder.pk not in memories or memories[ladder.pk].made_at != last.made_at:
        return True
    pause = max(OFTEN, SHARE * last.seconds)
    age = timezone.now() - last.made_at
    return not timedelta() <= age <= timedelta(seconds=pause)  # one from the future is of a clock that was wrong


@transaction.atomic
def refit(*, ladder: Ladder, with_old_floors: bool = True) -> ratings_fit.Fit:
    """Compute the exact ratings of a ladder by all its rated sets, and publish them at once."""
    began = time.monotonic()
    lock(ladder)
    Fit.objects.filter(ladder=ladder).update(stale=False)  # before it reads: what changes from here on makes it stale
    ratings = Rating.objects.filter(ladder=ladder).values_list("version", *FIELDS)
    tallies = {version: elo.Tally(*numbers) for version, *numbers in ratings}
    pairs, versions = _pairs(ladder), rated_versions(ladder)
    is_changed = fit_constants(ladder, pairs, tallies, versions) or not with_old_floors
    since = parted(pairs, versions, fresh_by(ladder.fit_rules))
    fit = _fit(ladder, since, versions)
    floors = {} if is_changed else floors_since(ladder, playing(versions))
    memories[ladder.pk].live, memories[ladder.pk].landed = (shown := with_floors(fit, floors)), set()
    rows = table_rows(shown, tallies, versions)
    _publish(ladder, fit, floors, list(tallies))
    made, _ = Fit.objects.update_or_create(
        ladder=ladder,
        defaults={
            "stale": False,
            "sets": len(pairs.cells),
            "phi": fit.phi,
            "clash": fit.clash,
            "zero": fit.zero,
            "repeats": repeats_in(ladder),
            "rows": [asdict(row) for row in rows],
            "named": named_rows(ladder, pairs, versions, fit),
            "final": final_of_ladder(ladder, pairs, versions),
            "transitivity": asdict(transitivity(fit.strays, [row.version for row in rows])),
            "seconds": time.monotonic() - began,
            **_rules(ladder),
        },
    )
    memories[ladder.pk].made_at = made.made_at
    sets = {version: tally.sets for version, tally in tallies.items()}
    state = partial(state_of_fit, fit, since.pairs, sets, ladder.prior_sd, floors)
    keep = partial(keep_moves, ladder, state, since, made.seconds)
    apart(
        "rating moves", item_name(ladder), keep, FAILING_ITEMS
    )  # the ratings themselves never wait for why they moved
    announce_change(f"ladder {ladder.slug}")
    return fit


def _publish(ladder: Ladder, fit: ratings_fit.Fit, floors: Mapping[int, float], versions: list[int]) -> None:
    """Write the ratings in one statement: Django's own for many rows takes longer to build than the fit."""
    numbers = [[part.get(version) for version in versions] for part in (fit.elo, fit.sd, fit.chance_sd, floors)]
    with connection.cursor() as cursor:
        cursor.execute(PUBLISH, [versions, *numbers, ladder.pk])


def _rules(ladder: Ladder) -> dict[str, object]:
    """Return the rules of the fit, and since when they hold if they were different before."""
    changed_now = Fit.objects.filter(ladder=ladder, rules__lt=ladder.fit_rules).exists()
    return {"rules": ladder.fit_rules} | ({"rules_since": timezone.now()} if changed_now else {})


def _fit(ladder: Ladder, since: Parted, versions: Mapping[int, RatedVersion]) -> ratings_fit.Fit:
    preview = foreseen(ladder.slug)
    settings = since.pairs.margin, since.pairs.scale, ladder.prior_sd, ladder.fit_rules
    same_settings = preview and preview.settings == settings
    if preview and same_settings and preview.holds(memories[ladder.pk].numbers, versions):
        return preview.fit
    return since.fit(anchors(versions), prior_sd=ladder.prior_sd, rules=ladder.fit_rules)


@transaction.atomic
def rate_new_sets(*, ladder: Ladder) -> bool:
    """Move the ratings by the sets that came after the last fit, each once. Returns whether there were any."""
    lock(ladder)
    memory, since = memories[ladder.pk], timezone.now() - LATELY
    lately = ladder.sets.filter(rated=True, ended_at__gt=since).values_list("number", flat=True)
    numbers = set(lately) - memory.numbers - memory.landed
    if not numbers:
        return False
    fresh, older = list(sets_in_order(ladder.sets.filter(number__in=numbers))), forerunners(rated_versions(ladder))
    live = memory.live
    for match_set in fresh:
        live = landed(live, match_set, older, margin=ladder.margin)
    moved = {version for match_set in fresh for game in match_set.games for version in game.versions}
    for rating in Rating.objects.filter(ladder=ladder, version__in=moved):
        rating.elo, rating.sd = live.elo[rating.version_id], live.sd[rating.version_id]
        if rating.version_id != ladder.anchor_id and (floor := floor_of(rating)) is not None:
            rating.elo = max(rating.elo, floor)
        rating.chance_sd = live.chance_sd[rating.version_id]
        rating.save(update_fields=["elo", "sd", "chance_sd"])
    memory.live = live
    memory.landed |= {match_set.number for match_set in fresh}
    announce_change(f"ladder {ladder.slug}")
    return True


def _pairs(ladder: Ladder) -> Pairs:
    """Return the sums over all rated sets; computed again if a set that was added is no longer rated."""
    rated = set(ladder.sets.filter(rated=True).values_list("number", flat=True))
    preview = foreseen(ladder.slug)
    candidates = memories.get(ladder.pk), preview and FitMemory(preview.pairs)
    sound = (kept for kept in candidates if kept and kept.pairs.margin == ladder.margin and kept.numbers <= rated)
    memory = memories[ladder.pk] = next(sound, None) or FitMemory(Pairs(margin=ladder.margin))
    memory.pairs.scale = scale_of(ladder)
    memory.pairs.update(sets_in_order(ladder.sets.filter(rated=True, number__in=rated - memory.numbers)))
    return memory.pairs


@transaction.atomic
def settle_ratings(*, ladder: Ladder, first: int | None = None) -> None:
    """Mark which sets count after an organiser's act, and compute the ratings at once.

    `first`: the lowest number among the sets that were voided or came back.
    """
    lock(ladder)
    earliest, forfeiting = min(filter(None, (first, recount(ladder))), default=None), _forfeiting(ladder)
    if earliest:
        refold(ladder, earliest)
        _let_go(ladder, forfeiting - _forfeiting(ladder))
    if Rating.objects.filter(ladder=ladder).exists() or Fit.objects.filter(ladder=ladder).exists():
        refit(ladder=ladder, with_old_floors=False)
    for feature in features():
        feature.ratings_changed(ladder)


def _forfeiting(ladder: Ladder) -> set[int]:
    return set(ladder.ratings.filter(streak__gte=STREAK).values_list("version", flat=True))


def _let_go(ladder: Ladder, versions: set[int]) -> None:
    """The forfeits that led to their suspension no longer count."""
    bots = [version.bot_id for version in fielded(ladder) if version.pk in versions] if versions else []
    end_suspensions(ladder.entries.filter(bot__in=bots))


@transaction.atomic
def recompute(*, ladder: Ladder) -> dict[Version, tuple[str, str]]:
    """Compute all ratings from the ledger alone. Returns the versions whose ratings differ, before and after."""
    rate_ladder(ladder)  # sets that nobody has rated yet are no difference
    fitted = Fit.objects.filter(ladder=ladder, stale=False, rules=ladder.fit_rules).exists()
    before = {rating.version_id: rating for rating in ladder.ratings.all()}
    memories.pop(ladder.pk, None)
    recount(ladder)
    ladder.ratings.all().delete()
    refold(ladder)
    refit(ladder=ladder)
    after = {rating.version_id: rating for rating in ladder.ratings.all()}
    versions = Version.objects.select_related("bot").in_bulk(before.keys() | after.keys())
    pairs = {version: (before.get(pk), after.get(pk)) for pk, version in versions.items()}
    return {
        version: (_numbers(old, fitted=fitted), _numbers(new, fitted=fitted))
        for version, (old, new) in pairs.items()
        if _differ(old, new, fitted=fitted)
    }


def _differ(old: Rating | None, new: Rating | None, *, fitted: bool) -> bool:
    """Classic numbers are whole. A fit is iterated, so that a version that came without a game moves the last digits;
    one that waits for new sets is not compared."""
    if old is None or new is None:
        return old is not new
    if tally_of(old) != tally_of(new):
        return True
    if not fitted or old.fitted is None or new.fitted is None:
        return fitted and old.fitted != new.fitted
    return abs(old.fitted - new.fitted) > SAME


def _numbers(rating: Rating | None, *, fitted: bool) -> str:
    if rating is None:
        return "nothing"
    return f"classic {rating.elo_classic:.3f}" + f", fitted {rating.fitted!r}" * fitted
