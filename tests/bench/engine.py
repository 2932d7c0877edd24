"""The games: decisions, copies, views and questions beside engines of others; replays beside what they stand for."""

import copy
import gzip
import importlib
import json
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from engine.batch import Batch, at_random
from engine.core import Match
from engine.dice import Dice, QuickDice
from engine.game import AnyGame, Options
from engine.records import to_plain
from engine.referee import Played, run_match
from engine.replay import Player, Replay, log, read_replay, record, verify, write_replay
from tests.bench import Row
from tests.bench.engines import Engine
from tests.bench.engines.ours import SPREAD, AnyMatch, engine_of, name_of, positions, random_game, tables
from tests.games.record import Players
from tests.games.recording import Recording

PEERS = {"catan": "catanatron", "spiel": "open_spiel"}  # module of ours, and the package it needs
ROUNDS, SAMPLE_S = 3, 0.1  # each figure of each engine is taken so often, for so many seconds of CPU time
REPLAYS, SLOWEST_IN, TRIES = 10, 3, 3
AIM_MS = 2.0
PLAY_OUTS = {"zaibatsu": 8.0, "kaiju": 2.8, "shangzhou": 2.2, "gigabucks": 3.3, "network": 2.2}  # times catanatron
AIMS_US = {"copy": 4.0, "copy and step": 15.0}
BATCHED, BATCH, PROCESSES = "kaiju", 300, 2
FIGURES = ("decisions", "games", "copy", "copy and step", "view", "question")
Rates = dict[str, dict[str, float]]  # by engine and figure, things done in a second of CPU time


def run() -> list[Row]:
    missing = {name: package for name, package in PEERS.items() if not is_installed(package)}
    peers = [engine for name in PEERS if name not in missing for engine in loaded(name)]
    ours = [engine_of(game, options) for game, options in tables()]
    rates = in_turns([*ours, *peers])
    rows = [row for engine in ours for row in beside(engine, peers, rates)]
    rows += [row for engine, (game, _) in zip(ours, tables(), strict=True) for row in aimed(engine, game, peers, rates)]
    rows += [slowest(game, options) for game, options in tables()]
    rows += [row for game, options in tables() if options == game.read_options({}) for row in stored(game, options)]
    rows += [batched()]
    return [*rows, *(absent(package) for package in missing.values())]


# --- engines -------------------------------------------------------------------------------------------------------


def is_installed(package: str) -> bool:
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def loaded(name: str) -> Sequence[Engine]:
    engines: Sequence[Engine] = importlib.import_module(f"tests.bench.engines.{name}").engines()
    return engines


def absent(package: str) -> Row:
    how = f"{package} is not installed: tests/requirements.lock has it only for machines that it comes ready-made for"
    return Row(f"{package}, not installed", 0, "", "", 0, 0, "", how)


def in_turns(engines: Sequence[Engine]) -> Rates:
    """Medians over rounds in which all take their turns, so that noise meets them alike."""
    rounds = [{engine.name: rates_of(engine, number) for engine in engines} for number in range(ROUNDS)]
    return {
        engine.name: {figure: statistics.median(taken[engine.name][figure] for taken in rounds) for figure in FIGURES}
        for engine in engines
    }


def rates_of(engine: Engine, number: int) -> dict[str, float]:
    rates = dict(zip(FIGURES[:2], playing(engine, number), strict=True))
    works = (engine.copy, engine.step, engine.view, engine.legal)
    return rates | {figure: per_second(work) for figure, work in zip(FIGURES[2:], works, strict=True)}


def playing(engine: Engine, number: int) -> tuple[float, float]:
    """Answers and games in a second."""
    start, answers, games = time.process_time(), 0, 0
    while (spent := time.process_time() - start) < SAMPLE_S:
        answers += engine.play(1000 * number + games)
        games += 1
    return answers / spent, games / spent


def per_second(work: Callable[[], object]) -> float:
    start, done, batch = time.process_time(), 0, 1
    while (spent := time.process_time() - start) < SAMPLE_S:
        repeat(work, batch)
        done, batch = done + batch, 2 * batch if spent < SAMPLE_S / 4 else batch
    return done / spent


def repeat(work: Callable[[], object], times: int) -> int:
    for _ in range(times):
        work()
    return times


def beside(engine: Engine, peers: Sequence[Engine], rates: Rates) -> Iterator[Row]:
    """Decisions beside the fastest of each kind, all else beside the nearest peer, which is the first."""
    for kind, aim in (("Python", ">= 1"), ("C++", ">= 0.1")):
        of_kind = [peer for peer in peers if peer.kind == kind]
        if of_kind:
            fastest = max(of_kind, key=lambda peer: rates[peer.name]["decisions"])
            yield compared(engine, fastest, "decisions", aim, peers, rates)
    for figure in FIGURES[1:] if peers else ():
        yield compared(engine, peers[0], figure, "", peers, rates)


def aimed(engine: Engine, game: AnyGame, peers: Sequence[Engine], rates: Rates) -> Iterator[Row]:
    """Decisions beside the nearest peer, and copies beside what a search would have them cost."""
    if peers and game.name in PLAY_OUTS:
        row = compared(engine, peers[0], "decisions", f">= {PLAY_OUTS[game.name]}", peers, rates)
        yield replace(row, name=f"{engine.name}: play-outs")
    for figure, aim_us in AIMS_US.items():
        cost = shown(rates, engine, figure)
        how = f"{figure}, CPU time, over {SPREAD} moments of a random game"
        yield Row(f"{engine.name}: {figure}", cost, "us", "the aim", aim_us, cost / aim_us, "<= 1.0", how)


def compared(engine: Engine, peer: Engine, figure: str, aim: str, peers: Sequence[Engine], rates: Rates) -> Row:
    unit = "1/s" if figure in FIGURES[:2] else "us"
    all_of_them = ", ".join(f"{other.name} {shown(rates, other, figure):,.3g}" for other in peers)
    how = f"{figure} by random play, CPU time, median of {ROUNDS} x {SAMPLE_S} s in turns; in {unit}: {all_of_them}"
    ours, peer_rate = (shown(rates, side, figure) for side in (engine, peer))
    ratio = rates[engine.name][figure] / rates[peer.name][figure]
    return Row(f"{engine.name}: {figure}", ours, unit, f"{peer.name} ({peer.kind})", peer_rate, ratio, aim, how)


def shown(rates: Rates, engine: Engine, figure: str) -> float:
    """Return the cost of what is done over and over, so that less is better there; the ratios are of speeds."""
    rate = rates[engine.name][figure]
    return rate if figure in FIGURES[:2] else 1e6 / rate


# --- what has a peer of its own ------------------------------------------------------------------------------------


def slowest(game: AnyGame, options: Options) -> Row:
    """The dearest question, check of its answer and view of any decision."""
    games = (positions(game, options, f"slowest {number}") for number in range(SLOWEST_IN))
    worst = 1e3 * max(seconds_of(game, match) for played in games for match in played)
    how = (
        f"question, legality of its answer and view; all decisions of {SLOWEST_IN} random games, best of {TRIES} tries"
    )
    name = f"{name_of(game, options)}: slowest decision"
    return Row(name, worst, "ms", "the aim", AIM_MS, worst / AIM_MS, "<= 1.0", how)


def seconds_of(game: AnyGame, match: AnyMatch) -> float:
    seat, question = next(iter(match.questions.items()))
    answer = question.draw(Dice.of("slowest"))
    parts: list[Callable[[], object]] = [
        lambda: Match(game.rules, match.at),
        lambda: question.error(answer),
        lambda: game.see(match.at, seat),
    ]
    return sum(min(seconds(part) for _ in range(TRIES)) for part in parts)


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def stored(game: AnyGame, options: Options) -> Iterator[Row]:
    """Replays, copies by our method and by Python's, and dice of both kinds."""
    replays = [recorded(game, options, str(seed)) for seed in range(REPLAYS)]
    files = [write_replay(replay) for replay in replays]
    position = game.start(options, "bench", listen=False).at
    ours, peer = side_by_side(lambda: sum(map(verified, files)), lambda: sum(refereed(game, options, f) for f in files))
    how = f"{REPLAYS} gzipped replays read and verified, against the same matches refereed for drawing seats"
    yield Row(f"{game.title}: replays verified", ours, "1/s", "matches refereed", peer, ours / peer, ">= 1", how)
    slow, quick = Dice.of("bench"), QuickDice.of("bench")
    ours, peer = side_by_side(*(partial(random_game, game, options, "dice", dice) for dice in (slow, quick)))
    how = "decisions of a random match with the dice of recorded matches, and with those of play-outs"
    yield Row(f"{game.title}: decisions with recorded dice", ours, "1/s", "quick dice", peer, ours / peer, "", how)
    logs = [gzip.compress(json.dumps(to_plain(log(replay))).encode()) for replay in replays]
    ours, peer = (statistics.median(map(len, kept)) for kept in (files, logs))
    how = "median bytes of a gzipped replay and of the same match's gzipped log of events"
    yield Row(f"{game.title}: replay size", ours, "B", "event log", peer, ours / peer, "<= 0.7", how)
    ours, peer = side_by_side(
        partial(repeat, position.copy, 2000), partial(repeat, lambda: copy.deepcopy(position), 50)
    )
    how = "a position at its first question, copied by its own method and by copy.deepcopy"
    yield Row(f"{game.title}: position copies", ours, "1/s", "copy.deepcopy", peer, ours / peer, ">= 20", how)


def batched() -> Row:
    """Measure on the clock, for that is what processes are for: it says nothing of a machine that has other work."""
    with Batch(BATCHED, BATCH, processes=PROCESSES) as several, Batch(BATCHED, BATCH, processes=1) as single:
        several.play(at_random)  # the processes have begun
        rates = [(on_the_clock(several), on_the_clock(single)) for _ in range(ROUNDS)]
    ours, peer = (statistics.median(side) for side in zip(*rates, strict=True))
    how = f"{BATCH} play-outs of {BATCHED} by lot, median of {ROUNDS} in turns, on the clock; the processes wait"
    name = f"a batch in {PROCESSES} processes"
    return Row(name, ours, "1/s", "the same in one", peer, ours / peer, ">= 1.8", how)


def on_the_clock(batch: Batch) -> float:
    start = time.perf_counter()
    return len(batch.play(at_random)) / (time.perf_counter() - start)


def side_by_side(ours: Callable[[], int], peer: Callable[[], int]) -> tuple[float, float]:
    """Medians of things done per second of CPU time, the two taking turns."""
    rates = [(rate(ours), rate(peer)) for _ in range(ROUNDS)]
    return statistics.median(mine for mine, _ in rates), statistics.median(other for _, other in rates)


def rate(work: Callable[[], int]) -> float:
    start = time.process_time()
    done = work()
    return done / (time.process_time() - start)


def recorded(game: AnyGame, options: Options, seed: str) -> Replay:
    return record(game, options, seed, [Player("drawn")] * options.players, drawn(game, options, seed))


def drawn(game: AnyGame, options: Options, seed: str) -> Played:
    return run_match(game, options, seed, Players(Recording({}), Dice.of(seed)))


def verified(file: bytes) -> int:
    verify(read_replay(file))
    return 1


def refereed(game: AnyGame, options: Options, file: bytes) -> int:
    drawn(game, options, read_replay(file).seed)
    return 1
