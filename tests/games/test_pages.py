"""docs/games/ is true: every page has every clause, each of them is tested, and the examples are what they say."""

import json
import re
from collections.abc import Iterable
from typing import Final

import pytest

from bots.command.starters.python import package_of
from bots.record_schema import parts
from engine.games import GAMES
from engine.records import to_plain
from tests.docs.snippets import snippets
from tests.games.record import HERE

CLAUSES: Final = {  # how the clauses of a game are numbered
    "zaibatsu": r"Z-[A-Z]\d+",
    "kaiju": r"K\d+\.\d+",
    "shangzhou": r"Z\d+\.\d+",
    "gigabucks": r"G-[A-Z]\d+",
    "network": r"N-[A-Z]\d+",
}
UNTESTED: Final = {  # and why
    **dict.fromkeys(("K8.1", "K8.2", "K8.3", "K8.4"), "a measurement: no rule"),
    "K8.5": "measured once; tests/bots/test_samples.py holds the samples to less",
    "K8.6": "says what is not known",
    **dict.fromkeys(("Z8.1", "Z8.2", "Z8.3", "Z8.4", "Z8.5"), "a measurement: no rule"),
    "Z-A4": "a warning to those who change the deck; nothing we ship does",
}
every_game = pytest.mark.parametrize("name", GAMES)


def page(name: str) -> str:
    return (HERE.parent.parent / "docs" / "games" / f"{name}.md").read_text()


def clauses(name: str, text: str) -> set[str]:
    return set(re.findall(rf"\b{CLAUSES[name]}\b", text))


def clauses_tested(name: str) -> set[str]:
    """The clauses named in docstrings of tests."""
    sources: Iterable[str] = (path.read_text() for path in HERE.glob("test_*.py"))
    return clauses(name, " ".join(doc for source in sources for doc in re.findall(r'"""(.*?)"""', source, re.DOTALL)))


def fenced(name: str, kind: str) -> list[str]:
    return [
        snippet.text
        for snippet in snippets()
        if (snippet.page, snippet.language) == (f"docs/games/{name}.md", f"json {kind}")
    ]


@every_game
def test_every_clause_of_the_page_is_tested_or_says_why_not(name: str) -> None:
    assert clauses(name, page(name)) - clauses_tested(name) == clauses(name, " ".join(UNTESTED))


@every_game
def test_every_clause_tested_is_on_the_page(name: str) -> None:
    assert clauses_tested(name) <= clauses(name, page(name))


@every_game
def test_every_example_of_a_question_and_its_answer_is_legal(name: str) -> None:
    game = GAMES[name]
    questions = [game.read_question(json.loads(text)) for text in fenced(name, "question")]
    answers = [json.loads(text) for text in fenced(name, "answer")]
    assert {type(question) for question in questions} == set(game.questions)
    for question, answer in zip(questions, answers, strict=True):
        assert question.error(question.read(answer)) is None


@every_game
def test_the_table_of_classes_has_every_question_its_answers_and_all_events(name: str) -> None:
    game, [table] = GAMES[name], re.findall(r"### The same as Python classes\n\n(.*?)\n## ", page(name), re.DOTALL)
    assert re.findall(r"^\| `(\w+)` \| `(\w+)` \| (.*) \|$", table, re.MULTILINE) == [
        (kind.tag, kind.__name__, ", ".join(f"`{answer.__name__}`" for answer in parts(kind.answers)))
        for kind in game.questions
    ]
    assert package_of(game) in table
    assert {kind.__name__ for kind in game.events} <= set(re.findall(r"\w+", table.partition("All from")[2]))


@every_game
def test_every_kind_of_event_has_an_example(name: str) -> None:
    events = [GAMES[name].read_event(json.loads(line)) for line in "".join(fenced(name, "event")).splitlines()]
    assert {type(event) for event in events} == set(GAMES[name].events)


@every_game
def test_the_example_of_a_view_has_every_field(name: str) -> None:
    for text in fenced(name, "view"):
        assert to_plain(GAMES[name].read_view(json.loads(text))) == json.loads(text)
    assert fenced(name, "view")


def test_the_index_names_every_game_with_its_players() -> None:
    index = page("README")
    for game in GAMES.values():
        assert f"| [{game.title}]({game.name}.md) | {game.players[0]} to {game.players[-1]} |" in index
