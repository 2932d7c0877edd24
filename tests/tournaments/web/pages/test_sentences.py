"""Sentences of our code, in the language of a page."""

import pytest
from django.utils.translation import override

from bots.viewer.language import told_in
from engine.sentences import Sentence
from tournaments.core.config.match_languages import match_language
from tournaments.web.pages.sentences import figure, in_page_language


@pytest.mark.parametrize(
    ("number", "english", "german"),
    [("4,800", "4,800", "4.800"), ("-1.5", "−1.5", "−1,5"), ("1,024.5 %",) * 2 + ("1.024,5 %",)],
)
def test_a_number_is_written_as_the_language_does(number: str, english: str, german: str) -> None:
    assert figure(number) == english
    with told_in(match_language("de")):
        assert figure(number) == german


def test_numbers_in_a_sentence_are_written_so_and_names_stay() -> None:
    why = Sentence("%(usual)s MB usually", usual="12.5")
    text = Sentence("%(names)s: %(size)s, %(why)s", names="Rook 1.5", size="1,048,576", why=why)
    with override("de"), told_in(match_language("de")):
        assert in_page_language(text) == "Rook 1.5: 1.048.576, 12,5 MB usually"
        assert in_page_language("It was 1.5") == "It was 1.5", "what people wrote"
