"""The formats of a league at home: tables of which each plays in every round, and all that a site's events have."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from bots.command.errors import KitError
from bots.command.league_tables import FORMATS
from bots.command.options import options_named
from bots.contest import ContestError
from bots.formats.settings import KingOfTheHill, Knockout, Spec, Swiss, read_spec
from bots.formats.small_tables import with_small_tables
from bots.formats.validation import check_spec, sizes_of
from engine.game import AnyGame
from engine.records import to_plain

LONGEST: Final = 100_000  # bytes of a file of settings
NAMED: Final[dict[str, Callable[[int, int], Spec]]] = {
    "swiss": lambda seats, rounds: Swiss(seats=seats, rounds=rounds),
    "knockout": lambda seats, _: Knockout(seats=seats),
    "double-elimination": lambda seats, _: Knockout(seats=seats, lives=2),
    "king-of-the-hill": lambda seats, _: KingOfTheHill(seats=seats),
}


class FormatName(click.ParamType[str]):
    """A name, or a file of settings as the API of a site has them."""

    name = "FORMAT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        names = (*FORMATS, *NAMED)
        if value not in names and not str(value).endswith(".json"):
            message = (
                f"{value!r} is no format; there are {', '.join(names)}, and FILE.json with the settings of another"
            )
            self.fail(message, param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        items = [CompletionItem(name) for name in (*FORMATS, *NAMED) if name.startswith(incomplete)]
        return [*items, CompletionItem(incomplete, type="file")]


def spec_of(game: AnyGame, bots: Sequence[str], name: str, seats: int | None, rounds: int | None) -> Spec:
    """The settings of the format. Raises KitError, and Refused by the checks of the formats."""
    if name in NAMED:
        _leave_out("--rounds", rounds if name != "swiss" else None, f"{name} goes on until it is decided")
        spec = NAMED[name](seats or game.players[0], rounds or 0)
    else:
        _leave_out("--table and --rounds", seats or rounds, f"{name} says how many")
        spec = read_spec(settings_in(Path(name)))
    check_spec(spec, game.players)
    if (largest := max(sizes_of(spec))) > len(bots):
        raise KitError("too_few_bots", f"{len(bots)} bots are named; a table has {largest}, so name at least {largest}")
    return spec


def _leave_out(option: str, given: int | None, why: str) -> None:
    if given:
        raise KitError("bad_command", f"{why}: leave out {option}")


def settings_in(path: Path) -> object:
    if path.is_dir():
        raise KitError("is_folder", f"--format: {path} is a folder; name a file")
    try:
        with path.open("rb") as file:
            return json.loads(file.read(LONGEST))
    except (ValueError, RecursionError):
        raise KitError("bad_format", f"{path} is no JSON: write the settings as the API of a site has them") from None


def at_any_size(
    game: AnyGame, bots: Sequence[str], rules: Sequence[str], spec: Spec
) -> tuple[Spec, dict[int, dict[str, Any]]]:
    """The settings, with tables as small as may be where they say nothing of it, and the options for each size."""
    spec = with_small_tables(spec, lambda size: size in game.players and is_played(game, bots[:size], rules))
    return spec, {size: to_plain(options_named(game, bots[:size], rules)) for size in sizes_of(spec)}


def is_played(game: AnyGame, bots: Sequence[str], rules: Sequence[str]) -> bool:
    with suppress(ContestError):
        options_named(game, bots, rules)
        return True
    return False
