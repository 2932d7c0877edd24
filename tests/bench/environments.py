"""Steps of the environments beside PettingZoo's `connect_four`, by random play of the same run.

AEC is in processor time. A batch is too, with all matches in one process, and on the clock, with a process for each
core: that figure is of the cores that are free. To choose the actions is part of a step of AEC, for both; not of a
batch's.
"""

import importlib
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

from bots.environments.aec import env
from bots.environments.batch import Batch
from engine.games import OWN
from tests.bench import Row

ROUNDS, SAMPLE_S = 5, 0.4
MATCHES = 256
PEER = "PettingZoo's connect_four"


def run() -> list[Row]:
    return [row for game in OWN for row in compared(game)]


def compared(game: str) -> Iterator[Row]:
    """Compare all in turns, so that noise meets them alike."""
    peer, ours, lots = connect_four(), env(game), random.Random(1)
    alone, one_seat = Stepped(game, processes=1), Stepped(game, processes=1, learners=[0])
    both = Stepped(game, processes=os.cpu_count())
    rounds = []
    with alone.batch, one_seat.batch, both.batch:
        for number in range(ROUNDS):
            rates = [agents(peer, number, lots), agents(ours, number, lots)]
            rounds.append([*rates, alone.rate()[0], both.rate()[1], one_seat.rate()[0]])
    peer_rate, *mine = (statistics.median(column) for column in zip(*rounds, strict=True))
    cores = os.cpu_count()
    taken = f"random play, median of {ROUNDS} x {SAMPLE_S} s in turns"
    named = (
        ("AEC steps", ">= 1", f"{taken}, CPU time, the same loop for both"),
        (f"Batch({MATCHES}), one process", "", f"{taken}, CPU time of `step` alone"),
        (f"Batch({MATCHES}), {cores} processes", ">= 5", f"{taken}, on the clock, `step` alone"),
        (
            f"Batch({MATCHES}), one learner, one process",
            "",
            f"{taken}, CPU time of `step` alone; the others answer in it",
        ),
    )
    for (name, aim, how), rate in zip(named, mine, strict=True):
        yield Row(f"{game}: {name}", rate, "1/s", PEER, peer_rate, rate / peer_rate, aim, how)


def connect_four() -> Any:
    """It loads pygame to draw with; nothing is drawn here, so an empty module will do where that is not installed."""
    try:
        importlib.import_module("pygame")
    except ImportError:
        sys.modules["pygame"] = ModuleType("pygame")
    return importlib.import_module("pettingzoo.classic.connect_four.connect_four").env()


def agents(table: Any, number: int, lots: random.Random) -> float:
    """Decisions in a second of CPU time."""
    start, done, matches = time.process_time(), 0, 0
    while (spent := time.process_time() - start) < SAMPLE_S:
        table.reset(seed=1000 * number + matches)
        done, matches = done + decisions(table, lots, start + SAMPLE_S), matches + 1
    return done / spent


def decisions(table: Any, lots: random.Random, until: float) -> int:
    """Count the decisions of one match, or of what there is time for: a match of Gigabucks is long."""
    done = 0
    for _ in table.agent_iter(1_000_000):
        seen, _, terminated, truncated, _ = table.last()
        if terminated or truncated or time.process_time() > until:
            return done
        legal = seen["action_mask"].view(bool).nonzero()[0]  # among bytes NumPy is six times slower: 3 us for 1,760
        table.step(int(legal[int(lots.random() * len(legal))]))
        done += 1
    return done


class Stepped:
    """A batch that is stepped at random."""

    def __init__(self, game: str, **how: Any) -> None:
        self.batch, self.draw = Batch(game, MATCHES, **how), np.random.default_rng(1)

    def rate(self) -> tuple[float, float]:
        """Steps of matches in a second of this process's CPU time, and of the clock."""
        batch, spent, clock, done = self.batch, 0.0, 0.0, 0
        now = batch.now if batch.now.masks.any() else batch.reset()
        while clock < SAMPLE_S:
            actions = (now.masks * (1 + self.draw.random(now.masks.shape, dtype=np.float32))).argmax(axis=1)
            before, began = time.process_time(), time.perf_counter()
            now = batch.step(actions)
            spent, clock = spent + time.process_time() - before, clock + time.perf_counter() - began
            done += MATCHES
        return done / spent, done / clock
