"""What people see of Kaiju Incorporated."""

from bots.games.kaiju.answer_form import ask
from bots.games.kaiju.board import UNIT, draw, worth
from bots.games.kaiju.chances import outlook
from bots.games.kaiju.commentary import tell
from bots.games.kaiju.guide import GUIDE, needs
from bots.games.kaiju.icons import VOCABULARY

__all__ = ["GUIDE", "UNIT", "VOCABULARY", "ask", "draw", "needs", "outlook", "tell", "worth"]
