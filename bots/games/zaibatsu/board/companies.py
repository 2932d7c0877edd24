"""Companies as they lie on piles, in hands and in conglomerates: with their names where there is room, else without."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Final

from bots.viewer.commentary.story import join_with_and
from bots.viewer.language import cached_by_language, say, say_number
from bots.viewer.svg import Markup, clip, element, group, rect, text
from engine.games.zaibatsu import CARDS
from engine.games.zaibatsu.pieces import EITHER

TOKEN: Final = 14
HIGH: Final = 20  # of a company without its name, or in one line with it
CARD_HIGH: Final = 38  # of one with its name above
LETTER: Final = 7.3  # units wide, at most
ARROW: Final = "l6 4-6 4Z"
COLOURS: Final = {"R": "red", "Y": "yellow", "G": "green", "O": "orange", "K": "black", "W": "white", "B": "blue"}


@lru_cache(maxsize=1 << 10)
def resource_token(symbol: str, x: float, y: float) -> Markup:
    """A resource: its colour and its letter."""
    box = rect(x, y, TOKEN - 1, TOKEN, f"res-{symbol}", rx=2)
    return box + text(symbol, x + (TOKEN - 1) / 2, y + 11.3, f"on-res-{symbol}")


def tokens(symbols: str, x: float, y: float) -> Markup:
    return "".join(resource_token(symbol, x + TOKEN * place, y) for place, symbol in enumerate(symbols))


def title(card: str) -> Markup:
    """Return the company in full, as the title that pointing at it shows."""
    return element("title", escape(company_words(card), quote=False))


@cached_by_language()
def company_words(card: str) -> str:
    """Describe what the company needs and makes, and its points."""
    facts = CARDS[card]
    needs = [say("needs %(resources)s", resources=_resources(facts.inputs))] if facts.inputs else []
    makes = [say("makes %(resources)s", resources=_resources(facts.outputs))] if facts.outputs else []
    points = say_number("%(number)s point", "%(number)s points", facts.score)
    return f"{facts.name} ({', '.join([*needs, *makes, points])})"


def _resources(symbols: str) -> str:
    return join_with_and([f"{count} {_called(symbol)}" for symbol, count in Counter(symbols).items()])


def _called(symbol: str) -> str:
    return say(" or ").join(say(COLOURS[letter]) for letter in EITHER.get(symbol, symbol))


def recipe(card: str, x: float, y: float) -> Markup:
    """Inputs, an arrow, outputs."""
    company = CARDS[card]
    middle = x + TOKEN * len(company.inputs)
    arrow = element("path", d=f"M{middle + 2:g} {y + 3:g}{ARROW}", class_="arrow")
    return tokens(company.inputs, x, y) + arrow + tokens(company.outputs, middle + 9, y)


@cached_by_language(1 << 9)
def full(card: str, width: float) -> Markup:
    """Draw the company's name above what it needs and makes."""
    name = text(clip(CARDS[card].name, int((width - 8) / LETTER)), 5, 14, "small")
    points = text(CARDS[card].score, width - 5, 32, "small end")
    return group(title(card), rect(0, 0, width, CARD_HIGH, "plate", rx=4), name, recipe(card, 5, 20), points)


@cached_by_language(1 << 9)
def bare(card: str, width: float) -> Markup:
    """Draw the company on one line, without its name; with its points if there is room."""
    company = CARDS[card]
    wide = TOKEN * (len(company.inputs) + len(company.outputs)) + 16
    points = text(company.score, width - 4, 14.5, "small faint end") if wide + 18 < width else ""
    return group(title(card), rect(0, 0, width, HIGH, "plate", rx=4), recipe(card, 4, 3), points)


def card_back(width: float, high: float) -> Markup:
    return rect(0, 0, width, high, "back", rx=4)


def grid(things: Sequence[Markup], columns: int, cell: tuple[float, float], high: float) -> Markup:
    """Draw the things in rows, over each other where there is not enough room."""
    lines = -(-len(things) // columns)
    pitch = min(cell[1], (high - cell[1]) / max(1, lines - 1)) if lines > 1 else cell[1]
    return "".join(
        group(thing, at=(number % columns * cell[0], round(number // columns * pitch, 1)))
        for number, thing in enumerate(things)
    )
