"""The same run that `manage.py faults` makes long, short: what has undone others, and some more that the seed draws."""

import subprocess
import sys

from tests.faults.plan import CLASSICS, DECK, plan
from tests.launcher.processes import ROOT, bare_environment

FAULTS, MATCHES = 9, 40
SHORT = ("--seed", "1", "--faults", str(FAULTS), "--matches", str(MATCHES), "--workers", "2")


def test_nothing_is_lost_or_doubled_whatever_goes_wrong() -> None:
    command = [sys.executable, "manage.py", "faults", *SHORT]
    done = subprocess.run(command, check=False, cwd=ROOT, env=bare_environment(), capture_output=True, text=True)
    assert done.returncode == 0, (done.stdout + done.stderr)[-20_000:]
    assert f"seed 1: faults injected {FAULTS}, " in done.stdout
    assert "lost = 0, doubled = 0, other troubles = 0, " in done.stdout


def test_a_plan_is_its_seeds_and_holds_every_kind_of_fault_at_every_place() -> None:
    everything = len(CLASSICS) + len(DECK)
    assert plan(7, everything) == plan(7, everything) != plan(8, everything)
    assert {(fault.kind, fault.where) for fault in plan(7, everything)} == set(DECK)
