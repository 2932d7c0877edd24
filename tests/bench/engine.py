"""The engine: decisions, copies, verification and the size of replays."""

import copy
import gzip
import json
import statistics
import time
from collections.abc import Callable, Generator

from engine.dice import Dice
from engine.game import AnyGame
from engine.games.zaibatsu import ZAIBATSU, Options
from engine.records import to_plain
from engine.referee import Played, play
from engine.replay import Player, Replay, log, read, record, verify, write
from tests.bench import Row
from tests.games.record import Players
from tests.games.recording import Recording

GAME: AnyGame = ZAIBATSU
ROUNDS, MATCHES = 5, 40
OPTIONS = Options(3)


def run() -> list[Row]:
    replays = [recorded(str(seed)) for seed in range(MATCHES)]
    return [decisions(), copies(), verified(replays), size(replays)]


def decisions() -> Row:
    ours, peer = side_by_side(random_play, bare_play)
    how = f"{MATCHES} silent matches of 3 drawing seats, against one draw and one generator step a decision"
    return Row("Zaibatsu decisions", ours, "1/s", "bare draw and step", peer, ours / peer, ">= 0.15", how)


def copies() -> Row:
    at = GAME.start(OPTIONS, "bench", listen=False).at
    ours, peer = side_by_side(lambda: repeat(at.copy, 2000), lambda: repeat(lambda: copy.deepcopy(at), 50))
    how = "a position in the first round, copied by its own method and by copy.deepcopy"
    return Row("Position copies", ours, "1/s", "copy.deepcopy", peer, ours / peer, ">= 20", how)


def verified(replays: list[Replay]) -> Row:
    files = [write(replay) for replay in replays]
    ours, peer = side_by_side(lambda: sum(map(verified_file, files)), lambda: sum(map(played, files)))
    how = f"{MATCHES} gzipped replays read and verified, against the same matches refereed for drawing seats"
    return Row("Replays verified", ours, "1/s", "matches refereed", peer, ours / peer, ">= 1", how)


def size(replays: list[Replay]) -> Row:
    logs = [gzip.compress(json.dumps(to_plain(log(replay))).encode()) for replay in replays]
    ours, peer = (statistics.median(map(len, files)) for files in (map(write, replays), logs))
    how = "median bytes of a gzipped replay and of the same match's gzipped log of events"
    return Row("Replay size", ours, "B", "event log", peer, ours / peer, "<= 0.7", how)


def side_by_side(ours: Callable[[], int], peer: Callable[[], int]) -> tuple[float, float]:
    """Medians of things done per second of CPU time, the two taking turns."""
    rates = [(rate(ours), rate(peer)) for _ in range(ROUNDS)]
    return statistics.median(mine for mine, _ in rates), statistics.median(theirs for _, theirs in rates)


def rate(work: Callable[[], int]) -> float:
    start = time.process_time()
    done = work()
    return done / (time.process_time() - start)


def repeat(work: Callable[[], object], times: int) -> int:
    for _ in range(times):
        work()
    return times


def random_play() -> int:
    done, dice = 0, Dice.of("bench")
    for seed in range(MATCHES):
        match = GAME.start(OPTIONS, str(seed), listen=False)
        while not match.over:
            match.apply({seat: question.draw(dice) for seat, question in match.questions.items()})
            done += 1
    return done


def bare_play() -> int:
    steps, dice = forever(), Dice.of("bench")
    next(steps)
    return repeat(lambda: steps.send(dice.below(10)), 20_000)


def forever() -> Generator[int, int, None]:
    last = 0
    while True:
        last = yield last


def recorded(seed: str) -> Replay:
    return record(GAME, OPTIONS, seed, [Player("drawn")] * OPTIONS.players, refereed(seed))


def refereed(seed: str) -> Played:
    return play(GAME, OPTIONS, seed, Players(Recording({}), Dice.of(seed)))


def verified_file(file: bytes) -> int:
    verify(read(file))
    return 1


def played(file: bytes) -> int:
    refereed(read(file).seed)
    return 1
