"""Dice as they fell, corporations, product lines."""

from bots.games.gigabucks.board.lately import SPOTS, face
from bots.viewer.icons import Vocabulary
from bots.viewer.svg import element

CORPORATION = element("path", d="M2 15V6H8V1H14V15Z", class_="gb-idle")
LINES = element("path", d="M1 15V9H5V15ZM6 15V5H10V15ZM11 15V1H15V15Z", class_="gb-idle")
VOCABULARY = Vocabulary(
    {
        "corporation": CORPORATION,
        "lines": LINES,
        **{f"die-{eyes}": element("g", face(eyes), transform="scale(0.84)") for eyes in SPOTS},
    },
    {name: ["corporation"] for name in ("corporation", "corporations", "Corporation", "Corporations")}
    | {"product lines": ["lines"]},
    {
        r"\d+(?=(?:, \d+)*(?: and \d+)? and comes)": lambda eyes: [f"die-{eyes}"],
        r"\d+ product lines?": lambda _: ["lines"],
    },
)
