"""A lost match, come to from the bot's page, opens at the decision that cost most, with ways to go on."""

import re
from typing import Any

import pytest
from django.test import Client

from bots.viewer.film_chunks import find_moment
from bots.viewer.key_moments import percent
from bots.viewer.player import Perspective
from bots.viewer.turning_points import decisions
from engine.replay import Replay, read_replay
from tests.factories import a_bot, a_completed_set, a_ladder, a_version
from tests.tournaments.web.pages.html import Html
from tournaments.models import Match, Seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def lost() -> Seat:
    a_completed_set(a_ladder(), [a_version(a_bot(name=name)) for name in ("Ada", "Bob", "Cleo")])
    seat = Seat.objects.filter(place__gt=1, match__set__checks=None).order_by("-place", "pk").first()
    assert seat
    return seat


def replay_of(match: Match) -> Replay:
    return read_replay(bytes(match.result.replay))


def page(address: str) -> str:
    answer = Client().get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_bots_page_leads_to_it_and_it_opens_where_most_was_lost(lost: Seat) -> None:
    match = lost.match
    address = f"/matches/{match.pk}/?lost={lost.number}"
    assert f'href="{address}#decided"' in page(f"/bots/{lost.version.bot_id}/")
    html = page(address)
    seen = find_moment(replay_of(match), Perspective.everything(3), 0)
    points = decisions(replay_of(match), seen.outline, seen.names, lost.number)
    worst = max(points, key=lambda point: point.cost)
    shown = next(moment for moment in seen.outline.ats if moment > worst.at)
    assert re.search(rf'data-at="{shown}">\s*<div class="stage"', html)
    assert f"Where {lost.version.bot} fell behind" in Html(html).text
    went = f"{percent(worst.before / 100)} → {percent(worst.after / 100)}"
    read = Html(html).text
    assert f"By its next decision its chance of winning went {went}" in read
    assert f": {worst.own:+.0f} by its own answer, ".replace("-", "−") in read
    assert f"/play/fork/?match={match.pk}&amp;at={worst.at}" in html


def test_a_moment_that_is_named_is_shown_all_the_same(lost: Seat) -> None:
    html = page(f"/matches/{lost.match_id}/?lost={lost.number}&at=0")
    assert re.search(r'data-at="0">\s*<div class="stage"', html)
    assert "show this moment" in Html(html).text


@pytest.mark.parametrize("asked", ["", "?lost=", "?lost=x", "?lost=9", "?lost=-1", f"?lost={'9' * 30}"])
def test_without_a_seat_that_lost_it_is_the_page_as_it_was(lost: Seat, asked: str) -> None:
    assert "decided-title" not in page(f"/matches/{lost.match_id}/{asked}")


def test_who_won_did_not_fall_behind(lost: Seat) -> None:
    won: Any = lost.match.seats.filter(place=1).first()
    assert "decided-title" not in page(f"/matches/{lost.match_id}/?lost={won.number}")
    assert f'href="/matches/{lost.match_id}/"' in page(f"/bots/{won.version.bot_id}/")


def test_the_chart_that_the_address_asks_for_stays_in_its_links(lost: Seat) -> None:
    usual, asked = page(f"/matches/{lost.match_id}/"), page(f"/matches/{lost.match_id}/?chart=score")
    assert ('data-shows="chances"' in usual, 'data-shows="score"' in asked) == (True, True)
    assert "&amp;chart=score#film" in asked
    assert re.search(r'data-go="after"[^>]*href="[^"]*chart=score#film"', asked)
    assert not re.search(r'data-go="after"[^>]*href="[^"]*chart=', usual)
    assert "/docs/watching/#chances-of-winning" in usual
