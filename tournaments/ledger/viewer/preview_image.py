"""A moment as one picture for link previews: the board, a title, and a sentence. Rendered without a browser."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final, Literal

import resvg_py

from bots.viewer.svg import Markup, Picture, element, group, rect, text, whole_words
from engine.replay import Replay
from tournaments.core.config.plain_text import clean_text

WIDTH: Final = 1200
HEIGHT: Final = 630  # what sites that show previews ask for
BOARD: Final = 720  # of the width, the rest is for words
EDGE: Final = 24
LINE: Final = 26  # letters
TITLE: Final = 22
LINES: Final = 12  # of words beside the board
FONT: Final = Path(__file__).parent / "font" / "DejaVuSans.ttf"
STYLES: Final = Path(__file__).parents[3] / "bots" / "viewer" / "static"
COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
OTHER_SCREENS: Final = re.compile(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
VARIABLE: Final = re.compile(r"(--[\w-]+):\s*([^;]+);")
OF_THEMES: Final = re.compile(r"light-dark\((?P<light>[^,]+), (?P<dark>[^)]+)\)")
OURS: Final = re.compile(r"^\.picture[^{]*\{[^}]*\}", re.MULTILINE)

DRAWN: Final = re.compile("[ -~\xa0-\u024f\u0370-\u045f\u2010-\u2044]*")  # the letters of the font


def legible(replay: Replay) -> Replay:
    """Return the names, with a seat's number for one in a script that the font does not have."""
    players = [
        player if DRAWN.fullmatch(player.name) else replace(player, name=f"seat {seat}")
        for seat, player in enumerate(replay.players)
    ]
    return replace(replay, players=players)


def preview_card(picture: Picture, title: str, standing: list[str], sentence: str) -> bytes:
    """A PNG."""
    colours, sheet = light_styles()
    drawn = resvg_py.svg_to_bytes(
        svg_string=_svg(picture, title, standing, sentence),
        style_sheet=sheet,
        background=colours["--paper"],
        skip_system_fonts=True,  # looked for on every call, and not the same everywhere
        font_files=[str(FONT)],
        font_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
    )
    return bytes(drawn)


@cache
def light_styles() -> tuple[Mapping[str, str], str]:
    """The site's colours in light, and the rules for pictures with these in the place of variables."""
    colours, rules = theme("light"), "\n".join(OURS.findall(plain_style("boards.css")))
    return colours, re.sub(r"var\((--[\w-]+)\)", lambda name: colours[name[1]], rules)


@cache
def theme(name: Literal["light", "dark"]) -> Mapping[str, str]:
    """Return the value of each token."""
    tokens = plain_style("tokens.css")
    return {token: OF_THEMES.sub(rf"\g<{name}>", value) for token, value in VARIABLE.findall(tokens)}


def plain_style(name: str) -> str:
    """Return a style sheet without comments and without what is for other screens."""
    return OTHER_SCREENS.sub("", COMMENT.sub("", (STYLES / name).read_text()))


def _svg(picture: Picture, title: str, standing: list[str], sentence: str) -> Markup:
    left, size = BOARD + 2 * EDGE, {"width": WIDTH, "height": HEIGHT}
    scale = min(BOARD / picture.width, (HEIGHT - 2 * EDGE) / picture.height)
    place = (EDGE + (BOARD - picture.width * scale) / 2, EDGE + (HEIGHT - 2 * EDGE - picture.height * scale) / 2)
    board = element("g", picture.inner(), transform=f"scale({scale:.4g})")
    words = [
        ("Boardroom", 20, "faint"),
        *((line, 30, "strong") for line in wrapped(title, TITLE, 3)),
        *((line, 24, "") for line in standing),
    ]
    room = max(1, LINES - len(words))
    lines = [*words, *((line, 22, "faint") for line in wrapped(sentence, LINE + 2, room))]
    drawn = [
        group(text(line, 0, 0, class_), transform=f"translate({left} {64 + 46 * place}) scale({height / 13:.4g})")
        for place, (line, height, class_) in enumerate(lines)
    ]
    inner = rect(0, 0, WIDTH, HEIGHT, "felt") + group(board, at=place) + "".join(drawn)
    return clean_text(element("svg", inner, xmlns="http://www.w3.org/2000/svg", class_="picture", **size))


def wrapped(words: str, length: int, most: int) -> list[str]:
    """Return the text in lines no longer than `length`, and no more than `most` of them."""
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + len(word) >= length:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    kept = lines if len(lines) <= most else [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [whole_words(line, length) for line in kept]


def standing_line(seat: int, name: str, worth: float) -> str:
    """Return a seat with its standing, whose name gives way where there is no room."""
    room = LINE - len(f"{seat} : {worth:g}")
    return f"{seat} {whole_words(name, room)}: {worth:g}"
