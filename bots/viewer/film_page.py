"""A whole match as one HTML file: the site's viewer and all pictures, through all eyes, for a browser and no network.

A policy in its head says what may run and be fetched: our own style and script, by their hashes, and nothing else.
"""

import base64
import json
import re
import zlib
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Final

from bots.viewer import film_chunks
from bots.viewer.film_chunks import find_moment
from bots.viewer.film_markup import Film, keys
from bots.viewer.finale import finale_of
from bots.viewer.icons import sheet
from bots.viewer.perspectives import ALL, Eyes, eyes_of
from bots.viewer.svg import Markup
from engine.games import GAMES
from engine.replay import Replay

FILES: Final = Path(__file__).parent / "static"
STYLES: Final = ("tokens.css", "site.css", "boards.css", "viewer.css")
SCRIPTS: Final = ("words.js", "signs.js", "screen.js", "viewer.js", "alone.js")
BEGINS: Final = '<!doctype html>\n<html lang="en" data-boardroom="film">\n'  # by which such a file is known
BETWEEN_MODULES: Final = re.compile(r"^(import .*;\n|export )", re.MULTILINE)  # in one file there is one module
ABOUT: Final = '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">'
NO_SCRIPT: Final = "The match is played with JavaScript. Without it there is the terminal: boardroom watch."


def page(replay: Replay, seat: int | None = None, step: int = 0) -> str:
    """Return a page that opens at a moment, with the eyes of a seat or of everybody. Raises ReplayError."""
    style, script = "\n".join(map(read_asset, STYLES)), BETWEEN_MODULES.sub("", "\n".join(map(read_asset, SCRIPTS)))
    title = escape(f"{GAMES[replay.game].title}: {', '.join(player.name for player in replay.players)}")
    main = f'<main class="embed"><h1>{title}</h1><noscript><p>{NO_SCRIPT}</p></noscript><div data-place></div></main>'
    films = "\n".join(films_of(replay, ALL if seat is None else str(seat), step))
    head = f"{ABOUT}\n{content_policy(style, script)}\n<title>{title}</title>\n{icon()}\n<style>{style}</style>"
    body = f'{main}\n{films}\n<script type="module">{script}</script>'
    return f"{BEGINS}<head>\n{head}\n</head>\n<body>\n{body}\n</body>\n</html>\n"


def films_of(replay: Replay, first: str, step: int) -> Iterator[str]:
    """Return what is seen around the board for each pair of eyes, and its frames."""
    all_eyes = eyes_of(replay)
    for eyes in all_eyes:
        seen = find_moment(replay, eyes.perspective, step)
        film = film_element(Film(seen, eyes, all_eyes, finale=finale_of(replay, seen)))
        shown = " data-first" if eyes.key == first else ""
        yield f'<template data-eyes="{eyes.key}"{shown}>{film}</template>'
        yield f'<script type="text/plain" data-pieces="{eyes.key}">{packed_frames(replay, eyes)}</script>'


def film_element(film: Film) -> Markup:
    """Return the element as `_viewer.html` of the site has it; its frames lie beside it."""
    attributes = (
        f'class="film" id="film" data-film="" data-page="" data-eyes="{film.eyes.key}" data-at="{film.seen.at}"'
    )
    foot = f'<div class="row">{film.link()}{keys()}</div>'
    inner = f'{film.stage()}<div class="beside">{film.state()}{film.lists()}{foot}</div>'
    return f"<replay-film {attributes}>{sheet(film.seen.game)}{inner}</replay-film>"


def packed_frames(replay: Replay, eyes: Eyes) -> str:
    plain = json.dumps(film_chunks.film(replay, eyes.perspective), separators=(",", ":"))
    return base64.b64encode(zlib.compress(plain.encode())).decode()


def content_policy(style: str, script: str) -> str:
    own_sources = f"style-src {hashed(style)}; script-src {hashed(script)}"
    rules = f"default-src 'none'; img-src data:; {own_sources}; base-uri 'none'; form-action 'none'"
    return f'<meta http-equiv="Content-Security-Policy" content="{rules}">'


def hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


def icon() -> str:
    image = base64.b64encode(read_asset("icon.svg").encode()).decode()
    return f'<link rel="icon" href="data:image/svg+xml;base64,{image}">'


def read_asset(name: str) -> str:
    return (FILES / name).read_text("utf-8")
