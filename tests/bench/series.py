"""`boardroom series`: matches on two cores beside one, and what it takes besides its bots.

The bots think a millisecond of CPU time at each answer, all in all, and as many matches are played as the shortest
series has. They answer by lot, or as a simple sample does. By lot, the same in each match, one of Network ends after
four answers, where the sample plays 36: then little but starts and ends is measured.

Two cores are on the clock, and tell of the cores that are free. The other figures are CPU time. A bot's own time is
that of its process, its start too, for the interpreter is its own; all that other processes take is the command's: its
own start (told apart), dealing, asking and refereeing, and the process that bots are forked from.
"""

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median
from typing import NamedTuple

from bots.command.options import options_named
from bots.command.worker_pool import Contest, Cores, contest_of
from bots.contest import Match, find_contestant, table_of
from bots.notes import noted
from engine.games import GAMES, OWN
from engine.referee import run_match
from tests.bench import Row

MATCHES, FEW, ROUNDS = 32, 4, 3
BY_LOT = """
from engine.dice import Dice

lots = Dice.of("lots")

def chosen(view, question):
    return question.draw(lots)
"""
BY_SAMPLE = """
from bots.games.{game}.samples.{sample} import choose as chosen
"""
THINKS = """
import time
from bots.sdk import play

def choose(view, question):
    until = time.process_time() + 0.001
    answer = chosen(view, question)
    while time.process_time() < until:
        pass
    return answer

play(choose)
"""
LOT = "by lot"
SIMPLE = {"zaibatsu": "marginal"}  # elsewhere "greedy"


class Spent(NamedTuple):
    """Seconds on the clock; and of CPU time: between questions and answers, in bots' processes, in all others."""

    clock: float
    answers: float
    bots: float
    besides: float


def run() -> list[Row]:
    return [row for game in OWN for sample in (LOT, SIMPLE.get(game, "greedy")) for row in compared(game, sample)]


def compared(game: str, sample: str) -> Iterator[Row]:
    """Compare in turns, so that noise meets all alike."""
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder:
        contest = contest_in(Path(folder), game, sample)
        rounds = [(played(contest, 1), played(contest, 2), played(contest, 1, FEW)) for _ in range(ROUNDS)]
    single, double, short = (Spent(*map(median, zip(*column, strict=True))) for column in zip(*rounds, strict=True))
    bots = f"{game}, {sample}"
    taken = f"{MATCHES} matches of two bots that answer after 1 ms, median of {ROUNDS} in turns"
    rate, single_rate = MATCHES / double.clock, MATCHES / single.clock
    yield Row(
        f"{bots}: on two cores", rate, "1/s", "one core", single_rate, rate / single_rate, ">= 1.8", f"{taken}, clock"
    )
    later = Spent(*(more - less for more, less in zip(single, short, strict=True)))
    yield from shares(bots, later, short.besides)


def shares(name: str, later: Spent, of_few: float) -> Iterator[Row]:
    """Yield the shares of the matches that come after the first few."""
    _, answers, bots, besides = later
    how = f"CPU time of {MATCHES} matches but the first {FEW}, median of {ROUNDS}"
    yield Row(f"{name}: besides the bots", besides, "s", "the bots", bots, besides / bots, "<= 0.1", how)
    ends = bots - answers
    yield Row(f"{name}: bots' starts and ends", ends, "s", "their answers", answers, ends / answers, "", how)
    start, match = of_few - FEW * besides / (MATCHES - FEW), bots / (MATCHES - FEW)
    how = "CPU time of the command and one core's process until the matches, once for a series"
    yield Row(f"{name}: the command's start", start, "s", "the bots in a match", match, start / match, "", how)


@dataclass(frozen=True, slots=True)
class Weighed(Contest):
    """Plays as its base does, and writes down the CPU time of the bots' processes."""

    book: Path = Path()

    def played(self, seats: list[int], dealt: str) -> Match:
        game = GAMES[self.game]
        options = game.read_options(self.options)
        with table_of(game, options, [self.contestants[bot] for bot in seats]) as table:
            match = run_match(game, options, dealt, table, absent=table.start())
            table.end(match.result.places, match.result.scores)
        with self.book.open("a") as book:
            book.write(f"{sum(map(table.cpu_s, seats))}\n")
        return Match(seats, dealt, match, noted([table.notes(seat) for seat in range(table.seats)], match.answers))


def contest_in(folder: Path, game: str, sample: str = LOT) -> Weighed:
    bot = folder / "thinks.py"
    bot.write_text((BY_LOT if sample == LOT else BY_SAMPLE.format(game=game, sample=sample)) + THINKS)
    names = [str(bot)] * GAMES[game].players[0]
    contestants = [find_contestant(game, name, folder) for name in names]
    plain = contest_of(game, options_named(GAMES[game], names, ()), contestants, "bench")
    return Weighed(plain.game, plain.options, contestants, plain.seed, book=folder / "book")


def played(contest: Weighed, cores: int, matches: int = MATCHES) -> Spent:
    began, before = time.perf_counter(), spent()
    with Cores(contest, cores) as players:
        answers = sum(sum(done.outcome.ms) for done in players.play(range(matches))) / 1000
        for door, process in players.doors.items():
            door.close()
            process.join()  # or it would be ended before it has waited for what it started, whose time would be lost
    clock, all_of_it = time.perf_counter() - began, spent() - before
    bots = sum(map(float, contest.book.read_text().split()))
    contest.book.unlink()
    return Spent(clock, answers, bots, all_of_it - bots)


def spent() -> float:
    """CPU seconds of this process, and of those that it started and that are gone."""
    return sum(used.ru_utime + used.ru_stime for used in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))
