"""Tournament formats as pure functions: `plan` of settings, entrants and results. No Django here, and no state."""

from tournaments.formats.model import (
    POINT,
    Bye,
    Entrant,
    Pairing,
    Plan,
    Row,
    SetResult,
    Table,
    ledger,
)
from tournaments.formats.planning import plan
from tournaments.formats.rules_text import rules_in_words
from tournaments.formats.settings import (
    Criterion,
    Gauntlet,
    Groups,
    KingOfTheHill,
    Knockout,
    League,
    RoundRobin,
    Spec,
    Swiss,
    read_spec,
    write_spec,
)
from tournaments.formats.simulation import Rehearsal, rehearse, side_by_side
from tournaments.formats.validation import check, check_spec

__all__ = [
    "POINT",
    "Bye",
    "Criterion",
    "Entrant",
    "Gauntlet",
    "Groups",
    "KingOfTheHill",
    "Knockout",
    "League",
    "Pairing",
    "Plan",
    "Rehearsal",
    "RoundRobin",
    "Row",
    "SetResult",
    "Spec",
    "Swiss",
    "Table",
    "check",
    "check_spec",
    "ledger",
    "plan",
    "read_spec",
    "rehearse",
    "rules_in_words",
    "side_by_side",
    "write_spec",
]
