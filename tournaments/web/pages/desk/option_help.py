"""What each game option does, in one sentence, for the form of a new ladder."""

import re
from collections.abc import Mapping
from typing import Final

from django import forms

from bots.games import module_of
from bots.rated_options import rated_options
from engine.game import AnyGame
from engine.records import RecordError, canonical, to_plain
from engine.sentences import Sentence
from tournaments.web.pages.desk.dataclass_form import fields_of, label_of_choice

USUAL: Final = {"": Sentence("nothing"), "True": Sentence("on"), "False": Sentence("off")}


def about(game: AnyGame) -> dict[str, str]:
    """Return by path what an option does, its bounds as the game has them, and its default."""
    described = {
        f"options.{name}": sentence for name, sentence in getattr(module_of(game.name, "options"), "ABOUT", {}).items()
    }
    described["options.players"] = Sentence("How many sit at a table.")
    fields = fields_of(game.read_options(rated_options(game.name)), "options", {})
    return {
        path: Sentence(
            "%(about)s %(bounds)sDefault: %(usual)s.",
            about=described.get(path, ""),
            bounds=bounds_of(game, path),
            usual=_usual(field),
        )
        for path, field in fields.items()
    }


def _usual(field: forms.Field) -> str:
    """Return the default as the field shows it."""
    usual = str(field.initial)
    return label_of_choice(usual) if isinstance(field, forms.ChoiceField) else USUAL.get(usual, usual)


def bounds_of(game: AnyGame, path: str) -> str:
    """Return the bounds of a number, as the game refuses what lies far below; empty where there are none."""
    plain = to_plain(game.read_options({}))
    *outer, name = path.split(".")[1:]
    at = plain
    for step in outer:
        at = at[step]
    if type(at[name]) is not int:
        return ""
    at[name] = -(2**40)
    try:
        game.read_options(plain)
    except RecordError as error:
        return _bounds_in(str(error))
    return ""


def _bounds_in(refusal: str) -> str:
    if found := re.search(r" must be one of (.+), not ", refusal):
        return Sentence("One of %(these)s. ", these=found[1])
    found = re.search(r" must be (\d+) to (\d+), not ", refusal)
    return Sentence("%(least)s to %(most)s. ", least=found[1], most=found[2]) if found else ""


def differing_options(game: AnyGame, options: Mapping[str, object]) -> list[tuple[str, str, str]]:
    """Name, default and choice, of what is not as the game has it by itself."""
    usual = to_plain(game.read_options({}))
    return [(n, canonical(usual[n]), canonical(value)) for n, value in options.items() if value != usual[n]]
