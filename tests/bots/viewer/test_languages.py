"""Matches in another language: every sentence about every recorded game goes through the translations."""

from collections.abc import Iterator
from threading import Thread

import pytest

from bots.games.kaiju.board.words import CITIES
from bots.games.kaiju.commentary import SUITS
from bots.games.network.commentary import CALLED
from bots.games.shangzhou.commentary import TILES
from bots.viewer.answer_forms import form_of
from bots.viewer.answer_forms.form import Form, Way
from bots.viewer.film_chunks import film, find_moment
from bots.viewer.frames import Frame
from bots.viewer.guide_panel import aim, guide_panel, is_beside
from bots.viewer.key_moments import marks_of
from bots.viewer.language import ENGLISH, cached_by_language, decimal, passed_on, say, say_number, told_in, word
from bots.viewer.perspectives import eyes_of
from bots.viewer.player import Perspective, Projector
from bots.viewer.progress_charts import courses
from bots.viewer.turning_points import unit_of
from engine.games import GAMES, kaiju, zaibatsu
from engine.replay import Replay
from engine.sentences import Sentence
from tests.bots.viewer.replays import NAMES, replay_of
from tests.games.record import recordings_of
from tests.tournaments.web.pages.pseudo_language import PSEUDO, Read, plain_words
from tournaments.core.config.match_languages import match_language

# What things are called by the rules, in any language; what bots said; and what bots may call their messages and facts.
SHORT = "Com. Prod. Pub. Stor. Restr Clout Kaiju Hackers Viruses hacker virus"
OF_GAMES = {*kaiju.NAMES.values(), *SUITS.values(), *CITIES, *CITIES.values(), *CALLED, *TILES.values(), SHORT}
OF_GAMES |= {company.name for company in kaiju.COMPANY.values()}
OF_GAMES |= {f"{card.name} {card.inputs} {card.outputs}" for card in zaibatsu.CARDS.values()}
SAID = {"well played", "You pass now, and I the next time.", "deal suggest intent", "turn cash owner lines"}


def test_an_empty_text_is_empty_in_every_language() -> None:
    assert match_language("de").gettext("").startswith("Project-Id-Version")  # as catalogues have it
    with told_in(match_language("de")):
        assert [say(""), word(""), passed_on(Sentence(""))] == ["", "", ""]


def is_ours(line: str) -> bool:
    """And not what bots have said."""
    return "“" not in line


def frame_texts(frame: Frame) -> Iterator[str]:
    yield frame["says"]
    yield from (f"{line['text']} {line['title']}" for line in frame["told"] if is_ours(line["text"]))
    for markup in frame["parts"].values():
        yield from Read(markup).texts
    yield from (line if is_beside(about) else f"{about}: {line}" for about, line in frame["words"].items())


def form_texts(form: Form) -> Iterator[str]:
    yield form.words
    for way in form.ways:
        yield from way_texts(way)


def way_texts(way: Way) -> Iterator[str]:
    yield from (way.title, *(button.label for button in way.buttons), *(group.title for group in way.groups))
    for control in (*way.controls, *(field for group in way.groups for field in group.controls)):
        yield from (control.label, control.hint, *(choice.label for choice in control.choices))


def questions(replay: Replay) -> Iterator[str]:
    show = Projector(replay, Perspective())
    show.begin()
    while show.can_go_on:
        for seat in show.run.match.questions:
            yield from form_texts(form_of(show.run.game, show.run.match, seat, show.names))
        show.step()


def texts(replay: Replay) -> Iterator[str]:
    views = eyes_of(replay)
    seen = find_moment(replay, views[0].perspective, 10)
    for frames in film(replay, views[0].perspective):
        for frame in frames:
            yield from frame_texts(frame)
    yield from Read(courses(seen, "", lambda moment, kind: f"?at={moment}&chart={kind}", "/docs/")).texts
    yield from Read(aim(replay.game, seen.picture.words) + guide_panel(replay.game)).texts
    yield from (mark.text for mark in marks_of(seen.outline, seen.names, seen.unit) if is_ours(mark.text))
    yield from (seen.unit, unit_of(seen.outline, seen.unit), *(eyes.name for eyes in views))
    yield from questions(replay)


@pytest.mark.parametrize("name", [recordings_of(game)[0] for game in GAMES if recordings_of(game)])
def test_nothing_about_a_match_is_left_untranslated(name: str) -> None:
    replay = replay_of(name)
    names = {*(player.name for player in replay.players), *OF_GAMES, *SAID}
    with told_in(PSEUDO):
        assert plain_words(filter(is_ours, texts(replay)), names) == set()


def test_a_sentence_is_told_in_the_language_of_whoever_asks() -> None:
    with told_in(PSEUDO):
        assert say("%(name)s passes.", name="Ada") == "Ada þåššéš."
        assert say_number("%(number)s card", "%(number)s cards", 7) == "7 çåŕðš"
    assert say("%(name)s passes.", name="Ada") == "Ada passes."
    assert say("100 % of it") == "100 % of it"


def test_decimals_have_the_sign_of_the_language() -> None:
    with told_in(match_language("de")):
        assert (decimal(12.5), decimal(3.0), decimal(-0.25)) == ("12,5", "3", "−0,25")
    assert (decimal(12.5), decimal(-7), decimal("-1.50"), decimal(1_234_567)) == ("12.5", "−7", "−1.50", "1234567")


def test_a_language_ends_with_its_thread_and_with_an_error() -> None:
    heard: list[str] = []
    with pytest.raises(KeyError), told_in(PSEUDO):
        say("%(name)s passes.", seat=1)
    with told_in(PSEUDO):
        other = Thread(target=lambda: heard.append(say("Bid")))
        other.start()
        other.join()
    assert [*heard, say("Bid")] == ["Bid", "Bid"]


def test_what_is_kept_is_kept_for_each_language() -> None:
    made = []

    @cached_by_language(8)
    def drawn(number: int) -> str:
        made.append(number)
        return f"{say('Bid')} {number}"

    for language in (ENGLISH, PSEUDO, ENGLISH, PSEUDO):
        with told_in(language):
            assert drawn(1) == f"{language.one('Bid')} 1"
    assert made == [1, 1]


def test_english_is_what_it_is_without_a_language() -> None:
    replay = replay_of(NAMES[0])
    before = film(replay, Perspective())
    with told_in(PSEUDO):
        assert film(replay, Perspective()) != before
    with told_in(ENGLISH):
        assert film(replay, Perspective()) == before
