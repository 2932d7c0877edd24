"""Tables as CSV: what is in them, what is not shown there, and that no name is a formula."""

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import a_user
from tests.holding import KNOCKOUT, ROBIN, a_running, an_organiser, play_out
from tests.tournaments.web.pages.conftest import World, signed_in
from tournaments.core.csv_text import csv_cell, csv_of, without_guard
from tournaments.features.events.lifecycle import release_round
from tournaments.models import MatchSet, User

pytestmark = pytest.mark.django_db


def rows_of(path: str, user: User | None = None) -> list[dict[str, str]]:
    answer = signed_in(user).get(path)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8")
    assert "private" in answer["Cache-Control"]
    return list(csv.DictReader(StringIO(answer.content.decode("utf-8-sig"))))


def test_no_text_is_taken_for_a_formula_and_numbers_stay_numbers() -> None:
    text = csv_of(["a", "b"], [["=1+1", -1.5], ["@name", True], ['say "a, b"', None], ["Zoë", 2]])
    assert text.splitlines() == ["\ufeffa,b", "'=1+1,-1.5", "'@name,true", '"say ""a, b""",', "Zoë,2"]


@given(st.text(alphabet="'=+-@＝\t\r\n ab1", max_size=6))
def test_a_cell_is_no_formula_and_is_read_back_as_it_was(text: str) -> None:
    cell = csv_cell(text)
    assert isinstance(cell, str)
    assert cell[:1] not in {*"=+-@＝\t\r\n"}
    assert without_guard(cell) == text


def test_the_standings_are_those_of_the_api(pages_world: World) -> None:
    pages_world.owner.username = "@olga"
    pages_world.owner.save()
    lines = rows_of("/ladders/arena/standings.csv")
    shown = signed_in(None).get("/api/v1/ladders/arena/standings").json()["standings"]
    assert [line["bot"] for line in lines] == [line["bot"] for line in shown]
    assert [float(line["elo"]) for line in lines] == [line["elo"] for line in shown]
    assert list(lines[0]) == list(shown[0])
    assert {line["owner"] for line in lines} == {"'@olga", "otto", "theo"}


def test_an_event_has_a_row_for_each_place_and_each_seat() -> None:
    event = play_out(a_running(3, ROBIN))
    places = rows_of(f"/events/{event.slug}/placings.csv")
    assert [row["place"] for row in places] == ["1", "2", "3"]
    first = event.entrants.select_related("bot__owner").get(place=1).bot
    assert (places[0]["bot"], places[0]["owner"]) == (first.name, first.owner.username)
    assert rows_of(f"/events/{event.slug}/placings.csv?stage=none") == []
    seats = rows_of(f"/events/{event.slug}/matches.csv")
    assert len(seats) == 2 * sum(match_set.matches.count() for match_set in event.sets.all())
    assert {row["place"] for row in seats} == {"1", "2"}
    for path in (f"/events/{event.slug}/placings.csv?stage={places[0]['stage']}", f"/events/{event.slug}/matches.csv"):
        assert path in signed_in(None).get(f"/events/{event.slug}/").content.decode()


def test_what_is_held_back_is_in_no_file() -> None:
    event = play_out(a_running(4, KNOCKOUT, released=0))
    played = event.entrants.get(place=1).bot
    paths = (f"/events/{event.slug}/matches.csv", f"/bots/{played.pk}/matches.csv")
    for user in (None, played.owner, a_user()):
        assert {row["points"] for row in rows_of(f"/events/{event.slug}/placings.csv", user)} == {"0.0"}
        assert [rows_of(path, user) for path in paths] == [[], []]
    assert {row["round"] for row in rows_of(paths[0], an_organiser())} == {"1", "2"}
    release_round(event=event, by=an_organiser())
    assert {row["round"] for row in rows_of(paths[0])} == {"1"}


def test_the_latest_matches_of_a_bot_and_its_friendly_sets(pages_world: World) -> None:
    matches = rows_of(f"/bots/{pages_world.bot.pk}/matches.csv")
    assert {row["match"] for row in matches} == {str(match.pk) for match in pages_world.set.matches.all()}
    assert {row["ladder"] for row in matches} == {"arena"}
    assert rows_of(f"/bots/{pages_world.bot.pk}/series.csv") == []
    typed = {"ladder": "arena", "against": "rook, Thistle", "sets": "2"}
    signed_in(pages_world.owner).post(f"/bots/{pages_world.bot.pk}/friendly/", typed)
    rows = rows_of(f"/bots/{pages_world.bot.pk}/series.csv")
    asked = MatchSet.objects.filter(asked_by=pages_world.owner).order_by("-pk")
    assert [row["set"] for row in rows] == [str(match_set.pk) for match_set in asked]
    assert [row["status"] for row in rows] == ["open", "open"]
    assert "series.csv" in signed_in(None).get(f"/bots/{pages_world.bot.pk}/series/").content.decode()
