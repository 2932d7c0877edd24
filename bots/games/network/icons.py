"""Companies by their cubes, cities."""

from bots.games.network.board.land import CITY
from bots.games.network.commentary import CALLED
from bots.viewer.icons import Vocabulary
from bots.viewer.svg import Markup, element, rect, text


def _cube(company: int) -> Markup:
    number = text(company, 8, 12.5, "middle strong")
    return rect(1.2, 1.2, 13.6, 13.6, f"nw-cube seat-{company} outline", rx=3) + number


VOCABULARY = Vocabulary(
    {
        "city": element("path", d=CITY, transform="translate(8 8) scale(0.65)", class_="nw-key"),
        **{f"company-{company}": _cube(company) for company in range(len(CALLED))},
    },
    {"city": ["city"], "cities": ["city"]},
    {r"[Cc]ompany \d": lambda words: [f"company-{words[-1]}"]},
)
