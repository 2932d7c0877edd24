"""A language that puts every sentence in brackets: what stands outside of them on a page, no translation reaches.

People's words and names are their own. What is English still is told in docs/accessibility.md, and stands in ENGLISH.
"""

import re
from collections.abc import Iterator
from gettext import NullTranslations

import pytest
from django.conf import settings
from django.template import engines
from django.utils.translation import trans_real

from engine.games import GAMES
from tests import factories, thorough
from tests.pages.conftest import World, signed_in
from tests.pages.test_permissions import TABLE, Row, things
from tests.pages.words import Words
from tournaments.models import Act, Bot, Event, Identity, Ladder, Space, Team, User

BRACKETS = re.compile("⟦[^⟦⟧]*⟧")
USUAL = ("account", "bots", "ladder", "overall", "people", "sign-in", "upload")  # in every run
# Boards, logs of games, questions, samples' own words, texts of the docs, of notices, of acts and of formats' rules.
ENGLISH = {
    *(
        "home",
        "live",
        "match",
        "embed",
        "verified",
        "fork",
        "play-begin",
        "practice",
        "shared-game",
        "audit",
        "notices",
    ),
    *("editor", "draft", "draft-state", "draft-states", "docs", "doc", "kit", "kit-index", "data", "data-ladder"),
    *("event", "bot", "bot-record", "bot-compare", "bot-series", "trial", "bot-upload", "ladder-history", "desk"),
    *(
        "search",
        "drafts",
        "tokens",
        "event-matches-csv",
        "ladder-meetings",
        "ladder-transitivity",
        "webhooks",
        "teams",
        "team",
    ),
}


class Bracketed(NullTranslations):
    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, one: str, many: str, number: int) -> str:
        return self.gettext(one if number == 1 else many)

    def to_language(self) -> str:
        return "de"


@pytest.fixture
def brackets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Templates are read anew, and once more afterwards."""
    real = trans_real.translation
    monkeypatch.setattr(trans_real, "translation", lambda name: Bracketed() if name == "de" else real(name))
    (loader,) = engines["django"].engine.template_loaders  # type: ignore[attr-defined]
    loader.reset()
    yield
    loader.reset()


def outside(page: str) -> set[str]:
    while BRACKETS.search(page):
        page = BRACKETS.sub("", page)
    return set(Words(page).words)


def own_words() -> set[str]:
    """Names that people gave, and those of games."""
    told: tuple[object, ...] = (
        *Bot.objects.all(),
        *User.objects.all(),
        *Ladder.objects.all(),
        *Event.objects.all(),
        *Team.objects.all(),
        *Space.objects.all(),
        *Act.objects.values_list("reason", flat=True),
    )
    told += (*(each.title for each in settings.SIGN_ON.values()), *Identity.objects.values_list("called", flat=True))
    about = " ".join(Ladder.objects.values_list("description", flat=True))
    return set(
        re.findall(
            "[A-Za-z]{2,}", " ".join(["python", about, *(game.title for game in GAMES.values()), *map(str, told)])
        )
    )


def left_outside(world: World, rows: list[Row]) -> dict[str, set[str]]:
    named, names = things(world), own_words()
    clients = {"owner": signed_in(world.owner), "nobody": signed_in(None)}
    found = {}
    for row in rows:
        client = clients["owner" if row.seen[0] == 200 else "nobody"]
        answer = client.get(row.path.format(**named), headers={"Accept-Language": "de"})
        if answer.status_code == 200 and answer.headers.get("Content-Type", "").startswith("text/html"):
            found[row.name] = outside(answer.content.decode()) - names
    return {name: words for name, words in found.items() if words}


def held(row: Row) -> bool:
    return 200 in row.seen and row.name not in ENGLISH and not row.name.startswith("desk-")


def test_the_usual_pages_have_no_word_outside_of_translations(world: World, brackets: None) -> None:
    factories.rate()
    assert left_outside(world, [row for row in TABLE if row.name in USUAL]) == {}


@thorough.only("tests/pages/test_pseudo_language.py::test_the_usual_pages_have_no_word_outside_of_translations")
def test_no_page_has_a_word_outside_of_translations(world: World, brackets: None) -> None:
    factories.rate()
    assert left_outside(world, [row for row in TABLE if held(row)]) == {}
