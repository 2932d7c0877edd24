"""Arguments and options of several commands, with completions: games, bots, options of a game, `--json`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from bots.contest import sample_names
from bots.field import rungs_of
from bots.play import game_named
from engine.game import AnyGame, Game
from engine.games import GAMES

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
