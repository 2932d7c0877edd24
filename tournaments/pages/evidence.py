"""A fault, laid out for the bot's owner."""

import json
from dataclasses import dataclass

from tournaments.models import FaultEvidence


@dataclass(frozen=True, slots=True)
class Evidence:
    fault: FaultEvidence
    asked: str  # the question as JSON, or ""

    @classmethod
    def of(cls, fault: FaultEvidence) -> "Evidence":
        return cls(fault, json.dumps(fault.asked, indent=2) if fault.asked else "")
