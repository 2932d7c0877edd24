"""A company by what it makes; one that makes nothing by what it is: a factory. And what the legend shows besides."""

from bots.games.zaibatsu.board.companies import ARROW, card_back, resource_token
from bots.viewer.icons import Vocabulary
from bots.viewer.svg import element, rect
from engine.games.zaibatsu import CARDS

FACTORY = element("path", d="M1 15V7L5 4V7L9 4V7L11 6V1H15V15Z", class_="arrow")
SYMBOLS = sorted({symbol for company in CARDS.values() for symbol in company.outputs})
LINE = "flow res-O"
LEGEND = {
    "arrow": element("path", d=f"M5 4{ARROW}", class_="arrow"),
    "idle": rect(1, 3, 14, 10, "plate idle", rx=3),
    "flow": element("path", d="M1 12C8 12 8 4 15 4", class_=LINE),
    "over": element("path", d="M2 8h8", class_=LINE) + element("circle", cx=11, cy=8, r=3, class_="res-O"),
    "need": element("circle", cx=8, cy=8, r=4, class_=LINE),
    "back": card_back(11, 15),
}
VOCABULARY = Vocabulary(
    {"factory": FACTORY, **LEGEND, **{symbol: resource_token(symbol, 1.5, 1) for symbol in SYMBOLS}},
    {company.name: [*dict.fromkeys(company.outputs)] or ["factory"] for company in CARDS.values()},
)
