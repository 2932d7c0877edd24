"""docs/games/zaibatsu.md is true: its table, its examples, and a test for every clause."""

import json
import re
from pathlib import Path

from engine.games.zaibatsu import COMPANIES, ZAIBATSU
from engine.records import to_plain
from tests.games.record import HERE

PAGE = (HERE.parent.parent / "docs" / "games" / "zaibatsu.md").read_text()
CLAUSE = re.compile(r"Z-[A-Z]\d+")
NOT_TESTED = {"Z-A4": "a warning to those who change the deck; nothing we ship does"}
KINDS = {"M": "mining", "P": "intermediate", "A": "advanced", "F": "manufacturing"}


def clauses_tested() -> set[str]:
    """The clauses named in docstrings of tests."""
    sources = [path.read_text() for path in Path(HERE).glob("test_zaibatsu*.py") if path != Path(__file__)]
    docstrings = [doc for source in sources for doc in re.findall(r'"""(.*?)"""', source, re.DOTALL)]
    return {clause for doc in docstrings for clause in CLAUSE.findall(doc)}


def fenced(kind: str) -> list[str]:
    return re.findall(rf"```json {kind}\n(.*?)```", PAGE, re.DOTALL)


def test_every_clause_of_the_page_is_tested_or_says_why_not() -> None:
    assert set(CLAUSE.findall(PAGE)) - clauses_tested() == NOT_TESTED.keys()


def test_every_clause_tested_is_on_the_page() -> None:
    assert clauses_tested() <= set(CLAUSE.findall(PAGE))


def test_the_table_lists_every_company_as_it_is() -> None:
    rows = re.findall(r"^\| ([MPAF]\d\d) \| (.+?) \| (\w+) \| (\d+) \| (\S+) \| (\S+) \|$", PAGE, re.MULTILINE)
    assert rows == [(c.id, c.name, KINDS[c.id[0]], str(c.score), c.inputs or "-", c.outputs or "-") for c in COMPANIES]


def test_every_example_of_a_question_and_its_answer_is_legal() -> None:
    questions = [ZAIBATSU.read_question(json.loads(text)) for text in fenced("question")]
    answers = [json.loads(text) for text in fenced("answer")]
    assert len(questions) == len(answers) == len(ZAIBATSU.questions)
    for question, answer in zip(questions, answers, strict=True):
        assert question.error(question.read(answer)) is None


def test_every_kind_of_event_has_an_example() -> None:
    events = [ZAIBATSU.read_event(json.loads(line)) for line in "".join(fenced("event")).splitlines()]
    assert {type(event) for event in events} == set(ZAIBATSU.events)


def test_the_example_of_a_view_has_every_field() -> None:
    (text,) = fenced("view")
    assert to_plain(ZAIBATSU.read_view(json.loads(text))) == json.loads(text)
