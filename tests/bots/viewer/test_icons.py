"""Icons in sentences: of what they name, before the words, as the board draws them."""

import pytest

from bots.viewer.commentary import tell
from bots.viewer.icons import for_script, icon_signs, sheet, vocabulary_of, with_icons
from engine.games import GAMES
from tests.bots.viewer.drawn import check_markup
from tests.bots.viewer.replays import replay_of
from tests.games.record import recordings_of

SENTENCES = {
    "zaibatsu": ("Ann takes pile 2 for T¥ 5: Iwate Metals and Aerospace.", ["R", "Y", "factory"]),
    "kaiju": ("Ann pays 5¥ for Spore Kiln (Industrial); 0¥ are left.", ["money", "IR", "money"]),
    "shangzhou": ("Ann uses a Hacker: Critical Node is gone from c2.", ["H", "N"]),
    "gigabucks": (
        "Ann rolls 3 and 4 and comes, 2 on as others stand there, to 9. Ann owns corporation 9 now.",
        ["die-3", "die-4", "corporation"],
    ),
    "network": ("A share of Cape (of Ann) from the pool is up. The city pays.", ["company-2", "city"]),
}


@pytest.mark.parametrize("game", SENTENCES)
def test_a_sentence_has_the_icons_of_what_it_names(game: str) -> None:
    sentence, icons = SENTENCES[game]
    assert [icon for _, icon in icon_signs(game, sentence)] == icons


@pytest.mark.parametrize("game", GAMES)
def test_icons_are_drawn_as_boards_are_and_the_logs_of_games_have_them(game: str) -> None:
    for markup in vocabulary_of(game).drawn.values():
        check_markup(markup)
    icons = set[str]()
    for name in recordings_of(game):
        for chapter in tell(replay_of(name)):
            icons |= {icon for line in chapter.lines for _, icon in icon_signs(game, line.text)}
    assert icons
    assert icons <= vocabulary_of(game).drawn.keys()
    assert all(f'data-icon="{icon}"' in sheet(game) for icon in icons)


def test_what_people_wrote_is_escaped_and_a_part_of_a_word_is_no_word() -> None:
    assert with_icons("shangzhou", "<b>Publicity</b> & Storages") == "&lt;b&gt;Publicity&lt;/b&gt; &amp; Storages"
    assert with_icons("shangzhou", "<Virus>").startswith('&lt;<span class="picture icon" aria-hidden="true"')


def test_places_of_icons_are_counted_as_the_browser_counts() -> None:
    assert for_script("shangzhou", "\U0001f33b buys Storage for 3.") == [(8, "S")]
