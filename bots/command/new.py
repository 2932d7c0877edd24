"""`boardroom new`: a folder with a bot that plays, its test, and a page of what its game asks and shows."""

import json
import subprocess
from pathlib import Path
from shlex import quote

import click

from bots.bindings import GENERATORS
from bots.bindings.first import first_answer
from bots.bindings.shapes import Types
from bots.bundle import MAX_NAME
from bots.command.errors import KitError
from bots.command.options import game_argument, json_option
from bots.command.output import print_note, print_text, to_stdout
from bots.command.reference import reference_page
from bots.command.starters import c, javascript, python
from bots.command.starters.first_answers import first_answers
from bots.command.whole_files import write_all
from bots.declarations import declarations, file_name
from bots.languages import LANGUAGES as KNOWN
from engine.game import AnyGame

LANGUAGES = {
    "python": "bot.py",
    "numpy": "bot.py",
    "javascript": "bot.js",
    "c": "bot.c",
    "c++": "bot.cpp",
    **{language: generator.bot for language, generator in GENERATORS.items()},
}
MANIFEST = 'language = "{language}"\nname = "{name}"\n'
TEST = '''"""Plays the bot beside the samples, by the kit. Run: python3 -m unittest"""

import json
import subprocess
import unittest
from pathlib import Path

HERE = Path(__file__).parent


class BotTest(unittest.TestCase):
    def test_it_plays_without_a_fault(self):
        {build}command = ["boardroom", "play", "{game}", str(HERE), {others}, "--games", "{games}", "--json"]
        played = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        self.assertEqual(played["bots"][0]["faults"], {{}}, played["matches"])


if __name__ == "__main__":
    unittest.main()
'''
README = """# {name}: a bot for {title}

`{file}` is the bot. It plays as it is, and every answer of it is for you to make better.

    boardroom play {game} . random
    boardroom series {game} . OLD
{submit}
`boardroom tune {game} . --param NAME=LOW:HIGH` finds the best value of a number that the bot reads from the
environment variable `BOARDROOM_PARAM_NAME`{reads}. A site sets none: write the best in as what it is otherwise.

`python3 -m unittest` plays it beside a sample. {uploaded} {speaks}

{reference}"""
SUBMIT = '    boardroom submit . --bot "{name}" --game {game}\n'
UPLOADED = "An upload is all files of this folder but hidden ones."
AT_HOME = "It plays at home alone: no site takes {title}."
READS = {
    "python": ", as `DRAWN`",
    "numpy": ", as `TRIES`",
    "javascript": " (`process.env`)",
    "c": " (`getenv`)",
    "c++": " (`std::getenv`)",
    "rust": ", as `boardroom::parameter` gives it",
    "go": ", as `Parameter` gives it",
    "java": ", as `Boardroom.parameter` gives it",
    "typescript": ", as `parameter` gives it",
    "csharp": ", as `Boardroom.Parameter` gives it",
}
BY_CLASSES = "`choose(view, question)` is asked for each answer, with the classes below."
BY_PROTOCOL = (
    "It speaks the protocol: a line of JSON for each message. `ask` is a question and `view` a view, with the "
    'fields below; an answer is `{"action": {"t": ..., ...}}`, with the `t` and the fields of its class.'
)
TYPED = BY_PROTOCOL + " `{types}` has all of them as types, for your editor and for `tsc --checkJs`."
BY_TYPES = (
    "`choose(turn)` is asked for each answer: a turn has the question, the view and the events, of the classes below. "
    "They are types of the same names and fields{spelled} in `{types}`, which is made of the game's rules; the other "
    "files play."
)
BUILT = (
    " `{build}` makes `bot.js` of `bot.ts`, by Node 22.13 or newer, esbuild or tsc, whichever is here. **Do it after "
    "each change**: what plays and is uploaded is `bot.js`. `npm run check` has `tsc` look at the types."
)
SPELLED = {"go": " (`my_hand` is `MyHand`)", "csharp": " (`my_hand` is `MyHand`)", "java": " (`my_hand` is `myHand()`)"}


def by_types(language: str) -> str:
    built = BUILT.replace("{build}", " ".join(GENERATORS[language].build)) if GENERATORS[language].build else ""
    return BY_TYPES.replace("{spelled}", SPELLED.get(language, "")) + built


SPEAKS = {
    "python": BY_CLASSES,
    "numpy": BY_CLASSES,
    "javascript": TYPED,
    **{language: by_types(language) for language in GENERATORS},
}


@click.command(
    epilog="\b\nExamples:\n  boardroom new zaibatsu\n  boardroom new kaiju ~/bots/stomper --lang c++\n"
    "  boardroom new network --lang javascript --json"
)
@game_argument
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--lang", "language", type=click.Choice(list(LANGUAGES)), default="python", show_default=True)
@json_option
def command(game: AnyGame, folder: Path | None, language: str, as_json: bool) -> None:
    """Make FOLDER (default: GAME-bot) with a bot for GAME that plays, its test, and a page of the game's classes."""
    folder = folder or Path(f"{game.name}-bot")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise KitError("exists", f"{folder} is there already; name a folder that is not, or that is empty")
    files = files_of(game, language, folder.resolve().name)
    write_all(folder, files)
    not_built = build_starter(folder, language)
    if as_json:
        made = {"folder": str(folder.resolve()), "language": language, "files": list(files), "not_built": not_built}
        to_stdout(made)
    else:
        print_text(f"{folder} has {', '.join(files)}. Next: boardroom play {game.name} {quote(str(folder))} random")
    if not_built:
        print_note(f"It is not built yet: {not_built} [missing_tool]")


def build_starter(folder: Path, language: str) -> str:
    """Makes what is uploaded, where that is not what was written; why not, in a sentence, or nothing."""
    if language not in GENERATORS or not (command := GENERATORS[language].build):
        return ""
    try:
        subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    except OSError:
        return f"missing tool: there is no {command[0]}. {KNOWN['javascript'].remedy}"
    except subprocess.CalledProcessError as failed:
        return str(failed.stdout).strip()
    return ""


def files_of(game: AnyGame, language: str, name: str) -> dict[str, str]:
    entry = LANGUAGES[language]
    types = next(iter(GENERATORS[language].types(Types(game)))) if language in GENERATORS else file_name(game)
    speaks = SPEAKS.get(language, BY_PROTOCOL).replace("{types}", types)
    shown, package = bot_name_of(name), python.package_of(game) if entry.endswith(".py") else ""
    named = {
        "name": shown,
        "title": game.title,
        "game": game.name,
        "file": entry,
        "speaks": speaks,
        "reads": READS[language],
        "submit": "" if at_home(language) else SUBMIT.format(name=shown, game=game.name),
        "uploaded": AT_HOME.format(title=KNOWN[language].title) if at_home(language) else UPLOADED,
    }
    rivals = ", ".join(['"random"'] * (game.players[0] - 1))
    return {
        entry: source_of(game, language),
        **(GENERATORS[language].files(Types(game)) if language in GENERATORS else {}),
        **({file_name(game): declarations(game)} if language == "javascript" else {}),
        "bot.toml": MANIFEST.format(language=uploaded_in(language), name=shown),
        "test_bot.py": TEST.format(
            game=game.name, others=rivals, games=2 * game.players[0], build=build_step(language)
        ),
        "README.md": README.format(**named, reference=reference_page(game, package)),
    }


def at_home(language: str) -> bool:
    return KNOWN[uploaded_in(language)].home_only


def uploaded_in(language: str) -> str:
    return (GENERATORS[language].language or language) if language in GENERATORS else language


def build_step(language: str) -> str:
    """The line of a test that builds the bot."""
    command = list(GENERATORS[language].build) if language in GENERATORS else []
    return f"subprocess.run({json.dumps(command)}, cwd=HERE, check=True)\n        " if command else ""


def bot_name_of(name: str) -> str:
    """A folder's name as the name of a bot: visible signs alone, and none that a manifest would have to escape."""
    kept = "".join(sign for sign in name if sign.isprintable() and sign not in '"\\')
    return kept.strip()[:MAX_NAME].strip() or "My bot"


def source_of(game: AnyGame, language: str) -> str:
    if language == "python":
        return python.plain_source(game)
    if language == "numpy":
        return python.ahead(game)
    firsts = first_answers(game.name)
    if not firsts:
        message = f"for {game.title}, a game from outside, there are starters in python and numpy alone"
        raise KitError("no_starter", f"{message}; the protocol's page says how to speak to it from another language")
    if language in GENERATORS:
        answers = {kind: first_answer(kind, firsts[kind.tag]) for kind in game.questions}
        return GENERATORS[language].source(Types(game), answers)
    return javascript.javascript_source(game) if language == "javascript" else c.c_source(game)
