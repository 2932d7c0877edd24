"""Where a seat lost its match, for viewers from the bot's page: the most costly decisions, and ways to continue."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from bots.viewer.film_chunks import Outline, find_moment
from bots.viewer.key_moments import percent
from bots.viewer.language import decimal
from bots.viewer.player import Perspective
from bots.viewer.turning_points import TurningPoint, costly, decisions, led_last, says_something, unit_of
from engine.replay import Replay
from tournaments.web.pages.query_values import whole

MOST: Final = 3  # decisions that are named


@dataclass(frozen=True, slots=True)
class Decision:
    """`at`: the moment that shows it. `fork`: the address of a game that goes on before it, with another answer."""

    at: int
    fork: str
    what: str
    cost: float
    fault: str
    own: str  # what came with the answer itself, and then what others and chance made of it
    others: str
    fell: str  # with chances: from which to which


@dataclass(frozen=True, slots=True)
class LostMatch:
    seat: int
    name: str
    unit: str
    worst: Decision
    others: list[Decision]  # in the order of the match
    led_last: int | None


def lost_match(number: int, replay: Replay, query: Mapping[str, str]) -> LostMatch | None:
    """Return what cost the seat of `lost` most; None where it did not lose, or by nothing. Raises ReplayError."""
    seat = whole(query.get("lost"))
    if seat is None or seat >= len(replay.players) or replay.result.places[seat] == 1:
        return None
    seen = find_moment(replay, Perspective.everything(len(replay.players)), 0)
    points = costly(decisions(replay, seen.outline, seen.names, seat), MOST)
    if not points or not (says_something(seen.outline) or any(point.fault for point in points)):
        return None
    told = [_decision(number, point, seen.outline) for point in points]
    worst = told[points.index(max(points, key=lambda point: (bool(point.fault), point.cost)))]
    others = [each for each in told if each is not worst]
    unit = unit_of(seen.outline, seen.unit)
    return LostMatch(seat, seen.names[seat], unit, worst, others, led_last(seen.outline, seat))


def opened_at(lost: LostMatch | None, query: Mapping[str, str]) -> dict[str, str]:
    """The query of the viewer: an address that names no moment opens at the decision."""
    return {**query, "at": str(lost.worst.at)} if lost and "at" not in query else dict(query)


def _decision(match: int, point: TurningPoint, outline: Outline) -> Decision:
    return Decision(
        at=next((at for at in outline.ats if at > point.at), outline.ats[-1]),
        fork=f"{reverse('fork')}?match={match}&at={point.at}",
        what=" ".join((*point.did, *point.came[:1])),
        cost=round(point.cost, 1),
        fault=point.fault,
        own=decimal(f"{point.own:+.0f}"),
        others=decimal(f"{point.others:+.0f}"),
        fell=f"{percent(point.before / 100)} → {percent(point.after / 100)}" if outline.chances else "",
    )
