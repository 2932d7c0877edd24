"""`python3 -m tests.bench.rating_worlds [LADDERS [FIRST]]` prints the tables."""

import sys

from tests.bench.rating_worlds import LADDERS, Score, after, compared
from tests.tournaments.ratings.ladders import KINDS, Kind


def main(ladders: int = LADDERS, first: int = 0) -> None:
    for kind in KINDS:
        cells = [_cell(each, kind) for each in after(kind, ladders, first).values()]
        print(f"| {kind.name} | {' | '.join(cells)} |", flush=True)
    for kind in KINDS:
        ours, theirs = compared(kind, ladders, first)
        print(f"| {kind.name} | {' | '.join(_cell(each, kind) for each in (ours, *theirs.values()))} |", flush=True)


def _cell(one: Score, kind: Kind) -> str:
    if kind.strict:
        return f"{one.tau:.3f}"
    return f"{one.tau:.3f}, {one.rmse:.0f}, {one.coverage:.3f} ±{one.half:.0f}"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
