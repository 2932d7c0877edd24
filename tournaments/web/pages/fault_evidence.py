"""A fault, as the bot's owner sees it."""

import json
from dataclasses import dataclass

from tournaments.models import FaultEvidence
from tournaments.web.pages.replay_viewer import Viewer


@dataclass(frozen=True, slots=True)
class Evidence:
    fault: FaultEvidence
    asked: str  # the question as JSON, or ""

    @classmethod
    def of(cls, fault: FaultEvidence) -> "Evidence":
        return cls(fault, json.dumps(fault.asked, indent=2) if fault.asked else "")


@dataclass(frozen=True, slots=True)
class Decision:
    """A fault, and the moment of the replay at which it happened."""

    at: int
    evidence: Evidence


def fault_decisions(viewer: Viewer, evidence: list[Evidence]) -> list[Decision]:
    return [Decision(viewer.moment_of(item.fault.answer), item) for item in evidence]
