"""The same run that `manage.py faults` makes long, short: what has undone others, and some more that the seed draws."""

import subprocess
import sys

from tests.faults.plan import CLASSICS, DECK, POISON, POISONS, plan
from tests.faults.poison.known import KNOWN
from tests.thorough import budget
from tests.tournaments.ops.launcher.processes import ROOT, bare_environment

# All of what has undone others, and three poisons; or every poison once. Each has tests of its own.
SEED, FAULTS, POISON_OF_A_HUNDRED = 1, budget(11, full=26), budget(28, full=70)
MATCHES = budget(20, full=40)
MIXED = ("--faults", str(FAULTS), "--poison", str(POISON_OF_A_HUNDRED))
SHORT = ("--seed", str(SEED), *MIXED, "--matches", str(MATCHES), "--workers", "2")


def test_nothing_is_lost_or_doubled_whatever_goes_wrong() -> None:
    command = [sys.executable, "manage.py", "faults", *SHORT]
    done = subprocess.run(command, check=False, cwd=ROOT, env=bare_environment(), capture_output=True, text=True)
    assert done.returncode == 0, (done.stdout + done.stderr)[-20_000:]
    assert f"seed {SEED}: faults injected {FAULTS}, " in done.stdout
    assert "lost = 0, doubled = 0, other troubles = 0, " in done.stdout
    drawn = plan(SEED, FAULTS, POISON_OF_A_HUNDRED)
    assert set(CLASSICS) <= {(fault.kind, fault.where) for fault in drawn}
    poisons = {fault.where for fault in drawn if fault.kind == POISON}
    assert len(poisons) == budget(3, full=len(POISONS))
    assert [name for name in poisons if f" times {name} had its effect" not in done.stdout] == []


def test_a_plan_is_its_seeds_and_holds_every_kind_of_fault_at_every_place() -> None:
    everything = len(CLASSICS) + len(DECK)
    assert plan(7, everything) == plan(7, everything) != plan(8, everything)
    assert {(fault.kind, fault.where) for fault in plan(7, everything)} == set(DECK)


def test_of_a_plan_so_many_of_a_hundred_are_poison_each_once_before_any_comes_twice() -> None:
    assert set(POISONS) == set(KNOWN)
    mixed = plan(7, 5 * len(POISONS), poison=20)
    poisons = [fault.where for fault in mixed if fault.kind == POISON]
    assert sorted(poisons) == sorted(POISONS)
    assert [fault for fault in mixed if fault.kind != POISON] == plan(7, 4 * len(POISONS))
    assert {fault.kind for fault in plan(7, len(POISONS), poison=100)} == {POISON}
