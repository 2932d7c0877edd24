from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.factories import a_bot, a_completed_set, a_user, a_version
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.api.world import World
from tournaments.ledger.ladders.entries import enter_in_ladder

pytestmark = pytest.mark.django_db
Counting = Callable[[int], Any]


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(size=st.integers(1, 12))
def test_the_pages_of_a_list_hold_every_row_once_newest_first(db: None, size: int) -> None:
    owner = a_user()
    made = [a_bot(owner).pk for _ in range(9)]
    address, seen = f"/api/v1/bots?owner={owner.username}&page_size={size}", []
    while address:
        page = ask("GET", address).json()
        assert 0 < len(page["results"]) <= size
        seen += [row["id"] for row in page["results"]]
        address = page["next"]
    assert seen == made[::-1]


def test_a_row_that_comes_in_between_moves_nothing() -> None:
    owner = a_user("ada")
    first = a_bot(owner)
    a_bot(owner)
    page = ask("GET", "bots?owner=ada&page_size=1").json()
    a_bot(owner)
    assert [row["id"] for row in ask("GET", page["next"]).json()["results"]] == [first.pk]


LISTS = {
    "": 0,
    "bots": 1,
    "bots?owner=ada&game=zaibatsu": 1,
    "bots/{bot}": 1,
    "bots/{bot}/trials": 2,
    "bots/{bot}/versions": 2,
    "bots/{bot}/versions/1": 1,
    "overall": 8,
    "ladders": 2,
    "ladders/main": 2,
    "ladders/main/standings": 26,  # twice six of them see that it is the same
    "ladders/main/entries": 2,
    "matches": 6,
    "matches?ladder=main&bot={bot}&status=done": 10,
    "matches/{match}": 7,
    "matches/{match}/replay": 1,
}


@pytest.mark.parametrize("path", LISTS)
def test_an_answer_takes_as_many_queries_for_many_rows_as_for_few(
    path: str, api_world: World, django_assert_num_queries: Counting
) -> None:
    address = path.format(bot=api_world.bot.pk, match=api_world.match.pk)
    for _ in range(2):  # a bot without a rating among them each time
        more = a_version(a_bot(api_world.owner))
        enter_in_ladder(ladder=api_world.ladder, bot=more.bot, by=api_world.owner)
        a_completed_set(api_world.ladder, [more, api_world.version])
        with django_assert_num_queries(LISTS[path]):
            ask("GET", address)


def test_nothing_is_counted_and_no_page_is_skipped_over(api_world: World) -> None:
    with CaptureQueriesContext(connection) as queries:
        ask("GET", "matches?page_size=1")
    text = " ".join(query["sql"] for query in queries)
    assert "COUNT(" not in text
    assert "OFFSET" not in text
    assert "LIMIT 2" in text
