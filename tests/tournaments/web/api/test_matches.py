import gzip
import json
from hashlib import sha256

import pytest

from engine.replay import read_replay, verify
from tests.factories import a_completed_set, a_user, a_version
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.api.world import World
from tournaments.features.stories.steps import keep_headlines
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Match, MatchSet

pytestmark = pytest.mark.django_db


def an_open_match(world: World) -> Match:
    played = create_set(ladder=world.ladder, versions=[world.version.pk, world.rivals.pk])
    return played.matches.order_by("turn")[0]


def test_a_match_tells_who_sat_where_and_how_it_went(api_world: World) -> None:
    match = ask("GET", f"matches/{api_world.match.pk}").json()
    assert match.items() >= {"ladder": "main", "set": 1, "status": "done", "set_status": "complete"}.items()
    won = next(seat for seat in match["seats"] if seat["bot"] == "Analytical")
    assert won.items() >= {"owner": "ada", "version": 1, "place": 1, "verdict": "ok", "forfeited": False}.items()
    assert (won["cpu_ms"], won["memory_mb"]) == (1.5, 12.5)
    assert [seat["seat"] for seat in match["seats"]] == [0, 1]
    assert [attempt["outcome"] for attempt in match["attempts"]] == ["recorded"]


def test_a_match_has_its_headline_in_the_language_that_is_asked_for(api_world: World) -> None:
    assert ask("GET", f"matches/{api_world.match.pk}").json()["story"] is None  # nobody has kept it yet
    assert ask("GET", f"matches/{an_open_match(api_world).pk}").json()["story"] is None
    while keep_headlines():
        pass
    path = f"matches/{api_world.match.pk}"
    story = ask("GET", path).json()["story"]
    assert story.startswith("Analytical wins: Difference forfeited in ")
    listed = {row["id"]: row["story"] for row in ask("GET", "matches").json()["results"]}
    assert listed[api_world.match.pk] == story
    german = ask("GET", path, accept_language="de-AT, en;q=0.5")
    assert "Analytical gewinnt: " in german.json()["story"]
    assert "Accept-Language" in german["Vary"]
    assert ask("GET", path, accept_language="x" * 5000).json()["story"] == story


def test_the_seed_is_sealed_until_the_whole_set_is_over(api_world: World) -> None:
    waiting = ask("GET", f"matches/{an_open_match(api_world).pk}", api_world.owner).json()
    assert waiting["seed"] is None
    assert len(waiting["commitment"]) == 64
    over = ask("GET", f"matches/{api_world.match.pk}").json()
    assert over["seed"] == MatchSet.objects.get(pk=api_world.set.pk).seed


def test_matches_are_found_by_ladder_bot_version_and_status(api_world: World) -> None:
    newer = a_version(api_world.bot)
    later = a_completed_set(api_world.ladder, [newer, api_world.rivals])
    an_open_match(api_world)

    def ids(query: str) -> set[int]:
        return {row["id"] for row in ask("GET", f"matches?{query}").json()["results"]}

    first, second = (set(played.matches.values_list("pk", flat=True)) for played in (api_world.set, later))
    assert ids("ladder=main") == ids(f"bot={api_world.bot.pk}") == ids("") > first | second
    assert ids("status=done") == first | second
    assert ids(f"version={newer.pk}") == second
    assert ids(f"bot={api_world.rival.pk}&version={api_world.version.pk}&status=done") == first


def test_the_newest_match_comes_first_and_checks_are_no_matches_of_a_ladder(api_world: World) -> None:
    ids = [row["id"] for row in ask("GET", "matches", api_world.owner).json()["results"]]
    assert ids == sorted(api_world.set.matches.values_list("pk", flat=True), reverse=True)


@pytest.mark.parametrize(
    "query", ["status=lost", "bot=x", "bot=0", "version=-1", "colour=red", "ladder=%00", "before=0"]
)
def test_a_filter_that_means_nothing_is_refused(query: str) -> None:
    assert refused(ask("GET", f"matches?{query}")) == (400, "invalid")


def test_a_filter_by_what_is_not_there_says_so() -> None:
    assert refused(ask("GET", "matches?bot=9")) == (404, "unknown_bot")
    assert refused(ask("GET", "matches?version=9")) == (404, "unknown_version")
    assert refused(ask("GET", "matches/9")) == (404, "unknown_match")
    assert refused(ask("GET", f"matches/{10**30}")) == (404, "unknown_match")
    assert refused(ask("GET", f"matches/{'9' * 5000}")) == (404, "unknown_address")


def test_a_replay_comes_gzipped_or_plain_and_verifies(api_world: World) -> None:
    packed = ask("GET", f"matches/{api_world.match.pk}/replay", **{"Accept-Encoding": "br, gzip"})
    plain = ask("GET", f"matches/{api_world.match.pk}/replay", **{"Accept-Encoding": "gzip;q=0, identity"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert "Content-Encoding" not in plain.headers
    assert f"zaibatsu-match-{api_world.match.pk}.json" in plain["Content-Disposition"]
    assert "Accept-Encoding" in plain["Vary"]
    verify(read_replay(plain.content))
    assert plain["ETag"] == f'W/"{json.loads(plain.content)["digest"]}"'


def test_a_replay_never_changes_and_is_not_sent_twice(api_world: World) -> None:
    first = ask("GET", f"matches/{api_world.match.pk}/replay")
    assert first["Cache-Control"] == "public, max-age=31536000, immutable"
    again = ask("GET", f"matches/{api_world.match.pk}/replay", **{"If-None-Match": f'"x", {first["ETag"]}'})
    assert (again.status_code, again.content) == (304, b"")


def test_no_replay_of_a_set_that_is_still_played(api_world: World) -> None:
    match = an_open_match(api_world)
    for asker in (None, api_world.owner, a_user(staff=True)):
        assert refused(ask("GET", f"matches/{match.pk}/replay", asker)) == (409, "set_still_open")


def test_a_match_is_sent_again_only_when_it_changed_for_who_asks(api_world: World) -> None:
    path = f"matches/{api_world.match.pk}"
    etag = ask("GET", path)["ETag"]
    assert ask("GET", path, **{"If-None-Match": etag}).content == b""
    other = ask("GET", path, api_world.other, **{"If-None-Match": etag})
    assert (other.status_code, other.json()["id"]) == (200, api_world.match.pk)


def test_the_check_of_a_version_is_its_owners_to_look_at(api_world: World) -> None:
    check = ask("GET", f"bots/{api_world.bot.pk}/versions/1", api_world.owner).json()["check_match"]
    assert ask("GET", f"matches/{check}", api_world.owner).json()["ladder"] is None
    replay = ask("GET", f"matches/{check}/replay", api_world.owner)
    assert replay["Cache-Control"].startswith("private")
    for path in (f"matches/{check}", f"matches/{check}/replay"):
        assert refused(ask("GET", path)) == refused(ask("GET", path, api_world.other)) == (404, "unknown_match")


def test_bundles_have_the_hash_they_are_asked_by(api_world: World) -> None:
    bundle = api_world.version.bundle_id
    first = ask("GET", f"bundles/{bundle}", api_world.owner)
    assert sha256(first.content).hexdigest() == bundle
    again = ask("GET", f"bundles/{bundle}", api_world.owner, **{"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
