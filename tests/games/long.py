"""Thousands of matches of one game: `python3 -m tests.games.long GAME [--matches N] [--seed S] [--share P]`.

Answers and options are drawn, each number of players has its turn. Whatever the game conserves is checked after every
step, all that `engine.conformance` asks of a decision at a share of them; a match must end by the rules.

With `--samples`, the game's samples play instead, one among samples of the kind before, every deal from every seat.
`--options` holds options to a value, such as '{"players": 4}'; the samples have the usual ones besides.
"""

import argparse
import gc
import importlib
import json
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from engine import conformance
from engine.core import Event
from engine.dice import Dice
from engine.game import AnyGame, Options
from engine.games import GAMES
from engine.records import RecordError, to_plain
from tests.bots.seated import sample, samples_of, sets_of

MOST: Final = 50_000  # decisions, by which every match is over
Plain = Mapping[str, object]
YES_NO: Final = (False, True)
CHOICES: Final[dict[str, dict[str, tuple[object, ...]]]] = {  # by game and option: what is drawn
    "kaiju": {
        "start_player": ("random", 0, 1),
        "companies": ("random", ("C3", "C1"), ("C4", "C2", "C5"), ("C5", "C4", "C3", "C2", "C1")),
        "special_case": YES_NO,
        "city_majority": ("own", "any"),
        "kaiju_backwards": ("attack", "stop"),
        "reshuffle": ("keep_top", "all"),
        "max_turns": (60, 60, 200, 1),
    },
    "gigabucks": {
        "currency": (5, 40, 300),
        "spaces": (12, 32, 42),
        "dice": ((6, 6), (12,), (4, 4, 4)),
        "seating": ("random", "fixed", "auction"),
        "flexible_rounds": (1, 2, 3),
        "next_player": ("clockwise", "after_winner"),
        "bidding": ("clockwise", "open", "proxy"),
        "one_round": ((), ("charter",), ("voluntary", "seat")),
        "bid_step": ({}, {"charter": 5, "voluntary": 2}),
        "diversify_on": ("own_and_opponent", "own"),
        "voluntary_sales": YES_NO,
        "voluntary_retry": YES_NO,
        "royalty": ("chain", "simple", "product"),
        "royalty_unit": (1, 2),
        "resigner_keeps_funds": YES_NO,
        "talk": ("off", "typed"),
        "max_rounds": (30, 300),
        "max_decisions": (1500, 1500, 30_000),
    },
    "network": {
        "map": ("auto", "small", "large", "generated"),
        "first": ("random", 0, 1),
        "bank_buys_unsold": YES_NO,
        "max_turns": (600, 600, 600, 9),
    },
    "shangzhou": {
        "home_layout": ("chance", "choose"),
        "base_income": (0, 4, 10),
        "clout_goal": (15, 25, 60),
        "sector_goal": (20, 33),
        "critical_rule": ("exclusive", "present"),
        "oversight_tie": ("priority", "random"),
        "overseer_power": ("order", "start"),
        "trading": ("full", "gifts", "off"),
        "trade_windows": ("auto", 0, 1, 2),
        "talk": ("public", "private", "off"),
        "restricted_cover": ("keep", "evict"),
        "max_turns": (30, 30, 6),
        "max_bids": (1, 30),
        "max_expansions": (1, 40),
    },
    "zaibatsu": {"first": ("random", 0, 1), "unsold": ("discard", "carry"), "piles": ("open", "closed")},
}


def drawn_options(game: AnyGame, players: int, fixed: Plain, dice: Dice) -> Options:
    """Any of the choices that go together. Raises RecordError if none do."""
    for tries in range(1000, 0, -1):
        drawn = {name: dice.pick(choices) for name, choices in CHOICES[game.name].items()}
        try:
            options: Options = game.read_options(json.loads(json.dumps({"players": players, **drawn, **fixed})))
        except RecordError:
            if tries == 1:
                raise
        else:
            break
    return options


def counts_of(game: AnyGame, fixed: Plain) -> list[int]:
    """How many may sit at the table."""
    return [count for count in game.players if fixed.get("players", count) == count]


# --- drawn answers -------------------------------------------------------------------------------------------------


@dataclass
class Totals:
    matches: int = 0
    decisions: int = 0
    checked: int = 0
    longest: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")

    def line(self) -> str:
        ends = ", ".join(f"{how} {number:,}" for how, number in self.ends.most_common())
        return (
            f"{self.matches:,} matches, {self.decisions:,} decisions, {self.checked:,} of them checked; longest "
            f"{self.longest:,}; ends: {ends}; slowest decision {1000 * self.slowest[0]:.1f} ms ({self.slowest[1]})"
        )


def long(game: AnyGame, matches: int, seed: str, share: float, fixed: Plain) -> Totals:
    """Play them all. Raises AssertionError, noting the match, at whatever is wrong."""
    totals, counts = Totals(), counts_of(game, fixed)
    for number in range(matches):
        name = f"{seed} {number}"
        options = drawn_options(game, counts[number % len(counts)], fixed, Dice.of(f"{name} options"))
        try:
            play(game, options, name, share, totals)
        except Exception as error:
            error.add_note(f"in the match of seed {name!r} with {to_plain(options)}")
            raise
    return totals


def play(game: AnyGame, options: Options, seed: str, share: float, totals: Totals) -> None:
    match, dice, sound = game.start(options, seed), Dice.of(f"{seed} answers"), soundness_of(game)
    heard: list[list[Event]] = [[] for _ in range(options.players)]
    events, done = match.hear(), 0
    while not match.over:
        assert done < MOST, f"the match is not over after {MOST} decisions"
        listen(heard, events)
        sound(match.at)
        if dice.below(10_000) < 10_000 * share:
            check_decision(game, options, match, heard, dice)
            totals.checked += 1
        answers = {seat: question.draw(dice) for seat, question in match.questions.items()}
        start = time.thread_time()
        match.apply(answers)
        totals.slowest = max(totals.slowest, (time.thread_time() - start, f"seed {seed!r}, decision {done}"))
        events, done = match.hear(), done + len(answers)
    sound(match.at)
    conformance.check_end(game, options, match, heard)
    totals.matches, totals.decisions, totals.longest = (
        totals.matches + 1,
        totals.decisions + done,
        max(totals.longest, done),
    )
    totals.ends[end_of(events[-1])] += 1


def soundness_of(game: AnyGame) -> Callable[[Any], None]:
    """Return what the game's own tests demand of every position."""
    check: Callable[[Any], None] = importlib.import_module(f"tests.games.test_{game.name}_games").check_position
    return check


def listen(heard: list[list[Event]], events: list[Event]) -> None:
    for seat, ears in enumerate(heard):
        ears += [seen for event in events if (seen := event.seen_by(seat))]


def check_decision(game: AnyGame, options: Options, match: Any, heard: list[list[Event]], dice: Dice) -> None:
    """Check all that conformance asks of one decision."""
    conformance.check_same(match, match.copy(), "begun afresh from a copy")
    conformance.check_same(match, conformance.reopen(game, match), "read back from JSON")
    conformance.check_questions(game, match, dice)
    conformance.check_refusals(match, dice)
    conformance.check_secrets(game, options, match, dice)
    conformance.check_redrawn(game, match, dice, MOST)
    conformance.check_imagined(game, match, heard, dice, MOST)


def end_of(event: Event) -> str:
    """Return what the last event says of how it ended."""
    facts = {name: value for name, value in to_plain(event).items() if isinstance(value, str | bool) and name != "t"}
    return " ".join(f"{name} {value}" for name, value in facts.items()) or "by the rules"


# --- samples -------------------------------------------------------------------------------------------------------


def samples(game: AnyGame, matches: int, seed: str, fixed: Plain, only: list[str]) -> Iterator[str]:
    """Play each sample among those of the kind before, in so many matches or a few more for each number of players."""
    names = samples_of(game.name)
    for worse, better in pairwise(names):
        for players in counts_of(game, fixed) if not only or better in only else ():
            options = game.read_options({**fixed, "players": players})
            start, sets = time.process_time(), max(2, -(-matches // players))
            played = list(sets_of(game, options, sample(game.name, better), sample(game.name, worse), sets, seed))
            took = (time.process_time() - start) / (sets * players)
            yield f"{better} among {worse}, {players} players: {won(played)}; {took:.2f} s of CPU time a match"


def won(played: list[tuple[float, int]]) -> str:
    """The matches of a set are of one deal: the interval is of means of sets."""
    wins = [share for share, _ in played]
    spread = 1.96 * statistics.stdev(wins) / len(wins) ** 0.5
    return f"wins {statistics.fmean(wins):.1%} +- {spread:.1%} in {len(wins)} sets, {sum(f for _, f in played)} faults"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python3 -m tests.games.long", description="Thousands of matches of one game."
    )
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--matches", type=int, default=1000, help="in all; with --samples, for each table")
    parser.add_argument("--seed", default="long", help="the same matches again: any text")
    parser.add_argument("--share", type=float, default=0.01, help="of the decisions, which is checked whole")
    parser.add_argument("--options", type=json.loads, default={}, help="held to a value, as a JSON object")
    parser.add_argument("--samples", nargs="*", metavar="NAME", help="let samples play: these, or all of the game")
    options = parser.parse_args()
    game = GAMES[options.game]
    try:
        game.read_options(options.options)
    except RecordError as error:
        parser.error(str(error))
    gc.freeze()  # what is loaded is not looked through again and again: that would be the slowest decision
    if options.samples is None:
        print(f"{game.name}: {long(game, options.matches, options.seed, options.share, options.options).line()}")
        return
    for line in samples(game, options.matches, options.seed, options.options, options.samples):
        print(f"{game.name}: {line}", flush=True)


if __name__ == "__main__":
    main()
