"""Shangzhou-Gold in the middle of things, for tests: positions spelt out, and matches answered in short."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from engine.core import Event, Match, Question
from engine.dice import Dice
from engine.games.shangzhou import HOMES, SHANGZHOU, Lot, Options, Position
from engine.games.shangzhou.position import Phase
from engine.games.shangzhou.rules import PHASES
from engine.records import Record
from tests.games.answering import seat_to_answer

OPTIONS = {field.name for field in fields(Options)}
Counts = Mapping[int, Sequence[int]]  # agents by sector, then by seat


def table(players: int = 3, phase: Phase = "expand", agents: Counts | None = None, **settings: Any) -> Position:
    """Turn 1, nothing on the board but homes (9, 14, 49, 54 by seat); order and priority are by seat, 0 is Overseer.

    `settings` are options, `zones` by sector, and fields of the position.
    """
    options = Options(players, **{name: settings.pop(name) for name in OPTIONS & settings.keys()})
    position = SHANGZHOU.new(options, Dice.of("table"))
    seats = list(range(players))
    position.turn, position.phase, position.overseer = 1, PHASES.index(phase), 0
    position.heard, position.to_settle = [], []
    position.homes, position.zones = list(HOMES[:players]), [""] * 64
    for sector, zone in [*((home, "home") for home in position.homes), *settings.pop("zones", {}).items()]:
        position.zones[sector] = zone
    position.priority, position.order, position.live = seats.copy(), seats.copy(), seats.copy()
    for sector, counts in (agents or {}).items():
        for seat, count in enumerate(counts):
            position.agents[seat][sector] = count
    for name, value in settings.items():
        setattr(position, name, value)
    return position


def begin(players: int = 3, phase: Phase = "expand", agents: Counts | None = None, **settings: Any) -> Match[Position]:
    """The match from such a table on."""
    return Match(SHANGZHOU.rules, table(players, phase, agents, **settings))


def lots(tiles: str, players: int = 3) -> list[Lot]:
    return [Lot(tile, [0] * players) for tile in tiles]  # type: ignore[arg-type]


def question(match: Match[Position], seat: int | None = None) -> Question[Any]:
    return match.questions[seat_to_answer(match) if seat is None else seat]


def all_answer(match: Match[Position], **given: Record) -> list[Event]:
    """Have all who are asked answer: seat 0 as `p0` says and so on, the others the default."""
    match.apply({seat: given.get(f"p{seat}", asked.default()) for seat, asked in match.questions.items()})
    return match.hear()


def defaults(match: Match[Position], until: str = "") -> list[Event]:
    """The defaults answer until a question of that kind is asked, or the match is over."""
    events = match.hear()
    while not match.over and until not in {asked.tag for asked in match.questions.values()}:
        match.apply({seat: asked.default() for seat, asked in match.questions.items()})
        events += match.hear()
    return events


def agents_in(position: Position, sector: int) -> list[int]:
    """How many agents each seat has in a sector."""
    return [agents[sector] for agents in position.agents]
