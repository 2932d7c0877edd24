"""`boardroom series`: matches on two cores beside one, and what it takes besides the bots' own time.

The bots think a millisecond of CPU time at each answer, and that is their own time; their starts are not. Two cores are
on the clock, and tell of the cores that are free; what the command takes besides is CPU time, of all its processes.
"""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median

from bots.command.cores import Contest, Cores, contest_of
from bots.contest import find
from bots.play import options_named
from engine.games import GAMES, OWN
from tests.bench import Row

MATCHES, ROUNDS = 8, 3
THINKS = """
import time
from engine.dice import Dice
from bots.sdk import play

lots = Dice.of("lots")

def choose(view, question):
    until = time.process_time() + 0.001
    while time.process_time() < until:
        pass
    return question.draw(lots)

play(choose)
"""


def run() -> list[Row]:
    return [row for game in OWN for row in compared(game)]


def compared(game: str) -> Iterator[Row]:
    """In turns, so that noise meets both alike."""
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder:
        contest = contest_in(Path(folder), game)
        one, two = zip(*[(played(contest, 1), played(contest, 2)) for _ in range(ROUNDS)], strict=True)
    alone, both = (median(clock for clock, _, _ in rounds) for rounds in (one, two))
    own, besides = median(own for _, own, _ in one), median(besides for _, _, besides in one)
    taken = f"{MATCHES} matches of two bots that answer at random after 1 ms, median of {ROUNDS} in turns"
    rate, its_rate = MATCHES / both, MATCHES / alone
    yield Row(f"{game}: on two cores", rate, "1/s", "one core", its_rate, rate / its_rate, ">= 1.8", f"{taken}, clock")
    how = f"{taken}, CPU time, starts of the bots among it"
    yield Row(f"{game}: besides the bots", besides, "s", "the bots' own", own, besides / own, "<= 0.1", how)


def contest_in(folder: Path, game: str) -> Contest:
    bot = folder / "thinks.py"
    bot.write_text(THINKS)
    names = [str(bot)] * GAMES[game].players[0]
    contestants = [find(game, name, folder) for name in names]
    return contest_of(game, options_named(GAMES[game], names, ()), contestants, "bench")


def played(contest: Contest, cores: int) -> tuple[float, float, float]:
    """Seconds on the clock, of the bots' own CPU time, and of all other."""
    began, before = time.perf_counter(), spent()
    with Cores(contest, cores) as players:
        own = sum(sum(done.outcome.ms) for done in players.play(range(MATCHES))) / 1000
    return time.perf_counter() - began, own, spent() - before - own


def spent() -> float:
    """CPU seconds of this process, and of those that it started and that are gone."""
    return sum(used.ru_utime + used.ru_stime for used in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))
