"""`python3 -m tests.bench.rating_worlds [LADDERS [FIRST]]` prints the tables."""

import sys

from tests.bench.rating_worlds import LADDERS, Score, after, compared
from tests.tournaments.ratings.ladders import KINDS, Kind


def main(ladders: int = LADDERS, first: int = 0) -> None:
    for kind in KINDS:
        cells = [_cell(score, kind) for score in after(kind, ladders, first).values()]
        print(f"| {kind.name} | {' | '.join(cells)} |", flush=True)
    for kind in KINDS:
        ours, theirs = compared(kind, ladders, first)
        print(f"| {kind.name} | {' | '.join(_cell(score, kind) for score in (ours, *theirs.values()))} |", flush=True)


def _cell(score: Score, kind: Kind) -> str:
    if kind.strict:
        return f"{score.tau:.3f}"
    return f"{score.tau:.3f}, {score.rmse:.0f}, {score.coverage:.3f} ±{score.half:.0f}"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
