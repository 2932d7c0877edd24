"""The constants of a ladder's ratings that its field decides: stored there, once, when every bot has played enough."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from tournaments.ledger.ladders.rating_ledger import scale_of, sets_in_order
from tournaments.models import Ladder
from tournaments.ratings.constants import constants_of, enough_played
from tournaments.ratings.elo import Tally
from tournaments.ratings.ledger import RULES, Ledger, Version
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.scale import WHOLE
from tournaments.ratings.table import forerunners

COLUMNS = ("prior_sd", "fit_prior", "scale", "fitted_after", "fit_rules", "margin")


def fit_constants(ladder: Ladder, pairs: Pairs, tallies: Mapping[int, Tally], versions: Mapping[int, Version]) -> bool:
    """Store the ladder's constants if it is time, and return whether it was; the caller holds it."""
    ladder.refresh_from_db(fields=COLUMNS)
    if not _wants(ladder) or not enough_played({key: tally.games for key, tally in tallies.items()}, versions):
        return False
    sets = list(sets_in_order(ladder.sets.filter(rated=True))) if ladder.margin else ()
    found = constants_of(sets, pairs, forerunners(versions), ladder.prior_sd, keep_prior=not ladder.fit_prior)
    ladder.prior_sd, ladder.scale, ladder.fitted_after = found.prior_sd, found.scale, max(pairs.cells, default=0)
    ladder.save(update_fields=["prior_sd", "scale", "fitted_after"])
    pairs.scale = scale_of(ladder)
    return True


def with_constants(ladder: Ladder, ledger: Ledger) -> Ledger:
    """Return the ladder's ledger with the constants that its next fit has."""
    pairs = Pairs(ledger.sets, margin=ledger.margin)
    games: Counter[int] = Counter()
    for cell in pairs.cells.values():
        games.update(dict.fromkeys(cell.versions, cell.games))
    if not _wants(ladder) or not enough_played(games, ledger.versions):
        return ledger
    older = forerunners(ledger.versions)
    found = constants_of(ledger.sets, pairs, older, ledger.prior_sd, keep_prior=not ladder.fit_prior)
    return replace(ledger, prior_sd=found.prior_sd, scale=found.scale)


def _wants(ladder: Ladder) -> bool:
    return ladder.fitted_after is None and ladder.fit_rules >= RULES and bool(ladder.fit_prior or ladder.margin)


def forget_constants(before: Ladder, after: Ladder, *, chosen: bool) -> None:
    """Let what is no longer true be fitted again: another margin has another scale. A prior that was `chosen` stays."""
    if after.margin != before.margin:
        after.scale, after.fitted_after = WHOLE, None
    if after.prior_sd != before.prior_sd and not chosen:
        after.fit_prior = False
    if after.fit_prior and not before.fit_prior:
        after.fitted_after = None
