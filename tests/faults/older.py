"""The release before this one, as far as its rules go: those of Zaibatsu had another number.

`python3 -m tests.faults.older worker` is a match worker of it, with `tournaments.ledger.recording` a recorder.
"""

import runpy
import sys
from dataclasses import replace

from engine.games import GAMES

RULES = GAMES["zaibatsu"].version + 90  # any other number will do

if __name__ == "__main__":
    GAMES["zaibatsu"] = replace(GAMES["zaibatsu"], version=RULES)
    del sys.argv[0]
    runpy.run_module({"worker": "workers"}.get(sys.argv[0], sys.argv[0]), run_name="__main__", alter_sys=True)
