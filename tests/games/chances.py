"""Chances, fitted and measured: `python3 -m tests.games.chances play|fit|report FOLDER ...`.

`play` lets bots of the field play each other, rungs that are near to each other at one table, and keeps the replays.
`fit` puts the weights fitted on two of three matches into its `chances.json`. `report` says how good the
weights are on the others: Brier scores (sums over seats; lower is better) beside those of a softmax of how the seats
stand, fitted in the same way, and how often who was given a chance has won.
"""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bots.rungs import families_of, rung
from bots.viewer import chances
from bots.viewer.boards import board_of
from bots.viewer.chances import Outlook
from engine.dice import Dice
from engine.games import GAMES
from engine.replay import Player, Replay, advance, playback, read_replay, record, write_replay
from tests.bots import seated

SLOW: Final = ("tree",)  # a family that searches long: others stand for it

NEAR: Final = 3  # rungs of one table are among so many
WEAKEST: Final = 3  # rungs that play no part: they play by lot
MOMENTS: Final = 12  # of each match
RIDGE, TOGETHER = 0.3, 4.0  # towards no weights at all, and of a number of players towards those of all
UNITS: Final = {"gigabucks": 1000}  # of how the seats stand; without, 20
STEPS: Final = 12  # of Newton's method
HELD_OUT: Final = 3  # every so-manieth match is kept for the report
NO_BETTER: Final = {"gigabucks": (4, 5, 6, 7, 8)}  # numbers of players with which the score alone told more so far

Floats = NDArray[np.float64]


# --- play ------------------------------------------------------------------------------------------------------------


def rungs(game: str) -> list[tuple[str, Mapping[str, float]]]:
    ladder = families_of(game).LADDER
    return [(family, numbers) for family, numbers in ladder[WEAKEST:] if family not in SLOW]


def table(game: str, players: int, seed: str) -> list[tuple[str, Any]]:
    dice, ladder = Dice.of(f"{seed} table"), rungs(game)
    lowest = dice.below(len(ladder) - NEAR + 1)
    chosen = [ladder[lowest + dice.below(NEAR)] for _ in range(players)]
    return [(family, rung(game, family, **numbers)) for family, numbers in chosen]


def played(game: str, players: int, seed: str) -> Replay:
    options = GAMES[game].read_options({"players": players})
    bots = table(game, players, seed)
    return record(
        GAMES[game],
        options,
        seed,
        [Player(name) for name, _ in bots],
        seated.match(GAMES[game], options, seed, [bot for _, bot in bots]),
    )


def play(folder: Path, game: str, players: int, matches: int) -> None:
    for number in range(matches):
        file = folder / f"{game}-{players}-{number}.json"
        if not file.exists():
            file.write_bytes(write_replay(played(game, players, file.stem)))


# --- what was seen ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """A moment of a match: what the value sees, how the seats stand, and who won."""

    outlook: Outlook
    worth: list[float]
    won: list[float]


def seen_in(replay: Replay, name: str) -> Iterator[Seen]:
    """Some moments, drawn."""
    run, dice = playback(replay, listen=False), Dice.of(name)
    board, won = board_of(replay.game), chances.at_the_end(replay.result.places)
    while not run.match.over:
        if dice.below(len(replay.answers)) < MOMENTS * len(run.match.questions):
            worth = board.worth(run.match.at)
            unit = UNITS.get(replay.game, 20)
            seen = chances.outlook(replay.game, run.match.at, worth)
            yield Seen(seen, [value / unit for value in worth], won)
        advance(replay, run)


def seen_by(folder: Path, game: str, players: int, *, held_out: bool) -> list[Seen]:
    files = sorted(folder.glob(f"{game}-{players}-*.json"))
    kept = [file for file in files if (int(file.stem.split("-")[2]) % HELD_OUT == 0) == held_out]
    return [seen for file in kept for seen in seen_in(read_replay(file.read_bytes()), file.stem)]


# --- fit -------------------------------------------------------------------------------------------------------------


def stacked(moments: Sequence[Seen], *, standing: bool = False) -> tuple[Floats, Floats, Floats]:
    """Return parts of u, who is out and who won, by moment and seat."""
    parts = [[_parts(seen, seat, standing) for seat in range(len(seen.won))] for seen in moments]
    out = [[-1e9 if seat in seen.outlook.out else 0.0 for seat in range(len(seen.won))] for seen in moments]
    return np.array(parts), np.array(out), np.array([seen.won for seen in moments])


def _parts(seen: Seen, seat: int, standing: bool) -> list[float]:
    time = seen.outlook.time
    row = [seen.worth[seat]] if standing else seen.outlook.rows[seat]
    return [part * basis for part in row for basis in (1.0, time, time * time)]


def predicted(weights: Floats, parts: Floats, out: Floats) -> Floats:
    heights = parts @ weights + out
    grown = np.exp(heights - heights.max(axis=1, keepdims=True))
    shares: Floats = grown / grown.sum(axis=1, keepdims=True)
    return shares


def fitted(tables: Iterable[tuple[Floats, Floats, Floats]], start: Floats, ridge: float) -> Floats:
    """The weights that make what happened most likely, drawn towards `start`."""
    weights, tables = start.copy(), list(tables)
    for _ in range(STEPS):
        slope, bend = ridge * (weights - start), ridge * np.eye(len(weights))
        for parts, out, won in tables:
            chance = predicted(weights, parts, out)
            centred = parts - (chance[:, :, None] * parts).sum(axis=1, keepdims=True)
            slope = slope - np.einsum("ms,msk->k", won - chance, parts) / MOMENTS
            bend = bend + np.einsum("ms,msk,msl->kl", chance, centred, centred) / MOMENTS
        weights = weights - np.linalg.solve(bend, slope)
    return weights


def fit(folder: Path, game: str, sizes: Sequence[int], *, standing: bool = False) -> dict[int, Floats]:
    """Return weights by number of players: fitted first to all of them, then each drawn towards that."""
    tables = {size: stacked(seen_by(folder, game, size, held_out=False), standing=standing) for size in sizes}
    nothing = np.zeros(tables[sizes[0]][0].shape[2])
    common = fitted(tables.values(), nothing, RIDGE)
    return {size: fitted([tables[size]], common, TOGETHER) for size in sizes}


def put(game: str, weights_by_size: Mapping[int, Floats]) -> None:
    rounded = {size: np.round(weights.reshape(-1, 3), 3).tolist() for size, weights in weights_by_size.items()}
    rows = ",\n".join(f'"{size}": {json.dumps(weights)}' for size, weights in rounded.items())
    chances.weights_file(game).write_text(f"{{\n{rows}\n}}\n")


# --- report ----------------------------------------------------------------------------------------------------------


def brier(chance: Floats, won: Floats) -> float:
    return float(((chance - won) ** 2).sum(axis=1).mean())


def report(folder: Path, game: str, sizes: Sequence[int]) -> Iterator[str]:
    standing, cells = fit(folder, game, sizes, standing=True), list[tuple[Floats, Floats]]()
    for size in sizes:
        moments = seen_by(folder, game, size, held_out=True)
        matches = len({id(seen.won) for seen in moments})
        parts, out, won = stacked(moments)
        chance = predicted(np.array(chances.weights(game)[str(size)]).reshape(-1), parts, out)
        simple = predicted(standing[size], *stacked(moments, standing=True)[:2])
        cells.append((chance.reshape(-1), won.reshape(-1)))
        yield (
            f"| {game} | {size} | {matches} | {brier(chance, won):.3f}"
            f" | {brier(simple, won):.3f} | {brier(np.full_like(won, 1 / size), won):.3f} |"
        )
    yield from table_of(np.concatenate([chance for chance, _ in cells]), np.concatenate([won for _, won in cells]))


def table_of(chance: Floats, won: Floats) -> Iterator[str]:
    """Yield in five parts of equal width: how many, the mean chance, how often it won."""
    for low in (0.0, 0.2, 0.4, 0.6, 0.8):
        within = (chance >= low) & (chance < low + 0.2 + (low == 0.8))
        if within.any():
            yield f"{low:.0%} to {low + 0.2:.0%}: {within.sum()}, {chance[within].mean():.1%}, {won[within].mean():.1%}"


# --- the command -----------------------------------------------------------------------------------------------------


def sizes_of(game: str) -> list[int]:
    """Numbers of players for which there are weights."""
    return [size for size in GAMES[game].players if size not in NO_BETTER.get(game, ())]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 -m tests.games.chances", description="Chances, fitted and measured.")
    parser.add_argument("what", choices=("play", "fit", "report"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*", default=[*GAMES], metavar="GAME")
    parser.add_argument("--matches", type=int, default=300, help="of each number of players")
    given = parser.parse_args()
    for game in given.games:
        sizes = sizes_of(game)
        if given.what == "play":
            for size in sizes:
                play(given.folder, game, size, given.matches)
        elif given.what == "fit":
            put(game, fit(given.folder, game, sizes))
        else:
            print("\n".join(report(given.folder, game, sizes)), flush=True)


if __name__ == "__main__":
    main()
