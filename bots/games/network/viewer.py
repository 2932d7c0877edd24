"""What people see of Network."""

from bots.games.network.answer_form import ask
from bots.games.network.board import UNIT, draw, worth
from bots.games.network.chances import outlook
from bots.games.network.commentary import margin, tell
from bots.games.network.guide import GUIDE, needs
from bots.games.network.icons import VOCABULARY

__all__ = ["GUIDE", "UNIT", "VOCABULARY", "ask", "draw", "margin", "needs", "outlook", "tell", "worth"]
