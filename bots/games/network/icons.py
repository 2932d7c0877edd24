"""Companies by their cubes, cities; and what else the legend shows of the board."""

from bots.games.network.board.land import CITY, PEAKS
from bots.games.network.commentary import CALLED, company_hue, company_letter
from bots.viewer.icons import Vocabulary
from bots.viewer.svg import Markup, element, rect, text


def _cube(company: int) -> Markup:
    sign = text(company_letter(company), 8, 12.5, "middle strong")
    return rect(1.2, 1.2, 13.6, 13.6, f"nw-cube {company_hue(company)} outline", rx=3) + sign


CHIP = element("ellipse", cx=8, cy=10, rx=7.4, ry=5, class_="nw-chip")
LEGEND = {
    "mountain": element("path", d=PEAKS, transform="translate(8 8) scale(0.5)", class_="nw-mark"),
    "chip": CHIP + element("ellipse", cx=8, cy=7, rx=7.4, ry=5, class_="nw-chip") + text(2, 8, 11, "middle strong"),
    "line": element("path", d="M1 8H15", class_=f"{company_hue(0)} outline"),
    "share": rect(2, 1, 12, 14, "seat-0", rx=2) + text(0, 8, 12, "on-seat"),
    "hand": rect(2, 1, 12, 14, f"nw-hand {company_hue(0)} outline", rx=2),
    "pool": rect(2, 1, 12, 14, "nw-pool", rx=2),
}


VOCABULARY = Vocabulary(
    {
        "city": element("path", d=CITY, transform="translate(8 8) scale(0.65)", class_="nw-key"),
        **LEGEND,
        **{f"company-{company}": _cube(company) for company in range(len(CALLED))},
    },
    {"city": ["city"], "cities": ["city"]},
    {rf"(?:{'|'.join(CALLED)})(?= \()": lambda company: [f"company-{CALLED.index(company)}"]},
)
