"""A company by what it makes; one that makes nothing by what it is: a factory."""

from bots.games.zaibatsu.board.companies import resource_token
from bots.viewer.icons import Vocabulary
from bots.viewer.svg import element
from engine.games.zaibatsu import CARDS

FACTORY = element("path", d="M1 15V7L5 4V7L9 4V7L11 6V1H15V15Z", class_="arrow")
SYMBOLS = sorted({symbol for company in CARDS.values() for symbol in company.outputs})
VOCABULARY = Vocabulary(
    {"factory": FACTORY, **{symbol: resource_token(symbol, 1.5, 1) for symbol in SYMBOLS}},
    {company.name: [*dict.fromkeys(company.outputs)] or ["factory"] for company in CARDS.values()},
)
