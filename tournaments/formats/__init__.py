"""Tournament formats as pure functions: `plan` of settings, entrants and results. No Django here, and no state."""

from tournaments.formats.model import (
    POINT,
    Bye,
    Entrant,
    Pairing,
    Performance,
    Plan,
    Row,
    SetResult,
    Table,
    ledger,
)
from tournaments.formats.planning import plan
from tournaments.formats.spec import Criterion, Knockout, RoundRobin, Spec, Swiss, read_spec, write_spec

__all__ = [
    "POINT",
    "Bye",
    "Criterion",
    "Entrant",
    "Knockout",
    "Pairing",
    "Performance",
    "Plan",
    "RoundRobin",
    "Row",
    "SetResult",
    "Spec",
    "Swiss",
    "Table",
    "ledger",
    "plan",
    "read_spec",
    "write_spec",
]
