"""TypeScript: the declarations of a game, which JavaScript has beside it too, and what plays by them."""

import json
from typing import Any

from bots.bindings.first import Made
from bots.bindings.generator import TEMPLATES, Generator, filled, reference
from bots.bindings.shapes import Types
from bots.declarations import declarations, file_name

FOLDER = "typescript"


def files(types: Types) -> dict[str, str]:
    table = (TEMPLATES / FOLDER / "boardroom.ts").read_text("utf-8")
    tags = ", ".join(json.dumps(kind.tag) for kind in types.game.questions)
    return {file_name(types.game): declarations(types.game), "boardroom.ts": filled(table, types, tags=tags)}


def case(types: Types, question: Any, made: Made) -> str:  # noqa: ARG001 - of others the type is named
    return f"    case {json.dumps(question.tag)}:\n      return {written(made)};\n"


def written(made: Made) -> str:
    """Return it as JSON, but for what refers to the question."""
    if made.what == "reference":
        return reference(made, str)
    if made.what == "numbers":
        return f"{reference(made, str)}.map((_, number) => number)"
    if made.what == "record":
        tag = made.shape.kind.tag
        fields = [f"{name}: {written(value)}" for name, value in made.fields.items()]
        return f"{{ {', '.join([f't: {json.dumps(tag)}'] * bool(tag) + fields)} }}"
    if made.what == "list":
        return f"[{', '.join(map(written, made.items))}]"
    if made.what == "map":
        return f"{{ {', '.join(f'[{written(key)}]: {written(value)}' for key, value in made.entries)} }}"
    return json.dumps(made.value)


FIXED = ("build.mjs", "package.json", "tsconfig.json")
GENERATOR = Generator(FOLDER, "bot.ts", FIXED, files, case, language="javascript", build=("node", "build.mjs"))
