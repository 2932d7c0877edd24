"""The questions of all games as forms that a person can answer in any browser. No Django."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from bots.games.gigabucks import answer_form as gigabucks
from bots.games.kaiju import answer_form as kaiju
from bots.games.network import answer_form as network
from bots.games.shangzhou import answer_form as shangzhou
from bots.games.zaibatsu import answer_form as zaibatsu
from bots.viewer import outside, plain
from bots.viewer.answer_forms.form import Form
from engine.core import Match, Position, Seat
from engine.game import AnyGame


class Asker(Protocol):
    """A module of this package."""

    def ask(self, question: Any, view: Any, names: Sequence[str], /) -> Form:
        """The question as a form, with no other knowledge than the seat's own view."""
        ...


ASKERS: Final[Mapping[str, Asker]] = {
    "zaibatsu": zaibatsu,
    "kaiju": kaiju,
    "shangzhou": shangzhou,
    "gigabucks": gigabucks,
    "network": network,
}


def form_of(game: AnyGame, match: Match[Position], seat: Seat, names: Sequence[str]) -> Form:
    """Return the form for what `seat` is asked now."""
    question, view = match.questions[seat], game.see(match.at, seat)
    if game.name in ASKERS:
        return ASKERS[game.name].ask(question, view, names)
    return outside.part(game.name, "ask", plain.ask)(question, view, names)  # type: ignore[no-any-return]
