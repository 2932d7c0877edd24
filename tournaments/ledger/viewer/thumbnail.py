"""A board as a small picture for lists: an SVG that needs no other file, in the reader's light or dark."""

import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import Final

from bots.viewer.player import Perspective, Projector
from bots.viewer.svg import Picture, element
from engine.replay import Replay
from tournaments.core.config.plain_text import clean_text
from tournaments.ledger.viewer.preview_image import COMMENT, STYLES, theme

USED: Final = re.compile(r"var\((--[\w-]+)\)")


def last_board(replay: Replay) -> Picture:
    """Return the board as it stood in the end, all secrets told. Raises ReplayError."""
    show = Projector(replay, Perspective.everything(len(replay.players)))
    show.begin()
    while show.can_go_on:
        show.step()
    return show.draw()


def thumbnail(picture: Picture) -> str:
    """Sharp in any size, and a fifth of what a PNG of it weighs."""
    box = f"0 0 {picture.width} {picture.height}"
    inner = element("style", board_styles()) + picture.inner()
    return clean_text(element("svg", inner, xmlns="http://www.w3.org/2000/svg", class_="picture", viewBox=box))


@cache
def board_styles() -> str:
    """The site's colours, and how boards are drawn with them."""
    rules = COMMENT.sub("", (STYLES / "boards.css").read_text())
    light, dark = _inks(theme("light"), rules), _inks(theme("dark"), rules)
    return f"{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}\n{rules}"


def _inks(tokens: Mapping[str, str], rules: str) -> str:
    """Return the tokens that the rules use, as a rule."""
    used = sorted(set(USED.findall(rules)) & set(tokens))
    return f":root {{ {' '.join(f'{name}: {tokens[name]};' for name in used)} }}"


def styles_hash() -> str:
    """Return the hash by which a Content-Security-Policy names the only styles that are written in place."""
    return f"'sha256-{b64encode(sha256(board_styles().encode()).digest()).decode()}'"
