"""Every sentence that can be translated, as it stands in the templates and the sources; and a file of translations.

Django's own `makemessages` finds the same with GNU's tools, which are not on every machine.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from django.apps import apps
from django.conf import settings
from django.template.base import Lexer, Token, TokenType
from django.utils.translation import trim_whitespace

from bots.viewer.first_games import lessons, texts_of
from engine.games import GAMES
from engine.referee import Verdict
from engine.sentences import Sentence as Made
from tests.tournaments.web.pages import scripts
from tests.tournaments.web.pages.told import Function, Source, source_of, told
from tournaments.features.events.presets import PRESETS
from tournaments.ledger.acts.arguments import parts
from tournaments.ledger.acts.base import actions
from tournaments.web.pages.desk.acts import action_sentences
from tournaments.web.pages.desk.dataclass_form import fields_of
from tournaments.web.pages.desk.ladder_form import ladder_form_class
from tournaments.web.pages.docs import PARTS

SITE = Path(settings.ROOT) / "tournaments"
PLAIN, MARKED = re.compile(r'translate "([^"]*)"'), re.compile(r'\b_\("([^"]*)"\)')
RAISED = {"forms.ValidationError", "Http404", "PermissionDenied"}
SHOWN = {"status", "outcome", "role"}  # fields whose bare words stand on pages
# Rooms that speak English: to programs, on the command line, in logs. Endpoints do too, wherever they stand, and what a
# command says of a backup's file before Django is there.
IN_ENGLISH = ("admin", "api", "backups", "broker", "migrations")
BESIDES = (
    *(
        "bots/autopsy",
        "bots/import_help",
        "bots/doctor/findings",
        "bots/doctor/imported",
        "bots/doctor/session",
        "bots/protocol",
        "bots/table",
        "bots/viewer/answer_forms/form",
        "bots/viewer/guide_panel",
        "bots/viewer/posters",
    ),
    "workers/sandbox/wasm/table",
)
# And which of what they are given is the sentence.
REFUSALS = {"Refused": 1, "FormError": 1, "ReplayError": 1, "ProofError": 1, "Sentence": 0, "Mismatch": 0, "say": 0}
CALLS = {"gettext": 1, "gettext_noop": 1, "say": 1, "gettext_lazy": 1, "ngettext": 2, "ngettext_lazy": 2}


STORED_BEFORE = Path(__file__).with_name("stored_by_0_2_0.txt")


class Sentence(NamedTuple):
    """As a translator gets it; `plural` is empty where there is none."""

    singular: str
    plural: str = ""


def sentences() -> set[Sentence]:
    taught = (text for lesson in lessons() for text in texts_of(lesson))
    plain = {
        *taught,
        *of_choices(),
        *of_pages(),
        *scripts.sentences(),
        *of_acts(),
        *of_changes(),
        *of_docs(),
        *of_settings(),
    }
    return {
        *of_templates(),
        *of_sources(),
        *of_refusals(),
        *(Sentence(*forms) for forms in told()),
        *map(Sentence, plain),
    }


def stored_before() -> list[str]:
    """Return what the last release may have stored; the next one writes the file anew, of `made` of the test of it."""
    return STORED_BEFORE.read_text().splitlines()


def of_templates() -> Iterator[Sentence]:
    for path in templates():
        yield from of_template(path.read_text())


def templates() -> list[Path]:
    """Return all there are, in whichever room."""
    return [path for path in sorted(SITE.rglob("templates/**/*.*")) if path.is_file()]


def modules() -> list[Path]:
    """Return those that speak to people."""
    return [path for path in sorted(SITE.rglob("*.py")) if not speaks_english(path)]


def speaks_english(path: Path) -> bool:
    rooms = path.relative_to(SITE).parts[:2]
    return not set(rooms).isdisjoint(IN_ENGLISH) or path.name.endswith(("api.py", "shapes.py", "backup_file.py"))


def of_template(source: str) -> Iterator[Sentence]:
    tokens = iter(Lexer(source).tokenize())
    for token in tokens:
        if token.token_type == TokenType.BLOCK and token.contents.startswith("blocktranslate"):
            yield of_block(token, tokens)
        if token.token_type in (TokenType.BLOCK, TokenType.VAR):
            matches = PLAIN.match(token.contents), *MARKED.finditer(token.contents)
            yield from (Sentence(match[1].replace("%", "%%")) for match in matches if match)


def of_block(begin: Token, tokens: Iterator[Token]) -> Sentence:
    """The sentence between the two tags, as Django asks for it."""
    forms = [""]
    while (token := next(tokens)).contents != "endblocktranslate":
        if token.contents == "plural":
            forms.append("")
        else:
            forms[-1] += f"%({token.contents})s" if token.token_type == TokenType.VAR else doubled(token.contents)
    return Sentence(*(trim_whitespace(form) if " trimmed" in begin.contents else form for form in forms))


def doubled(text: str) -> str:
    return text.replace("%", "%%")


def of_sources() -> Iterator[Sentence]:
    for path in sorted(SITE.rglob("*.py")):
        if "gettext" in (source := path.read_text()) or "import say" in source:
            yield from of_calls(ast.walk(ast.parse(source)))


def of_acts() -> Iterator[str]:
    """Words of acts about themselves: on their buttons, above their forms and in the list of them; and their fields."""
    for action in actions().values():
        yield from (action.button, *action_sentences(action))
        yield from (part.name.replace("_", " ").capitalize() for part in parts(action) if part.kind is not Mapping)


def of_changes() -> Iterator[str]:
    """Things that acts change, and the words for their states."""
    for path in modules():
        for _, call in source_of(path).every_call():
            if ast.unparse(call.func) == "Change":
                what, *states = [
                    str(argument.value) if isinstance(argument, ast.Constant) else "" for argument in call.args
                ]
                yield from filter(None, (what.replace("_", " ").capitalize(), *states))


def of_docs() -> Iterator[str]:
    for part in PARTS:
        yield part.title
        yield from (page.about for page in part.pages if not isinstance(page.about, Made))


def of_settings() -> Iterator[str]:
    """Names of the options of games and of the settings of formats, and the words to choose from."""
    shapes = [(game.read_options({}), "options") for game in GAMES.values()]
    for record, prefix in (*shapes, *((preset.spec, "format") for preset in PRESETS.values())):
        for field in fields_of(record, prefix, {}).values():
            yield str(field.label)
            yield from (str(label) for _, label in getattr(field, "choices", ()) if not label.isdecimal())
    for bound in ladder_form_class(GAMES["zaibatsu"])():
        yield from (str(text) for text in (bound.label, bound.help_text) if text and not isinstance(text, Made))


def of_refusals() -> Iterator[Sentence]:
    for source, function, sentence in refusals():
        yield from map(Sentence, source.strings(sentence, function))


def refusals() -> Iterator[tuple[Source, Function, ast.expr]]:
    """Expressions of refusals, but for those that programs alone get."""
    for source in map(source_of, refusing()):
        for function, call in source.every_call():
            name = call.func.id if isinstance(call.func, ast.Name) else ""
            if name in REFUSALS and len(call.args) > REFUSALS[name]:
                yield source, function, call.args[REFUSALS[name]]


def refusing() -> Iterator[Path]:
    yield from modules()
    for folder in ("engine", "bots/formats"):
        yield from sorted((SITE.parent / folder).rglob("*.py"))
    for name in ("options", "characters", "guide", "poster"):
        yield from sorted((SITE.parent / "bots/games").glob(f"*/{name}.py"))
    yield from (SITE.parent / f"{name}.py" for name in BESIDES)


def of_calls(nodes: Iterator[ast.AST]) -> Iterator[Sentence]:
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            forms = node.args[: CALLS[node.func.id]]
            if all(isinstance(form, ast.Constant) for form in forms):
                yield Sentence(*(ast.literal_eval(form) for form in forms))


def of_choices() -> Iterator[str]:
    """The words that stand for a state, and those that say what it means."""
    yield from (verdict.value for verdict in Verdict)
    fields = [field for model in apps.get_app_config("tournaments").get_models() for field in model._meta.fields]
    for field in (field for field in fields if field.choices and field.name not in ("game", "target_type")):
        words, says = zip(*field.flatchoices, strict=True)
        yield from (str(word) for word in (*says, *(words if field.name in SHOWN else ())))


def of_pages() -> Iterator[str]:
    """Words of forms about their fields and what is typed into them, and the answers to what was done."""
    for path in (path for path in modules() if "models" not in path.parts):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                yield from (text for text in said_by(node) if text)
            elif (
                isinstance(node, ast.Assign)
                and isinstance(name := node.targets[0], ast.Name)
                and is_unlabelled(node.value)
            ):
                yield name.id.replace("_", " ").capitalize()


def said_by(call: ast.Call) -> list[str]:
    labels = [keyword.value for keyword in call.keywords if keyword.arg in ("label", "help_text", "empty_label")]
    called = ast.unparse(call.func)
    shown = call.args[1:2] if called.startswith("messages.") else call.args[:1] if called in RAISED else []
    return [str(argument.value) for argument in (*labels, *shown) if isinstance(argument, ast.Constant)]


def is_unlabelled(value: ast.AST) -> bool:
    is_field = isinstance(value, ast.Call) and re.fullmatch(r"forms\.\w+Field", ast.unparse(value.func))
    return bool(is_field) and "label" not in {keyword.arg for keyword in value.keywords}  # type: ignore[attr-defined]
