"""Short matches between bots in WebAssembly."""

from bots.contest import sample_files
from bots.protocol import Clock
from engine import referee
from engine.game import AnyGame
from engine.games.zaibatsu import ZAIBATSU, Options
from engine.referee import Fault, Played
from workers.sandbox.arena import Arena
from workers.sandbox.limits import Limits
from workers.sandbox.wasm import pack
from workers.sandbox.wasm.division import fuel_terms, open_fuel_table
from workers.sandbox.wasm.turns import Program

GAME: AnyGame = ZAIBATSU
CLOCK = Clock(answer_ms=50, bank_ms=400, start_ms=500)
HONEST = "from bots.sdk import play\nplay(lambda view, question: question.default())\n"


def program(source: str) -> Program:
    return Program({"bot.py": source.encode()}, "bot.py")


def sample(name: str) -> Program:
    return program(sample_files("zaibatsu")[name].read_text())


def late(line: str) -> str:
    """A bot that plays by the book, until its third answer."""
    return (
        "import os, re, sys\nfrom bots.sdk import play\nout, asked = os.dup(1), 0\n"
        "def choose(view, question):\n    global asked\n    asked += 1\n"
        f"    if asked > 2:\n        {line}\n    return question.default()\nplay(choose)\n"
    )


def played(*programs: Program, arena: Arena | None = None, clock: Clock = CLOCK) -> tuple[Played, list[int], list[str]]:
    """A match: what was played, the fuel each bot spent, and what each wrote on stderr."""
    options, terms = Options(players=len(programs)), fuel_terms(pack.find_pack(), clock, Limits(memory_mb=128))
    with open_fuel_table(pack.find_pack(), programs, GAME, options, terms, arena) as table:
        result = referee.run_match(GAME, options, "5e" * 32, table, absent=table.start())
        table.end(result.result.places, result.result.scores)
    seats = range(len(programs))
    return result, [table.bots[seat].spent for seat in seats], [table.stderr(seat) for seat in seats]


def faults_of(source: str) -> tuple[list[Fault], int]:
    """Return what went wrong with this bot in a match with an honest one, and the fuel it spent."""
    result, spent, _ = played(program(source), program(HONEST))
    assert all(fault.seat == 0 for fault in result.faults)
    return result.faults, spent[0]
