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

from bots.characters import characters_of
from bots.viewer.first_games import lessons, recording_of
from bots.viewer.language import Language
from engine.games import GAMES
from engine.sentences import Sentence, as_data
from tests import factories
from tests.bots.viewer.test_languages import OF_GAMES
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.furnished import things
from tests.tournaments.web.pages.test_permissions import TABLE, Row
from tests.tournaments.web.pages.words import Words
from tournaments.core.config import match_languages
from tournaments.features.practice.seats import python_samples
from tournaments.models import (
    Act,
    ApiToken,
    Attempt,
    Bot,
    Draft,
    Event,
    FaultEvidence,
    Identity,
    Ladder,
    Space,
    Team,
    User,
)

BRACKETS = re.compile("⟦[^⟦⟧]*⟧")
CLIPPED = re.compile(r'⟦[^"<]*…|[^\s">]+…')
LINK = re.compile(r"http://(?:testserver|127\.0\.0\.1:8000)/[^\s\"<]+")
ENGLISH = {  # where something is in English, and marked as such; but in the window's title, which no mark reaches
    "doc": "the docs",
    "docs": "the docs' titles",
    "editor": "what samples say of themselves",
    "search": "the docs",
}
UNHELD = {"kit-index"}  # what pip reads, in English as a whole


class Bracketed(NullTranslations):
    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        return self.gettext(singular if number == 1 else plural)

    def to_language(self) -> str:
        return "de"


@pytest.fixture
def brackets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Templates are read anew, and once more afterwards; boards are kept by the name of their language."""
    real = trans_real.translation
    monkeypatch.setattr(trans_real, "translation", lambda name: Bracketed() if name == "de" else real(name))
    monkeypatch.setattr(match_languages, "Language", lambda _, *options: Language("brackets", *options))
    (loader,) = engines["django"].engine.template_loaders  # type: ignore[attr-defined]
    loader.reset()
    match_languages.match_language.cache_clear()
    yield
    loader.reset()
    match_languages.match_language.cache_clear()


def outside(page: str, *, but_english: bool) -> set[str]:
    """Words outside brackets; a clipped text has lost its last ones."""
    while BRACKETS.search(page):
        page = BRACKETS.sub("", page)
    return set(Words(LINK.sub("", CLIPPED.sub("", page)), but_english=but_english).words)


def own_words() -> set[str]:
    """Names that people gave, and those of games, their pieces and samples."""
    names: tuple[object, ...] = (
        *OF_GAMES,
        *(name for game in GAMES for name in python_samples(game)),
        *(character.name for game in GAMES for character in characters_of(game).values()),
        *(player.name for lesson in lessons() for player in recording_of(lesson.game).players),
        *ApiToken.objects.values_list("name", flat=True),
        *Bot.objects.all(),
        *User.objects.all(),
        *Ladder.objects.all(),
        *Ladder.objects.values_list("slug", flat=True),
        *Event.objects.all(),
        *Team.objects.all(),
        *Space.objects.all(),
        *Act.objects.values_list("reason", flat=True),
        *Attempt.objects.values_list("worker", flat=True),
        *Draft.objects.values_list("filename", flat=True),
        *Draft.objects.values_list("source", flat=True),
    )
    names += (
        *(provider.title for provider in settings.SIGN_ON.values()),
        *Identity.objects.values_list("called", flat=True),
    )
    about = " ".join(Ladder.objects.values_list("description", flat=True))
    return set(
        re.findall(
            "[A-Za-z]{2,}",
            " ".join(["python", "sample", about, *(game.title for game in GAMES.values()), *map(str, names)]),
        )
    )


def asker_of(row: Row) -> str:
    """A person who sees it."""
    return "owner" if row.seen[0] == 200 else "staff" if row.name.startswith("desk") else "nobody"


def left_outside(world: World, rows: list[Row]) -> dict[str, set[str]]:
    named, names = things(world), own_words()
    clients = {
        name: signed_in(person) for name, person in (("owner", world.owner), ("nobody", None), ("staff", world.staff))
    }
    left = {}
    for row in rows:
        answer = clients[asker_of(row)].get(row.path.format(**named), headers={"Accept-Language": "de"})
        if answer.status_code == 200 and answer.headers.get("Content-Type", "").startswith("text/html"):
            page = outside(answer.content.decode(), but_english=row.name in ENGLISH)
            left[row.name] = page - names
    return {name: words for name, words in left.items() if words}


def held(row: Row) -> bool:
    return 200 in row.seen and row.name not in UNHELD


def test_no_page_has_a_word_outside_of_translations(pages_world: World, brackets: None) -> None:
    factories.rate()
    bid = Sentence("bids %(amount)s; a bid is %(low)s to %(high)s here, or 0 to pass", amount=5, low=1, high=3)
    FaultEvidence.objects.update(detail=bid, detail_data=as_data(bid))
    assert left_outside(pages_world, [row for row in TABLE if held(row)]) == {}
