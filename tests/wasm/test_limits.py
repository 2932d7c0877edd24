"""What a ladder sets holds in the deterministic division too: the increment, and the limits of what a bot writes."""

import pytest

from bots.protocol import Clock, Output
from bots.table import USUAL
from engine import referee
from engine.referee import Fault
from tests.wasm.games import GAME, HONEST, late, program
from workers.sandbox.limits import Limits
from workers.sandbox.wasm import pack
from workers.sandbox.wasm.division import fuel_terms, open_fuel_table
from workers.sandbox.wasm.pack import FUEL_PER_MS
from workers.sandbox.wasm.table import FuelTable

SLOW = "import time\n" + HONEST.replace("question:", "question: time.sleep(0.04) or")  # 40 of 50 ms for each answer


def match_of(source: str, increment_ms: int = 0, output: Output = USUAL) -> tuple[FuelTable, list[Fault]]:
    """A match with an honest bot: the table when it is over, and what went wrong with this bot, at seat 0."""
    options = GAME.read_options({"players": 2, "first": 0})
    clock = Clock(answer_ms=50, bank_ms=400, start_ms=500, increment_ms=increment_ms)
    terms = fuel_terms(pack.find_pack(), clock, Limits(memory_mb=128), output)
    with open_fuel_table(pack.find_pack(), [program(source), program(HONEST)], GAME, options, terms, None) as table:
        played = referee.run_match(GAME, options, "5e" * 32, table, absent=table.start())
    assert all(fault.seat == 0 for fault in played.faults)
    return table, played.faults


def test_the_increment_is_put_back_for_each_answer() -> None:
    without, with_it = (match_of(HONEST, increment_ms)[0].bots[0] for increment_ms in (0, 7))
    assert with_it.questions == without.questions > 0
    gained = with_it.bank - without.bank
    assert (
        abs(gained - 7 * with_it.questions * FUEL_PER_MS) < FUEL_PER_MS
    )  # other numbers cost a little more or less to read


def test_who_thinks_longer_than_the_increment_lasts_longer_by_it_and_who_does_not_lasts_for_ever() -> None:
    ends = [match_of(SLOW, increment_ms)[1] for increment_ms in (0, 10)]
    assert [fault.verdict for faults in ends for fault in faults] == ["timed out"] * 2
    assert ends[0][0].answer < ends[1][0].answer
    assert match_of(SLOW, 45)[1] == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("os.write(out, b' ' * 1100)", "wrote a line of more than 1,024 bytes"),
        ("os.write(2, b'x' * 20_000)", "wrote more than 16,384 bytes in one match"),
    ],
)
def test_a_bot_that_writes_more_than_its_ladder_allows_has_met_a_limit(line: str, reason: str) -> None:
    (fault,) = match_of(late(line).replace("asked > 2", "asked == 3"), output=Output(1, 16))[1]
    assert (fault.verdict, fault.detail) == ("output limit", reason)
    assert match_of(late(line).replace("asked > 2", "asked == 3"), output=Output(8, 64))[1] == []


def test_stderr_is_cut_with_a_mark_and_a_bot_is_told_its_limits() -> None:
    curious = "import sys\nprint('x' * 5000, sys.stdin.readline(), file=sys.stderr)\n"
    mark, text = match_of(curious, output=Output(2, 32, 1))[0].stderr(0).splitlines()
    assert mark.endswith(" bytes before this are cut]")
    limits = '"limits":{"memory_mb":128,"threads":1,"files_mb":0,"temp_mb":0,"line_kb":2,"output_kb":32}}'
    assert text.endswith(limits)
