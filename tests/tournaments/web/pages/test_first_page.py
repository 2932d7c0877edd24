"""The front page of a site on which nothing has been played."""

import pytest
from django.test import Client, override_settings

from tests.factories import a_ladder
from tests.tournaments.web.pages.html import Html

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("coming", "words"), [(True, "has just started"), (False, "manage.py createsuperuser")])
def test_it_says_what_comes_or_what_to_do_first(*, coming: bool, words: str) -> None:
    with override_settings(SAMPLES_COMING=coming):
        page = Html(Client().get("/").content.decode())
    assert words in page.text
    assert page.faults() == []
    assert "Play now" not in page.text  # there is nothing to play under


def test_it_sends_an_organiser_to_the_desk_and_everybody_to_the_rules() -> None:
    links = {link["href"] for link in Html(Client().get("/").content.decode()).all("a")}
    assert {"/desk/new-ladder/", "/docs/games/zaibatsu/", "/live/", "#take-part"} <= links


def test_with_a_ladder_and_no_match_it_asks_for_a_bot() -> None:
    a_ladder()
    text = Html(Client().get("/").content.decode()).text
    assert "No match has been played. The first begins when there are enough bots" in text
    assert "Play now" in text
