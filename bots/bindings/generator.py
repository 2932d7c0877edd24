"""What a language's generator gives: the files that any bot of it needs, and those of a game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bots.bindings.first import Made
from bots.bindings.shapes import Types, words
from bots.record_schema import comments
from engine.reading import hints

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class Generator:
    """Of one language. `folder` holds its templates, of which `bot` is the one that a bot is made of."""

    folder: str
    bot: str  # the name of a bot's main file
    fixed: Sequence[str]  # files that are the same for all games
    types: Callable[[Types], dict[str, str]]  # by name of file
    case: Callable[[Types, Any, Made], str]  # of the questions: how the first bot answers it
    language: str = ""  # that the bot is uploaded in, if it is another
    build: Sequence[str] = ()  # what makes that of it, run in its folder

    def files(self, types: Types) -> dict[str, str]:
        """Return all files of an SDK, by name."""
        return {**{name: self.template(name) for name in self.fixed}, **self.types(types)}

    def source(self, types: Types, made: dict[Any, Made]) -> str:
        """The bot to begin with."""
        cases = "".join(self.case(types, kind, answer) for kind, answer in made.items())
        return filled(self.template(self.bot), types, cases=cases)

    def template(self, name: str) -> str:
        return (TEMPLATES / self.folder / name).read_text("utf-8")


def filled(template: str, types: Types, **more: str) -> str:
    """`@game@` and the like: signs that mean nothing in any of these languages."""
    game = types.game
    names = {"game": game.name, "Game": proper(game.name), "title": game.title, "rules": str(game.version)}
    for name, text in {**names, "view": types.names[game.view], **more}.items():
        template = template.replace(f"@{name}@", text)
    return template


def proper(name: str) -> str:
    """The name of a class or a file, of the name of a game: `my_game` is MyGame."""
    return "".join(part.capitalize() for part in name.replace("-", "_").split("_"))


def field_comments(kind: Any) -> dict[str, str]:
    """Return what the fields mean, with the words that they may be."""
    behind = comments(kind)
    listed = {name: ", ".join(map(str, filter(None, words(hint)))) for name, hint in hints(kind)}
    texts = {
        name: "; ".join(filter(None, [behind.get(name, ""), choices and f"of: {choices}"]))
        for name, choices in listed.items()
    }
    return {name: text for name, text in texts.items() if text}


def reference(made: Made, field: Callable[[str], str]) -> str:
    """Return the path that it refers to, from the question on; `field` spells the name of one."""
    return "ask" + "".join(f"[{step}]" if isinstance(step, int) else f".{field(step)}" for step in made.path)


def commented(text: str, margin: str = "", sign: str = "///") -> str:
    return f"{margin}{sign} {text}\n" if text else ""
