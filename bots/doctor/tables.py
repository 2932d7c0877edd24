"""Which matches a check plays: every number of players, every choice of every option, every seat, all ways."""

import typing
from collections.abc import Iterator
from itertools import count
from typing import Any, Literal

from bots.doctor.session import Way
from engine.core import Seat
from engine.game import AnyGame, Options
from engine.records import RecordError

WAYS: tuple[Way, ...] = ("own", "drawn", "defaulted")


def variants(game: AnyGame) -> list[Options]:
    """The usual options for each number of players, then each other choice of one option."""
    usual = [options for players in game.players if (options := table_options(game, {"players": players}))]
    hints = typing.get_type_hints(game.options)
    choices = [(name, value) for name, hint in hints.items() for value in choices_of(hint)]
    players = [game.players[n % len(game.players)] for n in range(len(choices))]
    changed = [
        table_options(game, {"players": number, name: value})
        for number, (name, value) in zip(players, choices, strict=True)
    ]
    return [*usual, *(candidate for candidate in changed if candidate and candidate not in usual)]


def choices_of(hint: Any) -> tuple[object, ...]:
    if hint is bool:
        return (False, True)
    return typing.get_args(hint) if typing.get_origin(hint) is Literal else ()


def table_options(game: AnyGame, plain: dict[str, object]) -> Options | None:
    """Return the options; None where the game has no such table."""
    try:
        options: Options = game.read_options(plain)
    except RecordError:
        return None
    return options


def tables(game: AnyGame, seed: str) -> Iterator[tuple[Options, str, Seat, Way]]:
    """Return tables without end. Every seat and way comes up with every variant in time."""
    choices = variants(game)
    for number in count():
        turn, variant = divmod(number, len(choices))
        options = choices[variant]
        seat = (turn // len(WAYS) + variant) % options.players
        yield options, f"{seed}/{number}", seat, WAYS[(turn + variant) % len(WAYS)]
