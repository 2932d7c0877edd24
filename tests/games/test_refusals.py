"""Why the rules refuse an answer, in English byte for byte, and in the language of whoever reads it."""

import re
from collections.abc import Iterator

import pytest
from django.utils.translation import override

from engine.games import GAMES
from engine.sentences import Sentence
from tests.games import refusals
from tests.tournaments.web.pages.sentences import SITE
from tests.tournaments.web.pages.told import source_of
from tournaments.web.pages.sentences import in_page_language

FILLED = re.compile(r"%\(\w+\)s")
ENGLISH = re.compile(r"\b(the|of|and|are|is|it|to|must|not|for|on|one|each|may|from|with|seat|none|nobody|nothing)\b")


def parts_of(sentence: str) -> Iterator[Sentence]:
    """The sentence, and those that are filled in."""
    if isinstance(sentence, Sentence):
        yield sentence
        for value in sentence.filled.values():
            yield from parts_of(value)


def templates_of(folder: str) -> set[str]:
    templates = set()
    for path in (SITE.parent / "engine" / folder).rglob("*.py"):
        source = source_of(path)
        for function, call in source.every_call():
            if getattr(call.func, "id", "") == "Sentence" and call.args:
                templates |= source.strings(call.args[0], function)
    return {template for template in templates if not template.startswith("options.")}


@pytest.mark.parametrize("game", GAMES)
def test_english_is_what_it_was(game: str) -> None:
    """English that bots were told stays as it is. After a change of the rules: `python3 -m tests.games.refusals`."""
    assert refusals.text(game) == refusals.place_of(game).read_text()


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_of_a_game_is_said(game: str) -> None:
    sentences = {part.sentence for reason in refusals.all_of(game) for part in parts_of(reason)}
    assert templates_of(f"games/{game}") - sentences == set()


@pytest.mark.parametrize("game", GAMES)
def test_german_leaves_no_english_in_it(game: str) -> None:
    """Told sentence by sentence: what is filled in, other than sentences, is numbers, names and what was answered."""
    untold = []
    with override("de"):
        for part in {part.sentence: part for reason in refusals.all_of(game) for part in parts_of(reason)}.values():
            bare = Sentence(part.sentence, **dict.fromkeys(part.filled, "")) if part.filled else part
            if ENGLISH.search(FILLED.sub("", in_page_language(bare))):
                untold.append((part.sentence, in_page_language(bare)))
    assert untold == []
