"""The page and the endpoint: who may see a ladder sees its report, and each says the same."""

import pytest
from django.test import Client

from tests.factories import a_ladder, a_user
from tests.tournaments.features.fairness.test_reports import made, rated
from tests.tournaments.web.pages.html import Html
from tournaments.models import FairnessReport, Ladder, Space

pytestmark = pytest.mark.django_db

BANDS = [[0.5, 0.55, 0.56, 0.017, 398]]
CHECKS = [
    {"name": "deals", "state": "found", "has": 600, "needs": 1},
    {"name": "foretold", "state": "ok", "has": 540, "needs": 200},
    {"name": "halves", "state": "ok", "has": 20, "needs": 5},
    {"name": "gate", "state": "waits", "has": 60, "needs": 200, "values": {}},
    {"name": "refit", "state": "skipped", "has": 600, "needs": 1, "values": {}},
    {"name": "twins", "state": "ok", "has": 120, "needs": 8, "values": {"apart": 12.4, "error": 28.2, "most": 92.9}},
]
VALUES = (
    {"rated": 598, "open": 1, "removed": 0, "void": [4, 9], "missing": [3], "links": 1},
    {"slope": 0.977, "within": 0.076, "bands": BANDS},
    {"correlation": 0.99, "apart": 24.5, "expected": 23.3, "chance": 0.25},
)


def reported(ladder: Ladder) -> FairnessReport:
    checks = [{"values": values} | check for values, check in zip((*VALUES, {}, {}, {}), CHECKS, strict=True)]
    return FairnessReport.objects.create(ladder=ladder, sets=600, checks=checks, seconds=1.0)


def page_of(ladder: Ladder, client: Client | None = None, language: str = "en") -> str:
    headers = {"accept-language": language}
    return Html((client or Client()).get(f"/ladders/{ladder.slug}/fair/", headers=headers).content.decode()).text


def test_a_ladder_without_a_report_says_when_there_is_one() -> None:
    ladder = a_ladder()
    assert "The first comes soon after the first rated set." in page_of(ladder)
    answer = Client().get(f"/api/v1/ladders/{ladder.slug}/fairness").json()
    assert answer == {"ladder": ladder.slug, "report": None}


def test_the_verdict_comes_first_and_each_check_says_what_it_cannot_find() -> None:
    reported(ladder := a_ladder())
    text = page_of(ladder)
    assert "Checks that found something in 600 sets: 1. Checks that need more games: 1." in text
    assert "Voided: 4, 9. Missing: 3; links without a set: 1." in text
    assert "0.98, known within 0.08" in text
    assert "24 Elo apart, 23 expected; by luck as much in 25 %" in text
    assert "60 so far" in text
    assert "12 Elo apart, with an error of 28; by luck at most 93" in text
    assert "A ledger that is false, or rules that are." in text
    assert "56 ±2 %" in text


def test_one_set_is_a_set_and_not_sets() -> None:
    made(ladder := rated())
    FairnessReport.objects.update(sets=1)
    assert "Nothing found in 1 set. " in page_of(ladder)
    assert "In 1 Satz wurde nichts gefunden. " in page_of(ladder, language="de")


def test_it_is_said_in_german() -> None:
    reported(ladder := a_ladder())
    text = page_of(ladder, language="de")
    assert "0,98, auf 0,08 genau" in text
    assert "Seed-Kette" in text


def test_the_report_of_a_real_ladder_finds_nothing_and_the_ladder_links_to_it() -> None:
    made(ladder := rated())
    assert "Nothing found in 2 sets. Checks that need more games: 4." in page_of(ladder)
    checks = Client().get(f"/api/v1/ladders/{ladder.slug}/fairness").json()["report"]["checks"]
    assert [check["state"] for check in checks] == ["ok", "ok", "ok", *["waits"] * 4, "absent"]
    assert f'"/ladders/{ladder.slug}/fair/"' in Client().get(f"/ladders/{ladder.slug}/").content.decode()


def test_only_who_may_see_a_ladder_sees_its_report() -> None:
    ladder = a_ladder(space=Space.objects.create(slug="closed", title="Closed"))
    reported(ladder)
    stranger = Client()
    stranger.force_login(a_user())
    for client in (Client(), stranger):
        assert client.get(f"/ladders/{ladder.slug}/fair/").status_code == 404
        assert client.get(f"/api/v1/ladders/{ladder.slug}/fairness").status_code == 404
