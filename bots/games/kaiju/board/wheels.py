"""The track card of a player: the Bank Account and the two wheels; first what never changes, then the markers."""

from math import cos, pi, sin
from typing import Final

from bots.games.kaiju.board.cards import SHAPES
from bots.viewer.language import cached_by_language, say
from bots.viewer.lettering import squeeze
from bots.viewer.svg import Markup, element, group, text, tooltip
from engine.games.kaiju import Player
from engine.games.kaiju.pieces import KAIJU_SPACES, MOST_MONEY, RESEARCH_SPACES

BANK, STEP = 162, 6  # where the bank's track begins, and the width of a space
WHEELS: Final = {"research": (RESEARCH_SPACES, 255), "kaiju": (KAIJU_SPACES, 305)}
MIDDLE, RADIUS = 15, 14
CALLED: Final = {"research": "research", "kaiju": "Kaiju"}
BRINGS: Final = {
    "research": "Research: %(number)s of %(spaces)s steps to the next New Product",
    "kaiju": "Kaiju: %(number)s of %(spaces)s steps to the next attack",
}
WEDGES: Final = {
    "research": "Research: the marker goes round from wedge to wedge; back at the blue one, it brings a New Product",
    "kaiju": "Kaiju: the marker goes round from wedge to wedge; back at the red one, there is an attack",
}


@cached_by_language()
def tracks() -> Markup:
    """Draw the bank and the wheels, without markers."""
    most = tooltip(say("A bank holds %(most)s¥ at most", most=MOST_MONEY))
    bank = group(most, _money(MOST_MONEY, "kj-empty"), text(say("bank"), 227, 20, "small faint end"))
    return bank + "".join(map(_wheel, WHEELS))


def markers(me: Player) -> Markup:
    bank = text(f"{me.bank}¥", BANK, 20, "strong") + (_money(me.bank, "kj-full") if me.bank else "")
    return group(tooltip(bank_words(me)), bank) + _marker("research", me.research) + _marker("kaiju", me.kaiju)


def bank_words(me: Player) -> str:
    return say("In the bank: %(bank)s¥ of %(most)s at most", bank=me.bank, most=MOST_MONEY)


def _money(spaces: int, look: str) -> Markup:
    """Draw so many spaces of the bank: a thick dashed line."""
    return element("path", d=f"M{BANK} 31.5h{STEP * spaces - 1.4:g}", class_=look)


def _wheel(kind: str) -> Markup:
    """The first space, at the top, is the one that matters."""
    spaces, x = WHEELS[kind]
    first = element("path", d=_wedge(0, spaces), class_=f"kj-{kind}")
    others_drawn = element("path", d="".join(_wedge(place, spaces) for place in range(1, spaces)), class_="kj-space")
    name = squeeze(say(CALLED[kind]), x, MIDDLE + 25, 46, "small faint middle", 5.6)
    drawn = group(others_drawn, first, at=(x, MIDDLE), class_="kj-wheel")
    return group(tooltip(say(WEDGES[kind])), drawn, name)


@cached_by_language()
def _marker(kind: str, number: int) -> Markup:
    spaces, x = WHEELS[kind]
    marker = element("path", d=_wedge(number, spaces), class_="kj-here")
    hub = group(SHAPES[kind], class_=f"kj-{kind}")
    return group(tooltip(stands_at(kind, number)), marker, hub, text(number, 0, 3.7, "kj-number"), at=(x, MIDDLE))


def stands_at(kind: str, number: int) -> str:
    """How far a wheel is on its way round."""
    return say(BRINGS[kind], number=number, spaces=WHEELS[kind][0])


def _wedge(place: int, spaces: int) -> str:
    """A space of a wheel, clockwise from the top."""
    edges = [2 * pi * (place + side) / spaces for side in (-0.5, 0.5)]
    (a, b), (c, d) = [(RADIUS * sin(turn), -RADIUS * cos(turn)) for turn in edges]
    return f"M0 0L{a:.1f} {b:.1f}A{RADIUS} {RADIUS} 0 0 1 {c:.1f} {d:.1f}Z"
