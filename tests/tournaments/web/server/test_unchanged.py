"""Who has the same already is told so, whatever serves it and however proxies have written the tag."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from bots.command.wheel import wheel
from tests.factories import a_ladder
from tests.tournaments.web.api.world import World, a_world
from tournaments.ledger.dumps.dump import dump
from tournaments.models import User
from tournaments.web.server.unchanged import holds

PATHS = (
    "/api/v1/ladders/main/standings",
    "/api/v1/matches/{match}",
    "/api/v1/matches/{match}/replay",
    "/api/v1/schema/",
    "/data/main/seats.parquet",
    "/data/main/manifest.json",
    "/kit/version.json",
    "/kit/{wheel}",
    "/static/boardroom/viewer.js",
    "/docs/",
    "/docs/api/",
    "/docs/files/pictures/match.png",
    "/robots.txt",
    "/kit/",
    "/kit/boardroom-kit/",
    "/ladders/main/standings.csv",
    "/feeds/ladders/main/",
    "/feeds/bots/{bot}/",
    "/feeds/people/ada/key/",
)


@pytest.fixture
def paths(db: None, tmp_path: Path, settings: Any) -> list[str]:
    world: World = a_world()
    settings.DUMPS = tmp_path
    dump(world.ladder, tmp_path)
    User.objects.filter(pk=world.owner.pk).update(feed_key="key")
    named = {"match": world.match.pk, "wheel": wheel(settings.ROOT).name, "bot": world.bot.pk}
    return [path.format(**named) for path in PATHS]


def body_of(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else bytes(answer.content)


def test_every_address_with_a_tag_knows_it_again(paths: list[str]) -> None:
    for path in paths:
        first = Client().get(path)
        assert (first.status_code, len(body_of(first)) > 0) == (200, True), path
        bare = first["ETag"].removeprefix("W/")
        for tags in (bare, f"W/{bare}", f'"other", W/{bare}', f'W/"x",{bare}', "*", " * "):
            for method in (Client().get, Client().head):
                again = method(path, headers={"If-None-Match": tags})
                assert (again.status_code, again["ETag"], body_of(again)) == (304, first["ETag"], b""), (path, tags)
                assert not {"Content-Type", "Content-Length", "Content-Encoding"} & again.headers.keys()
        other = Client().get(path, headers={"If-None-Match": 'W/"other"'})
        assert (other.status_code, len(body_of(other)) > 0) == (200, True), path


def test_a_script_of_another_site_may_read_that_nothing_changed(paths: list[str]) -> None:
    tag = Client().get("/data/main/seats.parquet")["ETag"]
    again = Client().get("/data/main/seats.parquet", headers={"If-None-Match": f"W/{tag}", "Range": "bytes=1-"})
    assert (again.status_code, again["Access-Control-Allow-Origin"]) == (304, "*")


@pytest.mark.parametrize(
    ("header", "expected"),
    [('"a"', True), ('W/"a"', True), ('"b", W/"a"', True), ("*", True), ('"b"', False), ("", False), ("a", False)],
)
def test_tags_are_compared_weakly(header: str, expected: bool) -> None:
    assert holds(header, '"a"') == holds(header, 'W/"a"') == expected


@pytest.mark.django_db
def test_a_feed_names_its_own_address_and_an_empty_one_stays_as_it_is(settings: Any) -> None:
    settings.SITE_URL = "https://board.example"
    a_ladder("quiet")
    first, again = (Client().get("/feeds/ladders/quiet/") for _ in range(2))
    assert (first.content, first["ETag"]) == (again.content, again["ETag"])
    link = '<link href="https://board.example/feeds/ladders/quiet/" rel="self">'
    assert link in first.content.decode().replace("></link>", ">").replace("/>", ">")
