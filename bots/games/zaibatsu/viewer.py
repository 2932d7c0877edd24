"""What people see of Zaibatsu."""

from bots.games.zaibatsu.answer_form import ask
from bots.games.zaibatsu.board import UNIT, draw, worth
from bots.games.zaibatsu.chances import outlook
from bots.games.zaibatsu.commentary import tell
from bots.games.zaibatsu.guide import GUIDE, needs
from bots.games.zaibatsu.icons import VOCABULARY

__all__ = ["GUIDE", "UNIT", "VOCABULARY", "ask", "draw", "needs", "outlook", "tell", "worth"]
