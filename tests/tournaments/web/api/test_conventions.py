"""What programs expect of any API: bearer tokens, problem details, rate limits, other sites, forward cursors."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import a_completed_set, a_user
from tests.tournaments.web.api.asking import ask, refused, strict_document
from tests.tournaments.web.api.world import World
from tournaments.core.accounts.api_tokens import make_token
from tournaments.models import Match
from tournaments.web.api import throttles
from tournaments.web.server.request_rates import Rate

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "Token", "token"])
def test_a_token_is_sent_as_bearer_or_as_token(scheme: str) -> None:
    secret = make_token(user=a_user("ada"), name="laptop")
    assert ask("GET", "", f"{scheme} {secret}").json()["user"] == "ada"
    assert refused(ask("GET", "account", f"{scheme} wrong")) == (401, "bad_token")


def test_a_refusal_is_problem_details_and_keeps_its_code_and_sentence() -> None:
    answer = ask("GET", "matches?page_size=0")
    problem = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    assert (problem["code"], problem["status"], problem["title"]) == ("bad_page_size", 400, "Bad page size")
    assert problem["type"] == "/docs/api/?code=bad_page_size#refusals"
    assert refused(ask("GET", "nothing"))[1] == "unknown_address"
    assert ask("GET", "matches?status=x").json()["fields"].keys() == {"status"}


def test_a_body_too_large_is_refused_in_the_same_shape() -> None:
    answer = ask("POST", "bots", a_user(), {"name": "x" * 70_000})
    assert (refused(answer), answer["Content-Type"]) == ((413, "too_large"), "application/problem+json")


def test_every_answer_tells_what_is_left_of_each_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttles, "ANONYMOUS", Rate("anonymous", 2, 100))
    left, back = [], 0
    for _ in range(3):
        answer = ask("GET", "bots")
        assert answer["RateLimit-Policy"] == '"anonymous";q=2;w=100'
        match = re.fullmatch(r'"anonymous";r=(\d+);t=(\d+)', answer["RateLimit"])
        assert match
        left.append(int(match[1]))
        back = int(match[2])
    assert left == [1, 0, 0]
    assert answer.status_code == 429
    assert 1 <= back <= int(answer["Retry-After"]) <= 51


def test_an_upload_tells_of_both_of_its_rates(api_world: World) -> None:
    path = f"bots/{api_world.bot.pk}/versions"
    answer = ask("POST", path, api_world.owner, b"", kind="application/octet-stream")
    assert answer["RateLimit-Policy"] == '"user";q=600;w=60, "upload";q=30;w=3600'


def test_what_caches_keep_tells_nothing_of_a_rate(api_world: World) -> None:
    answer = ask("GET", f"matches/{api_world.match.pk}/replay")
    assert "public" in answer["Cache-Control"]
    assert "RateLimit" not in answer


def test_scripts_of_other_sites_read_what_everybody_may_and_nothing_else(api_world: World) -> None:
    for path in ("matches", f"matches/{api_world.match.pk}/replay", "nothing"):
        assert ask("GET", path)["Access-Control-Allow-Origin"] == "*", path
    answers = [ask("GET", "account", api_world.owner), ask("POST", "tokens", body={}), ask("OPTIONS", "matches")]
    assert [answer.headers.get("Access-Control-Allow-Origin") for answer in answers] == [None] * 3
    assert "Access-Control-Allow-Credentials" not in ask("GET", "matches")


def aged(*matches: Match) -> None:
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(created_at=timezone.now() - timedelta(hours=1))


def test_who_goes_forward_meets_every_match_once_whatever_comes_in(api_world: World) -> None:
    aged(*Match.objects.all())
    address, seen = "/api/v1/matches?since=0&page_size=1", list[int]()
    while address:
        page = ask("GET", address).json()
        seen += [row["id"] for row in page["results"]]
        address = page["next"]
        if len(seen) == 1:
            aged(*a_completed_set(api_world.ladder, [api_world.version, api_world.rivals]).matches.all())
    assert seen == sorted(Match.objects.filter(set__checks=None).values_list("pk", flat=True))
    assert ask("GET", f"matches?since={seen[-1]}").json() == {"results": [], "next": None}


def test_a_match_that_was_just_dealt_is_not_passed_on_the_way_forward(api_world: World) -> None:
    Match.objects.update(created_at=timezone.now())  # what comes before a test may have taken its time
    assert ask("GET", "matches?since=0").json()["results"] == []
    assert len(ask("GET", "matches").json()["results"]) == 2
    assert refused(ask("GET", "matches?since=0&before=9")) == (400, "invalid")


def test_matches_are_found_by_when_they_were_dealt_and_recorded(api_world: World) -> None:
    old, new = api_world.set.matches.order_by("turn")
    aged(old)
    hour = (timezone.now() - timedelta(minutes=30)).isoformat().replace("+00:00", "Z")

    def ids(**query: str) -> list[int]:
        text = "&".join(f"{name}={value}" for name, value in query.items())
        return [row["id"] for row in ask("GET", f"matches?{text}").json()["results"]]

    assert ids(created_before=hour) == [old.pk]
    assert ids(created_after=hour) == [new.pk]
    assert ids(recorded_after=hour) == [new.pk, old.pk]
    assert ids(recorded_before=hour) == []
    assert refused(ask("GET", "matches?created_after=yesterday")) == (400, "invalid")


def test_the_schema_says_of_slugs_hashes_games_and_verdicts_what_they_can_be() -> None:
    schemas = strict_document()["components"]["schemas"]
    match, seat = (schemas[name]["properties"] for name in ("MatchDetail", "Seat"))
    assert match["ladder"]["pattern"] == r"^[-a-zA-Z0-9_]+$"
    assert match["commitment"]["pattern"] == r"^[0-9a-f]{64}$"
    assert "components/schemas/Game" in str(match["game"])
    assert "zaibatsu" in schemas["Game"]["enum"]
    assert "components/schemas/Verdict" in str(seat["verdict"])
    assert "timed out" in schemas["Verdict"]["enum"]
