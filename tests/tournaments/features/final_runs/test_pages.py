"""A final run at the desk, on its ladder's page and in the API."""

import pytest
from django.test import Client

from tests.factories import a_user
from tests.seasons import a_season, play_on
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.test_desk import errors, filled, see
from tournaments.features.final_runs.steps import continue_runs
from tournaments.models import Act, FinalRun, Ladder

pytestmark = pytest.mark.django_db
PATH = "/desk/acts/final_run/"


@pytest.fixture
def organiser() -> Client:
    return signed_in(a_user("anna", staff=True))


def test_it_is_begun_at_the_desk_as_it_was_shown_and_everybody_sees_how_it_goes(organiser: Client) -> None:
    ladder, versions = a_season(4)
    typed = {"ladder": ladder.slug, "borders": "2, 1", "sets_at_most": "30", "reason": "The season ends."}
    preview = see(organiser, PATH, typed)
    for words in (
        "Only sets dealt while it is frozen count",
        "What it would do",
        "the ladder closes by itself",
        "nobody can have prepared",
    ):
        assert words in preview
    assert not FinalRun.objects.exists()
    assert organiser.post(PATH, filled(preview) | {"do": "yes"})["Location"] == f"/desk/ladders/{ladder.slug}/"
    page = see(Client(), f"/ladders/{ladder.slug}/")
    assert "A final run is under way for the borders after places 1 and 2: 0 of at most 30 sets" in page
    assert "In a final run only bots near its borders play." in page
    assert "End the final run" in see(organiser, f"/desk/ladders/{ladder.slug}/")
    for _ in range(16):
        continue_runs()
        play_on(ladder, versions, fair=False)
    page = see(Client(), f"/ladders/{ladder.slug}/")
    assert "The final run for the borders after places 1 and 2 played all 30 sets that it was allowed." in page
    assert " are not surely told apart: " in page
    assert "its final run is over: all the sets that it was allowed are played" in see(Client(), "/audit/")


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        ({"borders": "3;\u00a0two"}, "borders", "'two' is not a whole number; write for example 3, 10."),
        ({"borders": "1, "}, "borders", "'' is not a whole number"),
        ({"borders": ""}, "borders", "This field is required."),
        ({"borders": "9" * 30}, "borders", "is not a whole number"),
        ({"borders": "0"}, "borders", "There is no border after place 0"),
        ({"borders": "7"}, "borders", "with 3 bots in the table, it is 1 to 2."),
        ({"sets_at_most": "10001"}, "sets_at_most", "a run may have 1 to 10,000 sets"),
        ({"sets_at_most": "0"}, "sets_at_most", "greater than or equal to 1"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_typed_is_lost(
    typed: dict[str, str], field: str, words: str, organiser: Client
) -> None:
    ladder, _ = a_season(3, rounds=1)
    sent = {"ladder": ladder.slug, "borders": "1", "sets_at_most": "9", "reason": "Typed with care."} | typed
    page = see(organiser, PATH, sent)
    assert words in errors(page)[field]
    kept = filled(page)
    assert {name: kept[name] for name in sent} == sent


def test_programs_begin_and_end_it_and_read_how_it_goes() -> None:
    ladder, _ = a_season(3)
    olga = a_user("olga", staff=True)
    body = {"ladder": ladder.slug, "borders": [1, 2], "sets_at_most": 30, "reason": "The season ends."}
    assert refused(ask("POST", "acts/final_run", a_user(), body)) == (403, "not_yours")
    for wrong, refusal in (
        ({"borders": []}, (400, "bad_borders")),
        ({"borders": [0]}, (400, "bad_borders")),
        ({"borders": ["1"]}, (400, "invalid")),
        ({"borders": "1"}, (400, "invalid")),
        ({"sets_at_most": 0}, (400, "invalid")),
        ({"sets_at_most": 10**6}, (400, "bad_sets_at_most")),
    ):
        assert refused(ask("POST", "acts/final_run", olga, body | wrong)) == refusal
    assert ask("GET", f"ladders/{ladder.slug}").json()["final_run"] is None
    assert ask("POST", "acts/final_run", olga, body | {"preview": True}).json()["act"] is None
    act = ask("POST", "acts/final_run", olga, body).json()["act"]
    assert refused(ask("POST", "acts/final_run", olga, body)) == (409, "final_run_under_way")
    run = ask("GET", f"ladders/{ladder.slug}").json()["final_run"]
    assert (run["state"], run["borders"], run["sets"], run["act"]) == ("running", [1, 2], 0, act["number"])
    assert {"after", "decided", "above", "below", "likely", "pairs"} <= set(run["judged"][0])
    assert ask("POST", "acts/cancel_final_run", olga, {"ladder": ladder.slug, "reason": "Rain."}).status_code == 201
    assert refused(ask("POST", "acts/cancel_final_run", olga, {"ladder": ladder.slug, "reason": "x"}))[0] == 409
    assert ask("GET", "ladders").json()["results"][0]["final_run"]["state"] == "cancelled"
    assert (Ladder.objects.get().status, Act.objects.filter(kind="cancel_final_run").count()) == ("frozen", 1)
