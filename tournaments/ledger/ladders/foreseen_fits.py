"""Fits that an action's preview has computed, kept until the action is done, so that none is computed twice."""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from tournaments.ratings import fit as ratings_fit
from tournaments.ratings.ledger import Ledger, Version
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.table import anchors, forerunners, parted, playing


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A fit, and all that it is a function of: the sets, by their numbers and as sums, and who follows whom."""

    pairs: Pairs
    numbers: AbstractSet[int]
    forerunners: Mapping[int, int | None]
    anchors: Mapping[int, float]
    playing: AbstractSet[int]
    fit: ratings_fit.Fit

    @property
    def settings(self) -> tuple[int, int, float, int]:
        """Return the ladder's constants by which it was fitted."""
        return self.pairs.margin, self.pairs.scale, self.fit.prior_sd, self.fit.rules

    def holds(self, numbers: AbstractSet[int], versions: Mapping[int, Version]) -> bool:
        """Whether it is the fit of these sets and versions, too."""
        of_versions = forerunners(versions), anchors(versions), playing(versions)
        return (self.numbers, self.forerunners, self.anchors, self.playing) == (numbers, *of_versions)


_kept: ContextVar[dict[str, Foreseen] | None] = ContextVar("foreseen fits", default=None)


@contextmanager
def keeping_fits() -> Iterator[None]:
    """Keeps the fits of `foresee` until the block ends."""
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def foresee(ledger: Ledger) -> ratings_fit.Fit:
    """The exact ratings of a ledger."""
    pairs = Pairs(ledger.sets, margin=ledger.margin, scale=ledger.scale)
    older, held = forerunners(ledger.versions), anchors(ledger.versions)
    since = parted(pairs, ledger.versions, ledger.fresh)
    fit = since.fit(held, prior_sd=ledger.prior_sd, rules=ledger.rules)
    if (kept := _kept.get()) is not None:
        kept[ledger.ladder] = Foreseen(pairs, frozenset(pairs.cells), older, held, playing(ledger.versions), fit)
    return fit


def foreseen(ladder: str) -> Foreseen | None:
    """The last fit of the ladder of that name, if it is kept."""
    return (_kept.get() or {}).get(ladder)
