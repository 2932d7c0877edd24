"""The likelihood that a fit maximises, from the sums of pairs: versions become positions 0, 1 ..."""

from array import array
from collections.abc import Mapping, Sequence
from math import fsum, log

from tournaments.ratings.cells import UNIT
from tournaments.ratings.likelihood import Problem
from tournaments.ratings.scale import LINK_SD, Q, precision


def problem_of(
    taken: Mapping[int, Mapping[int, int]],
    ids: Sequence[int],
    olders: Sequence[int | None],
    prior_sd: float,
    unit: float = Q,
) -> Problem:
    """Return the problem to solve. `taken`: by each from each. `olders`: the position of each one's forerunner."""
    positions = {version: position for position, version in enumerate(ids)}
    credit = [taken.get(version, {}) for version in ids]
    return Problem(
        rivals=[array("l", map(positions.__getitem__, mine)) for mine in credit],
        weights=[_weights(taken, key, mine) for key, mine in zip(ids, credit, strict=True)],
        taken=[sum(mine.values()) / UNIT for mine in credit],
        prior=[precision(prior_sd, unit) if old is None else 0.0 for old in olders],
        kin=_kin(olders),
        link=precision(LINK_SD, unit),
    )


def _weights(taken: Mapping[int, Mapping[int, int]], version: int, mine: Mapping[int, int]) -> Sequence[float]:
    return array("d", [(credit + taken[other][version]) / UNIT for other, credit in mine.items()])


def _kin(olders: Sequence[int | None]) -> list[list[int]]:
    kin: list[list[int]] = [[] for _ in olders]
    for position, old in enumerate(olders):
        if old is not None:
            kin[position].append(old)
            kin[old].append(position)
    return kin


def guess(problem: Problem) -> list[float]:
    """A start that is near enough: the odds at which each won, as if all its rivals were equal."""
    played = [fsum(weights) for weights in problem.weights]
    return [log((1 + won) / (1 + all_of_it - won)) for won, all_of_it in zip(problem.taken, played, strict=True)]


def groups_of(problem: Problem) -> list[list[int]]:
    """Positions connected by games or kinship, the largest group first."""
    left = set(range(len(problem.rivals)))
    groups = []
    while left:
        group, fresh = [], [left.pop()]
        while fresh:
            group.append(position := fresh.pop())
            near = left & {*problem.rivals[position], *problem.kin[position]}
            left -= near
            fresh += near
        groups.append(sorted(group))
    return sorted(groups, key=lambda group: (-len(group), group))
