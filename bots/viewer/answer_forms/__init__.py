"""The questions of all games as forms that a person can answer in any browser. No Django."""

from collections.abc import Callable, Sequence
from typing import Any

from bots.viewer import plain
from bots.viewer.answer_forms.form import Form
from bots.viewer.game_viewers import part_of
from engine.core import Match, Position, Seat
from engine.game import AnyGame

Ask = Callable[[Any, Any, Sequence[str]], Form]  # of a question, the seat's own view and no other knowledge, and names


def form_of(game: AnyGame, match: Match[Position], seat: Seat, names: Sequence[str]) -> Form:
    """Return the form for what `seat` is asked now."""
    ask: Ask = part_of(game.name, "ask", plain.ask)
    return ask(match.questions[seat], game.see(match.at, seat), names)
