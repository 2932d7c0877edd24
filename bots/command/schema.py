"""`boardroom schema`: JSON Schemas of a game's questions, views, events and answers."""

import json
from pathlib import Path

import click

from bots.command.errors import KitError
from bots.command.options import FOLDER, game_argument, json_option
from bots.command.output import print_text, to_stdout
from bots.command.whole_files import write_all
from bots.declarations import declarations, file_name
from bots.schemas import Schema, schemas
from engine.game import AnyGame


@click.command(epilog="\b\nExamples:\n  boardroom schema zaibatsu\n  boardroom schema network --out schemas")
@game_argument
@click.option("--out", type=FOLDER, help="The folder for a file of each, made if it is not there.")
@json_option
def command(game: AnyGame, out: Path | None, as_json: bool) -> None:
    """Print the JSON Schemas of GAME, by name, or write each into a file of a folder.

    There is one for each question, answer and event (question-TAG, answer-TAG, event-TAG) and one for the view. A
    folder gets the TypeScript declarations of all of them too.
    """
    made = schemas(game)
    if out is None:
        to_stdout(made)
        return
    texts = {f"{name}.json": text_of(schema) for name, schema in made.items()}
    files = write_schemas({**texts, file_name(game): declarations(game)}, out)
    if as_json:
        to_stdout({"folder": str(out.resolve()), "game": game.name, "rules": game.version, "files": files})
    else:
        print_text(
            f"{out} has {len(made)} schemas, and the TypeScript declarations, of {game.title}, rules {game.version}"
        )


def text_of(schema: Schema) -> str:
    return json.dumps(schema, indent=2) + "\n"


def write_schemas(files: dict[str, str], out: Path) -> list[str]:
    """Write the files, and return their names. Raises KitError and OSError."""
    if out.exists() and not out.is_dir():
        raise KitError("is_file", f"--out: {out} is a file; name a folder")
    write_all(out, files)
    return list(files)
