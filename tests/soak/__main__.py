"""`python3 -m tests.soak [--minutes 20]`: a whole site with short matches and visitors, and what grows in it.

Two ladders of quick bots are played as fast as the workers can, while visitors ask for pages without a pause. Every few
seconds the memory of each kind of process, the rows of each table, the broker's keys and the files of the data folder
are counted. The first third is the warming up; what is printed is what grew in the rest, by 1,000 matches.

With `--sites 4 --minutes 3` other sites are as busy (`tests/soak/crowded.py`).
With `--overload` there are no visitors, but more work than can be done (`tests/soak/overload.py`). With
`--deadline 300 --minutes 5` a class hands in its homework (`tests/soak/deadline.py`).
"""

import argparse
import importlib
import os
import sys
import tempfile
from pathlib import Path

from tests.soak import ADDRESSES
from tournaments.ops.launcher.data_dir import Data


def main() -> int:
    parser = argparse.ArgumentParser("python3 -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20, help="of traffic (20)")
    parser.add_argument("--visitors", type=int, default=4, help="threads that ask for pages (4)")
    parser.add_argument(
        "--overload", action="store_true", help="for an eighth of it five times too much work, then none"
    )
    parser.add_argument(
        "--deadline", type=int, metavar="N", help="N students of a class upload in that time (tests/soak/deadline.py)"
    )
    parser.add_argument("--sites", type=int, metavar="N", help="N busy sites beside this one (tests/soak/crowded.py)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="boardroom-soak-") as folder:
        Path(folder).chmod(0o711)  # as root the database's folder may have to be nobody's
        for name in ADDRESSES:
            os.environ.pop(name, None)
        os.environ["DJANGO_SETTINGS_MODULE"] = "tournaments.settings"
        Data(Path(folder) / "data").complete(os.environ)
        importlib.import_module("django").setup()
        return int(importlib.import_module("tests.soak.run").run(options, Path(folder) / "data"))


if __name__ == "__main__":
    sys.exit(main())
