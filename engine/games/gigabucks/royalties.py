"""What landing on a space costs.

A conglomerate is a run of consecutive spaces of one owner, round the break between the last space and 0.
"""

from collections.abc import Sequence

from engine.core import Seat
from engine.games.gigabucks.position import Options, Position, corporations

Owners = Sequence[Seat | None]


def conglomerate(owner: Owners, space: int) -> list[int]:
    """Return the spaces of the conglomerate that holds `space`, which comes first: upwards from it, then downwards."""
    up = _run(owner, space, 1)
    return [space, *up] if len(up) == len(owner) - 1 else [space, *up, *_run(owner, space, -1)]


def _run(owner: Owners, space: int, step: int) -> list[int]:
    """The spaces of the same owner next to `space` in one direction, the nearest first."""
    size, holder, run = len(owner), owner[space], []
    other = (space + step) % size
    while owner[other] == holder and other != space:
        run.append(other)
        other = (other + step) % size
    return run


def chain(owner: Owners, lines: Sequence[int], space: int) -> dict[int, int]:
    """Return the fewest lines of any space from `space` to each of the conglomerate, both included, by space.

    If one player owns the whole track there are two ways to each space, and the better one counts.
    """
    size, holder, start = len(owner), owner[space], lines[space]
    parts = {space: start}
    for step in (1, -1):
        fewest, other = start, (space + step) % size
        while owner[other] == holder and other != space:
            if lines[other] < fewest:
                fewest = lines[other]
            if fewest > parts.get(other, -1):
                parts[other] = fewest
            other = (other + step) % size
    return parts


def simple(owner: Owners, lines: Sequence[int], space: int) -> dict[int, int]:
    """Return two for each line on `space`, one for each line elsewhere in the conglomerate, by space."""
    return {other: lines[other] * (1 + (other == space)) for other in conglomerate(owner, space)}


def product(owner: Owners, lines: Sequence[int], space: int) -> dict[int, int]:
    """Return the lines on `space` times the lines of the whole conglomerate."""
    return {other: lines[other] * lines[space] for other in conglomerate(owner, space)}


RULES = {"chain": chain, "simple": simple, "product": product}


def parts_of(options: Options, owner: Owners, lines: Sequence[int], space: int) -> dict[int, int]:
    """Return what each space of the conglomerate adds to the royalty for landing on `space`, which has an owner."""
    parts = RULES[options.royalty](owner, lines, space)
    return {other: part * options.royalty_unit for other, part in parts.items()}


def royalty(position: Position, space: int) -> int:
    """Return the dollars that an opponent owes for landing on `space`."""
    return sum(parts_of(position.options, position.owner, position.lines, space).values())


def appraisal(position: Position, seat: Seat) -> int:
    """Return a player's currency, and what one landing on each of its spaces would bring."""
    return position.cash[seat] + sum(royalty(position, space) for space in corporations(position, seat))
