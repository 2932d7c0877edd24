"""The sentences by which stored texts are found again (`tournaments/core/config/fault_sentences.py`), as a file:

python3 -m tests.tournaments.web.pages.fault_sentences
"""

import json
import re
from pathlib import Path

from engine.referee import Verdict
from tests.tournaments.web.pages.told import source_of

ROOT = Path(__file__).parents[4]
PLACE = ROOT / "tournaments/core/config" / "fault_sentences.json"
SAID_IN = (
    *("engine/core.py", "engine/reading.py", "engine/auctions.py", "engine/games/*/*.py"),
    *("bots/doctor/imported.py", "bots/doctor/session.py"),
    *("bots/autopsy.py", "bots/import_help.py", "bots/protocol.py", "bots/table.py"),
    "workers/sandbox/wasm/table.py",
    *("tournaments/ledger/competitors/upload_check.py", "tournaments/core/config/fault_sentences.py"),
    "tournaments/ledger/dispatch/leases.py",
)
SAYING = ("Sentence", "Mismatch")
WORD = re.compile(r"[A-Za-z]{2}")
PLACES = re.compile(r"%\(\w+\)s")


def sentences() -> set[str]:
    paths = [path for pattern in SAID_IN for path in sorted(ROOT.glob(pattern))]
    said = {verdict.value for verdict in Verdict}.union(*map(said_in, paths))
    return {sentence for sentence in said if WORD.search(PLACES.sub("", sentence))}


def said_in(path: Path) -> set[str]:
    source = source_of(path)
    calls = ((function, call) for function, call in source.every_call() if getattr(call.func, "id", "") in SAYING)
    return set[str]().union(*(source.strings(call.args[0], function) for function, call in calls if call.args))


def written() -> str:
    return json.dumps(sorted(sentences()), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PLACE.write_text(written())
