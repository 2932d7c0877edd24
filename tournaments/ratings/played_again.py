"""A version that plays again counts by what it plays from then on, for it was chosen after all that was known.

An owner who may go back to whichever version did best takes its luck along. So where a version plays that had played
before another one of its bot, all sets of that bot's versions up to the last one of another version belong to one
former player, its forerunner. Of itself the version has the sets since: it stands where a new one would, at the former
player's rating with a larger error, and the sets take it from there. Who uploads, and stays, has none of this.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.ledger import PRIOR_SD, RULES
from tournaments.ratings.pairs import Pairs

FRESH = 0  # sets from which on it counts by them; before that many it would be shown what the former player is
FORMER = 1 << 40  # more than there are versions


@dataclass(frozen=True, slots=True)
class Parted:
    """The sums and forerunners with former players, and by which of them other versions are shown."""

    pairs: Pairs
    forerunners: Mapping[int, int | None]
    shown_by: Mapping[int, int] = field(default_factory=dict)

    def fit(
        self,
        anchors: Mapping[int, float] | None = None,
        *,
        prior_sd: float = PRIOR_SD,
        start: Fit | None = None,
        rules: int = RULES,
    ) -> Fit:
        """Return the ratings of all versions, and of former players under their own keys."""
        fitted = fit_ratings(self.pairs, self.forerunners, anchors, prior_sd=prior_sd, start=start, rules=rules)
        if not self.shown_by:
            return fitted
        elo, sd, chance_sd, gain = (
            {**part, **{version: part[former] for version, former in self.shown_by.items()}}
            for part in (fitted.elo, fitted.sd, fitted.chance_sd, fitted.gain)
        )
        return replace(fitted, elo=elo, sd=sd, chance_sd=chance_sd, gain=gain)


def fresh_by(rules: int) -> int | None:
    """Return from how many sets on a version that plays again counts by them; None by rules that know nothing of it."""
    return FRESH if rules >= RULES else None


def part(
    pairs: Pairs, forerunners: Mapping[int, int | None], playing: Collection[int], fresh: int | None = FRESH
) -> Parted:
    """Return the sums with the former players of those `playing` again; with `fresh` None there are none."""
    families = {} if fresh is None else _families(forerunners, playing, pairs.taken)
    numbers = _numbers(pairs, {version for family in families.values() for version in family})
    after = {
        version: last for version, family in families.items() if (last := _last_of_others(version, family, numbers))
    }
    if not after:
        return Parted(pairs, forerunners)
    parted, older, shown_by = pairs.copy(), dict(forerunners), dict[int, int]()
    keys: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for version, last in after.items():
        former, family = former_of(version, last), families[version]
        older |= {former: None, **dict.fromkeys(family, former)}
        shown_by |= dict.fromkeys(family, former)
        before = ((number, member) for member in family for number in numbers.get(member, ()) if number <= last)
        for number, member in before:
            keys[number][member] = former
        if sum(number > last for number in numbers[version]) >= (fresh or 0):
            del shown_by[version]
    for number, renamed in sorted(keys.items()):
        seats = Counter(renamed.values())  # two of a family at one table are no one player
        if alone := {member: former for member, former in renamed.items() if seats[former] == 1}:
            parted.rekey(number, alone)
    return Parted(parted, older, shown_by)


def former_of(version: int, last: int) -> int:
    """Return the key of what the family of a version played up to a set."""
    return -(last * FORMER + version)


def _families(
    forerunners: Mapping[int, int | None], playing: Collection[int], played: Collection[int]
) -> dict[int, list[int]]:
    """Return, by the one version of a bot that plays now, all of the bot, where more than one has played."""
    first: dict[int, int] = {}
    by_first: defaultdict[int, list[int]] = defaultdict(list)
    for version in forerunners:
        by_first[_first_of(version, forerunners, first)].append(version)
    families = dict[int, list[int]]()
    for family in by_first.values():
        now = [version for version in family if version in playing]
        if len(now) == 1 and now[0] in played and sum(version in played for version in family) > 1:
            families[now[0]] = family
    return families


def _first_of(version: int, forerunners: Mapping[int, int | None], first: dict[int, int]) -> int:
    """Return the first version of its bot; `first` keeps what was found."""
    line, old = [version], forerunners[version]
    while old is not None and line[-1] not in first:
        line.append(old)
        old = forerunners[old]
    oldest = first.get(line[-1], line[-1])
    first.update(dict.fromkeys(line, oldest))
    return oldest


def _numbers(pairs: Pairs, versions: Collection[int]) -> dict[int, list[int]]:
    """Return the numbers of the sets of these versions."""
    numbers: defaultdict[int, list[int]] = defaultdict(list)
    cells = pairs.cells.items() if versions else ()
    played = ((number, version) for number, cell in cells for version in cell.versions if version in versions)
    for number, version in played:
        numbers[version].append(number)
    return numbers


def _last_of_others(version: int, family: Sequence[int], numbers: Mapping[int, Sequence[int]]) -> int:
    """Return the last set of another version of the family, if `version` has played before; otherwise 0."""
    last = max((max(numbers[other]) for other in family if other != version and other in numbers), default=0)
    return last if min(numbers[version]) < last else 0
