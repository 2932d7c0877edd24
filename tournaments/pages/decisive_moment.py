"""Where a seat lost its match, for who comes from the bot's page: the decisions that cost most, and ways to go on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from bots.viewer.player import Perspective
from bots.viewer.slices import look
from bots.viewer.turning_points import TurningPoint, costly, decisions, led_last, says_something
from engine.replay import Replay
from tournaments.pages.query_values import whole

MOST: Final = 3  # decisions that are named


@dataclass(frozen=True, slots=True)
class Decision:
    """`at`: the moment that shows it. `fork`: the address of a game that goes on before it, with another answer."""

    at: int
    fork: str
    what: str
    cost: float
    fault: str


@dataclass(frozen=True, slots=True)
class LostMatch:
    seat: int
    name: str
    unit: str
    worst: Decision
    others: list[Decision]  # in the order of the match
    led_last: int | None


def lost_match(number: int, replay: Replay, query: Mapping[str, str]) -> LostMatch | None:
    """Of the seat that the address names by `lost`; None where it did not lose, or by nothing. Raises ReplayError."""
    seat = whole(query.get("lost"))
    if seat is None or seat >= len(replay.players) or replay.result.places[seat] == 1:
        return None
    seen = look(replay, Perspective.everything(len(replay.players)), 0)
    points = costly(decisions(replay, seen.outline, seen.names, seat), MOST)
    if not points or not (says_something(seen.outline) or any(point.fault for point in points)):
        return None
    told = [_decision(number, point, seen.outline.ats) for point in points]
    worst = told[points.index(max(points, key=lambda point: (bool(point.fault), point.cost)))]
    others = [each for each in told if each is not worst]
    return LostMatch(seat, seen.names[seat], seen.unit, worst, others, led_last(seen.outline, seat))


def opened_at(lost: LostMatch | None, query: Mapping[str, str]) -> dict[str, str]:
    """The query of the viewer: an address that names no moment opens at the decision."""
    return {**query, "at": str(lost.worst.at)} if lost and "at" not in query else dict(query)


def _decision(match: int, point: TurningPoint, ats: list[int]) -> Decision:
    shown = next((at for at in ats if at > point.at), ats[-1])
    what = " ".join((*point.did, *point.came[:1]))
    return Decision(shown, f"{reverse('fork')}?match={match}&at={point.at}", what, round(point.cost, 1), point.fault)
