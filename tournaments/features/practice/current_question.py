"""What a person in a practice game is asked, as a bot at that seat would be: question, view, events."""

from dataclasses import dataclass
from typing import Any

from engine.core import Event, Seat
from engine.records import to_plain
from engine.replay import ReplayError, advance, playback
from tournaments.features.practice.turns import PracticeState, replay_of
from tournaments.models import Practice


@dataclass(frozen=True, slots=True)
class Asked:
    """`events` are those that the seat has heard of since its last answer."""

    seat: Seat
    question: Any
    view: Any
    events: list[Any]


def asked_in(practice: Practice, seat: Seat) -> Asked | None:
    """Return what the person of this seat has to answer now; None if nothing, or where this engine cannot play it."""
    if practice.status != Practice.Status.ASKING:
        return None
    try:
        state = PracticeState.of(practice)
    except ReplayError:
        return None
    if seat not in state.people_asked(practice):
        return None
    question, view = state.run.match.questions[seat], state.run.game.see(state.run.match.at, seat)
    return Asked(seat, to_plain(question), to_plain(view), [to_plain(event) for event in _news(practice, seat)])


def _news(practice: Practice, seat: Seat) -> list[Event]:
    replay = replay_of(practice)
    run = playback(replay)
    news = run.match.hear()
    while 0 < len(run.match.questions) <= len(replay.answers) - run.step:
        if seat in run.match.questions:
            news = []
        advance(replay, run)
        news += run.match.hear()
    return [shown for event in news if (shown := event.seen_by(seat)) is not None]
