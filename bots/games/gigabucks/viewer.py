"""What people see of Corporate Gigabucks."""

from bots.games.gigabucks.answer_form import ask
from bots.games.gigabucks.board import UNIT, draw, recall, worth
from bots.games.gigabucks.chances import outlook
from bots.games.gigabucks.commentary import margin, tell
from bots.games.gigabucks.guide import GUIDE, needs
from bots.games.gigabucks.icons import VOCABULARY

__all__ = ["GUIDE", "UNIT", "VOCABULARY", "ask", "draw", "margin", "needs", "outlook", "recall", "tell", "worth"]
