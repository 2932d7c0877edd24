"""Matches give way to pages on a machine that plays and serves."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workers import outfit

PRINT = """
import os
from pathlib import Path
from workers import priority

priority.lower()
if os.fork():
    os.wait()
else:
    os.setsid()
    priority.keep_in_session()
    session = Path("/proc/self/autogroup")
    print(os.nice(0), session.read_text() if session.exists() else "none")
"""


def test_matches_and_all_that_they_start_have_a_lower_priority() -> None:
    before = subprocess.run(["nice"], capture_output=True, text=True, check=True).stdout

    shown = subprocess.run([sys.executable, "-c", PRINT], capture_output=True, text=True, check=True).stdout

    expected = max(int(before), 10)
    niceness, _, session = shown.strip().partition(" ")
    assert int(niceness) == expected
    if Path("/proc/self/autogroup").exists():
        assert session.endswith(f"nice {expected}")


@pytest.mark.parametrize("practises", [False, True])
def test_workers_of_matches_have_it_and_those_of_practice_do_not(practises: bool) -> None:
    variables = 'os.environ["WORKER_PRACTICES"] = "1"' if practises else "pass"
    code = f"""
import os
{variables}
from workers import priority, outfit, process_setup
priority.lower = lambda: print("lower")
os.environ["WORKER_CORE"] = "x"  # ends the start here
process_setup._open()
"""
    environment = {name: value for name, value in os.environ.items() if name not in outfit.SECRETS}

    shown = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)

    assert shown.stdout == ("" if practises else "lower\n")
    assert "cannot start" in shown.stderr
