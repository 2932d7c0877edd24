"""Numbers as pages write them."""

import pytest
from django.utils.translation import override

from bots.viewer.language import told_in
from tournaments.core.config.match_languages import match_language
from tournaments.templatetags.figures import milliseconds
from tournaments.web.pages.sentences import chance


@pytest.mark.parametrize(
    ("share", "english", "german"),
    [(0.00005, "under 0.01 %", "unter 0,01 %"), (0.0012, "0.12 %", "0,12 %"), (0.25, "25 %", "25 %")],
)
def test_a_chance_is_written_as_the_language_does(share: float, english: str, german: str) -> None:
    assert chance(share) == english
    with override("de"), told_in(match_language("de")):
        assert (chance(share), milliseconds(1500)) == (german, "1,5 s")
