"""Shangzhou-Gold in the middle of things, for tests: positions spelt out, and matches answered in short."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from engine.core import Event, Match, Question
from engine.dice import Dice
from engine.games.shangzhou import HOMES, SHANGZHOU, Lot, Options, Position
from engine.games.shangzhou.position import Phase
from engine.games.shangzhou.rules import PHASES
from engine.records import Record

OPTIONS = {each.name for each in fields(Options)}
Counts = Mapping[int, Sequence[int]]  # agents by sector, then by seat


def table(players: int = 3, phase: Phase = "expand", agents: Counts | None = None, **rest: Any) -> Position:
    """Turn 1, nothing on the board but homes (9, 14, 49, 54 by seat); order and priority are by seat, 0 is Overseer.

    `rest` are options, `zones` by sector, and fields of the position.
    """
    options = Options(players, **{name: rest.pop(name) for name in OPTIONS & rest.keys()})
    at = SHANGZHOU.new(options, Dice.of("table"))
    seats = list(range(players))
    at.turn, at.phase, at.overseer, at.heard, at.to_settle = 1, PHASES.index(phase), 0, [], []
    at.homes, at.zones = list(HOMES[:players]), [""] * 64
    for sector, zone in [*((home, "home") for home in at.homes), *rest.pop("zones", {}).items()]:
        at.zones[sector] = zone
    at.priority, at.order, at.live = seats.copy(), seats.copy(), seats.copy()
    for sector, counts in (agents or {}).items():
        for seat, count in enumerate(counts):
            at.agents[seat][sector] = count
    for name, value in rest.items():
        setattr(at, name, value)
    return at


def begin(players: int = 3, phase: Phase = "expand", agents: Counts | None = None, **rest: Any) -> Match[Position]:
    """The match from such a table on."""
    return Match(SHANGZHOU.rules, table(players, phase, agents, **rest))


def lots(tiles: str, players: int = 3) -> list[Lot]:
    return [Lot(tile, [0] * players) for tile in tiles]  # type: ignore[arg-type]


def seat_to_answer(match: Match[Position]) -> int:
    """The one seat asked now."""
    (seat,) = match.questions
    return seat


def question(match: Match[Position], seat: int | None = None) -> Question[Any]:
    return match.questions[seat_to_answer(match) if seat is None else seat]


def answer(match: Match[Position], *answers: Record) -> list[Event]:
    """Whoever is asked gives these answers, one after the other; what happened."""
    for given in answers:
        match.apply({seat_to_answer(match): given})
    return match.hear()


def all_answer(match: Match[Position], **given: Record) -> list[Event]:
    """All who are asked answer: seat 0 as `p0` says and so on, the others the default."""
    match.apply({seat: given.get(f"p{seat}", each.default()) for seat, each in match.questions.items()})
    return match.hear()


def refusal(match: Match[Position], given: Record, seat: int | None = None) -> str:
    """Why the asked seat may not answer this."""
    reason = question(match, seat).error(given)
    assert reason, f"{given} is legal"
    return reason


def defaults(match: Match[Position], until: str = "") -> list[Event]:
    """The defaults answer until a question of that kind is asked, or the match is over."""
    events = match.hear()
    while not match.over and until not in {each.tag for each in match.questions.values()}:
        match.apply({seat: each.default() for seat, each in match.questions.items()})
        events += match.hear()
    return events


def heard(events: Iterable[Event], kind: type[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def there(at: Position, sector: int) -> list[int]:
    """How many agents each seat has in a sector."""
    return [agents[sector] for agents in at.agents]
