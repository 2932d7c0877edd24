"""The pages of statistics: bots side by side, and a bot's record."""

from itertools import pairwise

import pytest
from django.utils import timezone

from tests.factories import a_bot, rate
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.features.statistics.history_chart import HEIGHT, LETTER, draw_histories
from tournaments.features.statistics.rating_history import RatingPoint

pytestmark = pytest.mark.django_db


def test_chosen_bots_are_compared_and_others_are_said_to_be_missing(pages_world: World) -> None:
    rate()
    page = Html(signed_in(None).get(f"/ladders/arena/history/?show={pages_world.bot.pk}&add=rook").content.decode())
    assert len(page.all("polyline")) == 2
    assert "1 set, from" in page.text
    page = Html(signed_in(None).get("/ladders/arena/history/?add=<b>nobody").content.decode())
    assert "No bot called “<b>nobody” stands in this ladder." in page.text


def test_the_matrix_has_a_cell_with_its_games_for_each_pair(pages_world: World) -> None:
    rate()
    text = Html(signed_in(None).get("/ladders/arena/head-to-head/").content.decode()).text
    assert text.count("3 games") == 6


def test_the_record_is_of_a_ladder_that_the_bot_is_in(pages_world: World) -> None:
    for path, status, words in (
        (f"/bots/{pages_world.bot.pk}/record/?ladder=arena", 200, f"Its record in {pages_world.ladder}"),
        (f"/bots/{pages_world.bot.pk}/record/?ladder=nowhere", 404, "has no record in a ladder called “nowhere”."),
        (f"/bots/{a_bot().pk}/record/", 404, "is in no ladder yet."),
    ):
        answer = signed_in(None).get(path)
        assert (answer.status_code, words in Html(answer.content.decode()).text) == (status, True)


def test_names_at_the_ends_of_lines_never_cover_each_other() -> None:
    now = timezone.now()
    chart = draw_histories(
        {f"bot {n}": [RatingPoint(1, 1, 1500.0, 0.0, now), RatingPoint(2, 1, 1500.0 + n, 0.0, now)] for n in range(6)}
    )
    assert chart is not None
    heights = sorted(line.label_at for line in chart.lines)
    assert all(later - earlier >= LETTER for earlier, later in pairwise(heights))
    assert heights[-1] <= HEIGHT
    assert draw_histories({"nobody": []}) is None
