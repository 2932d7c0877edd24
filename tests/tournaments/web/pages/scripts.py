"""The sentences of scripts, and the files that translate them, which are made of the languages' own:

python3 -m tests.tournaments.web.pages.scripts
"""

import json
import re
from collections.abc import Iterator
from gettext import GNUTranslations
from pathlib import Path

ROOT = Path(__file__).parents[4]
SITE = ROOT / "tournaments"
FOLDERS = (ROOT / "bots" / "viewer" / "static", SITE / "static" / "boardroom")
CALL = re.compile(r'\bsentence\("((?:[^"\\]|\\.)*)"')
COMMENT = re.compile(r"(?:^|(?<=\s))//[^\n]*|/\*[^*]*\*/", re.MULTILINE)
LITERAL = re.compile(r'(\w+\()?("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)')
FILLED = re.compile(r"\$\{(?:[^{}]|\{[^{}]*\})*\}")
WORDS = re.compile(r"[A-Z][a-z]+$|[A-Za-z]{2,}[,.:;]? [A-Za-z]{2,}|^[A-Z][a-z]+:? ")
CODE = re.compile(r"[\[\]<>=#{}()]|^[a-z-]+ [a-z-]+$|\bseat-|^\.[a-z]|^(a|input), ")  # selectors, classes, markup
NOT_SAID = {"Enter", "Escape", "Shift", "Content-Type"}
KEYWORDS = re.compile("^(and as|lambda|auto|from) ")  # of languages, to colour them


def scripts() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from (path for path in sorted(folder.glob("*.js")) if not re.fullmatch(r"words\.\w+\.js", path.name))


def sentences() -> set[str]:
    return {
        json.loads(f'"{call[1]}"') for path in scripts() for call in CALL.finditer(COMMENT.sub("", path.read_text()))
    }


def left_over(source: str) -> list[str]:
    """Literals that look like something said, and that no translation reaches."""
    literals = [
        FILLED.sub("…", text[1:-1])
        for call, text in LITERAL.findall(COMMENT.sub("", source))
        if call not in ("sentence(", "Error(")
    ]
    return [
        text
        for text in literals
        if WORDS.search(text) and not (CODE.search(text) or KEYWORDS.search(text)) and text not in NOT_SAID
    ]


def written(language: str) -> str:
    """The file of a language."""
    with (SITE / "locale" / language / "LC_MESSAGES" / "django.mo").open("rb") as file:
        translations = GNUTranslations(file)
    lines = {sentence: translations.gettext(sentence) for sentence in sorted(sentences())}
    inner = json.dumps(lines, ensure_ascii=False, indent=2)
    program = "python3 -m tests.tournaments.web.pages.scripts"
    head = f"// Made of the language's own file by `{program}`; a test says when it is not."
    return f'{head}\n\nimport {{ learn }} from "./words.js";\n\nlearn({inner});\n'


def place_of(language: str) -> Path:
    return SITE / "static" / "boardroom" / f"words.{language}.js"


if __name__ == "__main__":
    for folder in (SITE / "locale").glob("*/LC_MESSAGES"):
        place_of(folder.parent.name).write_text(written(folder.parent.name))
