"""The twelve Kaiju and the five cities in outline: feet and foundations stand on y = 0."""

from collections import Counter
from functools import cache
from typing import Final

from bots.games.kaiju.board.words import CITIES as CALLED
from bots.viewer.language import cached_by_language, say, say_number
from bots.viewer.svg import Markup, element, group, text, tooltip
from engine.games.kaiju import BUILDING, NAMES, Position
from engine.games.kaiju.pieces import CITIES

WIDE, HIGH = 420, 94
GROUND: Final = 74
CITY: Final = 66  # from one to the next
SAUR: Final = "M-8 0V-10L-14-22L-12-36L-24-40L-26-48L-14-54L-2-52L6-44L12-30L16-16L30-2L12-4L10 0H4L2-8H-2L0 0Z"
# By its card: the outline, and where the eye is.
KAIJU: Final = {
    "K01": (SAUR + "M8-46l9-7v9l-5 4ZM13-34l10-6v9l-7 4ZM17-21l10-4v8l-8 3Z", -16, -48),
    "K02": ("M-28-4C-28-36 24-40 28-4L20 0H12L10-6H-10L-12 0H-22ZM-26-8L-40-12L-38-24L-26-22Z", -34, -18),
    "K03": ("M-24 0C-34-6-32-20-22-22C-24-38-8-46 0-38C8-52 26-44 22-30C34-26 34-8 24 0Z", -8, -24),
    "K04": (
        (
            "M-24 0V-20C-24-36-8-42 6-40C24-40 30-24 28 0H18V-14H8V0H-2V-14H-12V0Z"
            "M-24-24C-40-20-34-6-40-2C-32 2-26-8-22-10Z"
        ),
        -14,
        -28,
    ),
    "K05": (
        (
            "M-34-8A8 8 0 0 1-18-8A8 8 0 0 1-2-8A8 8 0 0 1 14-8A8 8 0 0 1 30-8V-2H26V0H22V-2H10V0H6V-2H"
            "-6V0H-10V-2H-22V0H-26"
            "V-2H-34ZM-34-10L-42-22L-38-22L-30-12ZM4-46L-8-28H1L-5-16L13-33H5L11-46Z"
        ),
        -28,
        -9,
    ),
    "K06": (
        (
            "M0-12C-10-44-40-52-38-28C-38-14-16-10-4-12C-22-4-26 6-12 2C-6 0 0-4 0-8C0-4 6 0 12 2C26 6 "
            "22-4 4-12C16-10 38-14"
            " 38-28C40-52 10-44 0-12ZM-1-14L-9-42L-6-42L1-16L7-42L10-42L2-14Z"
        ),
        -24,
        -30,
    ),
    "K07": (
        (
            "M-42-6L-16-14H14C26-14 30-6 44 0H10V-4H-8V0H-14V-4L-42-2ZM-16-14L-12-22L-8-14Z"
            "M-4-14L0-22L4-14ZM8-14L12-22L16-14Z"
        ),
        -20,
        -10,
    ),
    "K08": ("M-14-18C-18-56 18-56 14-18L20 0H13L9-12L7 0H2L0-12L-3 0H-8L-9-12L-13 0H-20Z", -6, -30),
    "K09": (
        "M-10 0V-14L-22-8L-32-28L-18-40L-10-42C-8-56 8-56 10-42L18-40L32-28L22-8L10-14V0H2V-10H-2V0Z",
        -4,
        -45,
    ),
    "K10": (
        ("M-20 0C-26-8-14-14-4-14C4-14 4-22-2-24C-18-28-20-46-8-52C0-58 14-54 16-43C17-32 8-28 12-20C20-8 28-4 26 0Z"),
        -6,
        -43,
    ),
    "K11": (
        (
            "M-18 0V-22C-22-26-24-34-20-38L-30-48L-25-50L-14-41H-4L7-50L11-47L2-36C4-32 12-30 20-28C28-"
            "26 30-16 28 0H20V-14"
            "H-8V0Z"
        ),
        -12,
        -33,
    ),
    "K12": (SAUR + "M-34-37h11v9h-11Z", -16, -48),
}
SKYLINES: Final = {
    "TYO": "M0-52L10 0H5L0-14L-5 0H-10ZM-6-24H6V-20H-6ZM-30 0V-22H-22V-30H-14V0ZM14 0V-26H22V-16H30V0Z",
    "MOS": "M-12 0V-24C-20-32-6-40 0-52C6-40 20-32 12-24V0ZM-30 0V-14C-35-20-26-24-24-31C-22-24-13-20-18-14V0ZM18 0V-14"
    "C13-20 22-24 24-31C26-24 35-20 30-14V0Z",
    "HKG": "M-30 0V-30H-23V0ZM-20 0V-44L-12-52V0ZM-9 0V-36H-1V-56H5V0ZM8 0V-40H18V0ZM21 0V-24H30V0Z",
    "SYD": "M-30 0C-28-22-14-34-8-36C-10-22-13-8-15 0ZM-13 0C-10-26 4-42 12-46C10-28 6-10 4 0ZM6 0C10-18 22-28 31-31"
    "C30-18 28-8 28 0Z",
    "SFO": "M-31-14H31V-10H-31ZM-18 0V-48H-13V0ZM13 0V-48H18V0ZM-16-46L-31-15H-28L-15-42ZM-16-46L1-15L-1-13L-17-41Z"
    "M16-46L-1-15L1-13L17-41ZM16-46L31-15H28L15-42Z",
}


@cache
def monster(card: str) -> Markup:
    """Some 80 wide and 56 high, looking to the left."""
    outline, x, y = KAIJU[card]
    eye = element("circle", cx=x, cy=y, r=2.4, class_="kj-eye")
    return group(element("path", d=outline), eye, class_="kj-monster")


def scene(position: Position) -> Markup:
    """The Kaiju that threatens, before the cities, with how many Buildings all players have in each."""
    built = Counter(BUILDING[card].city for player in position.players for card in player.tableau)
    cities = [_city(city, built[city], CITY * (place + 0.5)) for place, city in enumerate(CITIES)]
    ground = element("path", d=f"M0 {GROUND}H{WIDE}", class_="kj-sixth")
    kaiju = group(
        tooltip(say("%(kaiju)s attacks whoever’s Kaiju wheel comes round", kaiju=NAMES[position.threat])),
        element("g", monster(position.threat), transform=f"translate({WIDE - 42} {GROUND}) scale(1.1)"),
        text(NAMES[position.threat], WIDE - 42, GROUND + 15, "small middle kj-alarm"),
    )
    head = text(say("Buildings of all players in each city"), 4, 11, "small faint")
    return head + ground + "".join(cities) + kaiju


@cached_by_language()
def _city(city: str, built: int, x: float) -> Markup:
    look = "kj-skyline" if built else "kj-skyline kj-unbuilt"
    name = text(f"{city} {built}" if built else city, x, GROUND + 15, "small middle")
    words = say_number("%(city)s: %(number)s Building", "%(city)s: %(number)s Buildings", built, city=CALLED[city])
    skyline = element("path", d=SKYLINES[city], class_=look, transform=f"translate({x:g} {GROUND})")
    return group(tooltip(words), skyline, name)
