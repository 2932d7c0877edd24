"""Pages in another language: every sentence is there, the two files of translations agree, and none is left behind.

What has words in a template stands in a tag of Django's; `left_over` finds what does not.
"""

import ast
import re
from datetime import timedelta
from gettext import GNUTranslations
from pathlib import Path

import pytest
from django.template.defaultfilters import floatformat
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import override

from tests.tournaments.web.pages import scripts
from tests.tournaments.web.pages.sentences import SITE, Sentence, refusals, sentences, stored_before, templates
from tests.tournaments.web.pages.told import Function, Source, bindings, name_of
from tests.tournaments.web.pages.words import Words

FOLDER = SITE / "locale" / "de" / "LC_MESSAGES"
PLACES = re.compile(r"%\(\w+\)s|%%|<[^>]*>")
LINE = re.compile(r'(?:(msgid|msgid_plural|msgstr(?:\[\d\])?) )?(".*")')
MESSAGE = re.compile(r"{% blocktranslate.*?{% endblocktranslate %}", re.DOTALL)
TAG = re.compile(r"{%.*?%}|{{.*?}}|{#.*?#}", re.DOTALL)
LITERAL = re.compile(r'([\w:(]*)"([^"]*)"')
SENTENCE = re.compile(r"[A-Za-z] [A-Za-z]|^[A-Z][a-z]+$")
Told = dict[Sentence, tuple[str, ...]]


def written(path: Path) -> Told:
    """The readable file; what is marked as doubtful counts as missing."""
    entries = [parts_of(entry) for entry in path.read_text().split("\n\n") if "#, fuzzy" not in entry]
    return {
        Sentence(parts[0], parts[1] if len(parts) == 4 else ""): tuple(parts[-1 - (len(parts) == 4) :])
        for parts in entries
    }


def parts_of(entry: str) -> list[str]:
    parts: list[str] = []
    for match in map(LINE.fullmatch, entry.splitlines()):
        if match and match[1]:
            parts.append("")
        if match:
            parts[-1] += ast.literal_eval(match[2])
    return parts


def test_german_has_every_sentence_and_no_other() -> None:
    german = set(written(FOLDER / "django.po")) - {Sentence("")}
    assert sorted(sentences() - german) == []
    assert sorted(german - sentences() - set(map(Sentence, stored_before()))) == []


def test_a_translation_keeps_what_is_filled_in_and_the_marks_around_it() -> None:
    for sentence, german in written(FOLDER / "django.po").items():
        for form in german if sentence.singular else ():
            assert form.strip(), sentence
            assert (sentence, sorted(PLACES.findall(form))) == (sentence, sorted(PLACES.findall(sentence.singular)))


def test_what_programs_read_is_made_of_what_people_read() -> None:
    """Run after a change: `msgfmt -o django.mo django.po` in the folder of the two."""
    with (FOLDER / "django.mo").open("rb") as file:
        made = GNUTranslations(file)
    for sentence, german in written(FOLDER / "django.po").items():
        if sentence.plural:
            assert tuple(made.ngettext(*sentence, number) for number in (1, 2)) == german
        elif sentence.singular:
            assert (made.gettext(sentence.singular),) == german


def test_numbers_have_a_point_in_german_too() -> None:
    """They stand in drawings. Django passes over a file of formats that cannot be imported, without a word."""
    with override("de"):
        assert floatformat(1234.5, "1g") == "1,234.5"


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(seconds=20), "gerade eben"),
        (timedelta(minutes=17), "vor 17 Minuten"),
        (timedelta(days=3), "vor 3 Tagen"),
        (timedelta(days=70), "vor 2 Monaten, 1 Woche"),
    ],
)
def test_what_was_is_so_long_ago_in_german(ago: timedelta, words: str) -> None:
    with override("de"):
        html = render_to_string("_ago.html", {"at": timezone.now() - ago})
    assert f">{words}</time>" in html.replace("\xa0", " ")


def is_unmarked(before: str, literal: str) -> bool:
    return bool(SENTENCE.search(literal)) and not before.endswith(("date:", "_("))


def left_over(source: str) -> list[str]:
    """Words of a template that no translation reaches."""
    tags = " ".join(tag for tag in TAG.findall(source) if not tag.startswith(("{% translate", "{% load", "{% url")))
    literals = [text for before, text in LITERAL.findall(tags) if is_unmarked(before, text)]
    return [*Words(TAG.sub("", MESSAGE.sub("", source))).words, *literals]


def test_no_word_of_a_template_is_left_behind() -> None:
    pages = [path for path in templates() if path.suffix == ".html" and "admin" not in path.parts]
    left = {path.name: words for path in pages if (words := left_over(path.read_text()))}
    assert left == {}


def test_scripts_have_the_sentences_of_each_language() -> None:
    """Run after a change: `python3 -m tests.tournaments.web.pages.scripts`."""
    assert scripts.place_of("de").read_text() == scripts.written("de")


def test_no_word_of_a_script_is_left_behind() -> None:
    assert {path.name: words for path in scripts.scripts() if (words := scripts.left_over(path.read_text()))} == {}


def test_a_new_sentence_of_a_script_is_found() -> None:
    source = 'tell("Not saved yet."); tell(`${count} files are sent.`); tell(sentence("Saved.")); find(".row a");'
    assert scripts.left_over(source) == ["Not saved yet.", "… files are sent."]


# Sentences that come from elsewhere: of the engine, of a file or a library that says what is wrong, or made above;
# choices of settings; and what was stored.
PASSED_ON = re.compile(
    r"(error|refused)\.(detail|reason)|str\((error|self|self\.sentence)\)|self\.sentence|in_page_language\(refused\.detail\)\.removeprefix\(.*\)|taken\(.*|said_of\(.*|str\(choice\).*|str\(event\.get_status_display\(\)\)|last\.set\.get_status_display\(\)|\w+\.(status|value|label|verdict|sentence)|template|verdict|fault\[.*\]"
)


def test_every_refusal_keeps_its_sentence_and_what_is_filled_in_apart() -> None:
    """`Refused("no_room", "no room for %(count)s", count=7)`: a text that is put together cannot be translated."""
    odd = [
        f"{getattr(function, 'name', '')}: {ast.unparse(sentence)}"
        for source, function, sentence in refusals()
        if not source.strings(sentence, function) and not is_said_elsewhere(sentence, function)
    ]
    assert odd == []


def is_said_elsewhere(sentence: ast.expr, function: Function) -> bool:
    """Passed on, or a name that stands for what was made by `Sentence`."""
    if getattr(function, "name", "") == "__init__":  # of an error, which is given it
        return True
    if not isinstance(sentence, ast.Name) or sentence.id in ("template", "verdict"):
        return bool(PASSED_ON.fullmatch(ast.unparse(sentence)))
    made = (value for value in bindings(sentence.id, function) if isinstance(value, ast.Call))
    return any(name_of(value.func) == "Sentence" for value in made)


def test_a_refusal_that_is_put_together_is_found(tmp_path: Path) -> None:
    path = tmp_path / "refusing.py"
    path.write_text("def check(n: int) -> None:\n    raise Refused('full', f'there is no room for {n}')\n")
    source = Source.of(path)
    ((function, call),) = source.every_call()
    assert not source.strings(call.args[1], function)
    assert not is_said_elsewhere(call.args[1], function)
