"""The field: frozen bots that ship with the kit, each game's a ladder of rungs by measured strength, the weakest first.

A rung is a family of `bots.rungs` and its numbers, which make a bot of five lines (`source`). It is found by its name
as a sample is: `boardroom play zaibatsu mybot.py rung7`. `bots.command.measure` writes what it measures to
`field.json`.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from bots.games import FOLDERS
from bots.python_tokens import tokens_of
from engine.records import Record, from_plain

HERE = Path(__file__).parent
FILE = HERE / "field.json"
FORMAT = 2
SHARED = ("__init__", "players", "knowledge", "flat", "tree")  # modules of bots.rungs that every rung may use
SOURCE = '''"""{title}: a rung of the field, of the family {family}."""

from bots.rungs import rung
from bots.sdk import play

bot = rung({arguments})
play(bot.choose, bot.hear)
'''


@dataclass(slots=True)
class Rung(Record):
    """A family and its numbers, the hash of the bot they make, and its Elo over the mean of its game's field.

    `interval` is of 95 %, and so is the last two of `ahead`: how far it is ahead of the rung below, from, to.
    """

    bot: str
    family: str
    numbers: dict[str, float]
    bundle: str
    elo: float
    interval: list[float]
    ahead: list[float]
    sets: int


@dataclass(slots=True)
class Field(Record):
    """The rungs of a game, and the league of neighbours that measured them. `code`: the hash of the families."""

    game: str
    rules: int
    options: dict[str, object]
    seed: str
    rounds: int
    code: str
    rungs: list[Rung]


def read_fields(file: Path = FILE) -> dict[str, Field]:
    """Return the fields by game."""
    plain = json.loads(file.read_text("utf-8")) if file.exists() else {"fields": []}
    measured: list[Field] = [from_plain(Field, field, "field") for field in plain["fields"]]
    return {field.game: field for field in measured}


@cache
def rungs_of(game: str) -> Mapping[str, Rung]:
    """Return the rungs by name."""
    field = read_fields().get(game)
    return {rung.bot: rung for rung in field.rungs} if field else {}


def source(game: str, family: str, numbers: Mapping[str, float]) -> bytes:
    """The bot, as one would upload it."""
    arguments = ", ".join(
        [f'"{game}"', f'"{family}"', *(f"{name}={spelt(number)}" for name, number in numbers.items())]
    )
    return SOURCE.format(title=game.capitalize(), family=family, arguments=arguments).encode()


def spelt(number: float) -> str:
    return str(int(number)) if number == int(number) else repr(number)


def code_of(game: str) -> str:
    """The hash of the families of a game and what they are made of here, comments and blanks apart."""
    digest = sha256()
    for path in modules_of(game):
        tokens = tokens_of(path.read_bytes().replace(b"\r\n", b"\n")) or b""
        digest.update(b"%s\0%d\0" % (path.name.encode(), len(tokens)) + tokens)
    return digest.hexdigest()


def modules_of(game: str) -> Iterator[Path]:
    yield HERE / "imagine.py"
    yield from (HERE / "rungs" / f"{name}.py" for name in SHARED)
    for folder in ("rungs", "samples"):
        yield from sorted((FOLDERS[game] / folder).glob("*.py"))
