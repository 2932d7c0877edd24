"""What people see of Shangzhou-Gold."""

from bots.games.shangzhou.answer_form import ask
from bots.games.shangzhou.board import UNIT, draw, worth
from bots.games.shangzhou.chances import outlook
from bots.games.shangzhou.commentary import margin, tell
from bots.games.shangzhou.guide import GUIDE, needs
from bots.games.shangzhou.icons import VOCABULARY

__all__ = ["GUIDE", "UNIT", "VOCABULARY", "ask", "draw", "margin", "needs", "outlook", "tell", "worth"]
