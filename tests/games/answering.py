"""Matches of any game answered in short."""

from collections.abc import Iterable
from typing import Any

from engine.core import Event, Match
from engine.records import Record


def seat_to_answer(match: Match[Any]) -> int:
    """Return the one seat asked now."""
    (seat,) = match.questions
    return seat


def answer(match: Match[Any], *answers: Record) -> list[Event]:
    """Have whoever is asked give these answers, one after the other; return what happened."""
    for given in answers:
        match.apply({seat_to_answer(match): given})
    return match.hear()


def refusal(match: Match[Any], given: Record, seat: int | None = None) -> str:
    """Return why the seat, or else the one that is asked, may not answer this."""
    reason = match.questions[seat_to_answer(match) if seat is None else seat].error(given)
    assert reason, f"{given} is legal"
    return reason


def heard(events: Iterable[Event], kind: type[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]
