"""Cards by their suit, filled or hollow as on the board; Kaiju as they look; money, research and Kaiju steps."""

from bots.games.kaiju.board.cards import SHAPES, ground, words_on
from bots.games.kaiju.board.scene import KAIJU, monster
from bots.games.kaiju.board.words import SUITS
from bots.viewer.icons import Vocabulary
from bots.viewer.svg import Markup, element, group, rect, text
from engine.games.kaiju import BUILDING, NAMES, PRODUCT, SUIT


def _suit(key: str) -> Markup:
    """A suit and a timing."""
    letter = text(key[0], 8, 12.3, f"{words_on(key)} strong middle")
    return rect(1, 1, 14, 14, ground(key), rx=3) + letter


def _of(card: str) -> str:
    """The icon of a card."""
    if card in BUILDING:
        return BUILDING[card].suit + BUILDING[card].timing
    return card if card in KAIJU else "product" if card in PRODUCT else f"{SUIT[card]}Y"


VOCABULARY = Vocabulary(
    {
        **{suit + timing: _suit(suit + timing) for suit in SUITS for timing in "YR"},
        **{card: element("g", monster(card), transform="translate(8 15) scale(0.26)") for card in KAIJU},
        **{kind: group(shape, at=(8, 8), class_=f"kj-{kind}") for kind, shape in SHAPES.items()},
        "product": rect(1, 2.5, 14, 11, "kj-product", rx=5),
    },
    {name: [_of(card)] for card, name in NAMES.items()},
    {
        r"\d+(?=¥)": lambda _: ["money"],
        r"\d+(?= research)": lambda _: ["research"],
        r"[+−-]?\d+(?= kaiju)": lambda _: ["kaiju"],
        rf"(?:{'|'.join(SUITS.values())})(?= income)": lambda suit: [f"{suit[0]}Y"],
    },
)
