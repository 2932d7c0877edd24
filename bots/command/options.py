"""Arguments and options of several commands, with completions: games, bots, options of a game, `--json`."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from bots.contest import ContestError, sample_names
from bots.field import rungs_of
from engine.game import AnyGame, Game, Options
from engine.games import GAMES
from engine.records import RecordError, show

F = TypeVar("F", bound=Callable[..., Any])


class GameName(click.ParamType[AnyGame]):
    name = "GAME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> AnyGame:  # noqa: ARG002
        return game_named(str(value))

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        return [CompletionItem(name, help=game.title) for name, game in GAMES.items() if name.startswith(incomplete)]


class BotName(click.ParamType[str]):
    """A sample's name or a rung's, a file or a folder; which of them is told when it is looked for."""

    name = "BOT"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        game = ctx.params.get("game")
        names = [*sample_names(game.name), *rungs_of(game.name)] if isinstance(game, Game) else []
        items = [CompletionItem(name) for name in names if name.startswith(incomplete)]
        return [*items, CompletionItem(incomplete, type="file")]


game_argument = click.argument("game", type=GameName(), is_eager=True)
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout, no more.")
seed_option = click.option("--seed", default="home", show_default=True, help="Any text; the same seed, the same deals.")
journal_option = click.option(
    "--journal", "path", type=click.Path(path_type=Path), help="Keep matches there; go on from them."
)
rule_option = click.option(
    "--option", "rules", multiple=True, metavar="NAME=VALUE", help="Of the game; may be repeated."
)
FOLDER = click.Path(path_type=Path)


def cores_option(function: F) -> F:
    return click.option(
        "--cores",
        type=click.IntRange(1, 256),
        default=None,
        metavar="N",
        help="That play; default: all.",
    )(function)


def game_named(name: str) -> AnyGame:
    if name not in GAMES:
        raise ContestError("unknown_game", f"there is no game {show(name)}; games: {', '.join(GAMES)}")
    return GAMES[name]


def options_named(
    game: AnyGame, bots: Sequence[str], given: Iterable[str], usual: Mapping[str, object] | None = None
) -> Options:
    """Return the options that were typed. `usual`: those that are not the game's own defaults."""
    if len(bots) not in game.players:
        fewest, most = game.players[0], game.players[-1]
        raise ContestError(
            "wrong_number_of_players", f"{game.title} is for {fewest} to {most} players; {len(bots)} bots are named"
        )
    plain: dict[str, object] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or name == "players":
            raise ContestError("bad_option", f"--option {show(text)}: write NAME=VALUE; the players are the bots named")
        plain[name] = _value(value)
    try:
        options: Options = game.read_options({**(usual or {}), **plain, "players": len(bots)})
    except RecordError as error:
        raise ContestError("bad_option", str(error)) from error
    return options


def _value(text: str) -> object:
    """Return a number or another JSON value; what is not JSON is a text."""
    with suppress(ValueError):
        return json.loads(text)
    return text


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return distinct names for the bots: "random", "random #2"."""
    return [f"{name} #{names[: i + 1].count(name)}" if name in names[:i] else name for i, name in enumerate(names)]
