"""Dumps as they are served: pages, files by ranges, and only what the manifest names."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.tournaments.web.api.world import World
from tests.tournaments.web.pages.html import Html
from tournaments.ledger.dumps.dump import dump
from tournaments.web.pages.ranges import NotThere, wanted_range

pytestmark = pytest.mark.django_db
SEATS = "/data/main/seats.parquet"


@pytest.fixture
def dumped(api_world: World, tmp_path: Path, settings: Any) -> dict[str, Any]:
    settings.DUMPS = tmp_path
    return {file["name"]: file for file in dump(api_world.ladder, tmp_path).manifest["files"]}


def body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else bytes(answer.content)


def test_the_pages_lead_to_every_file(dumped: dict[str, Any]) -> None:
    index, page = (Html(Client().get(path).content.decode()) for path in ("/data/", "/data/main/"))
    assert (index.faults(), page.faults()) == ([], [])
    assert "/data/main/" in [link["href"] for link in index.all("a")]
    linked = [link["href"].rpartition("/")[2] for link in page.all("a") if "download" in link]
    assert sorted(linked) == sorted([*dumped, "manifest.json"])


def test_a_file_comes_whole_with_its_hash_as_its_etag(dumped: dict[str, Any], tmp_path: Path) -> None:
    answer, file = Client().get(SEATS), dumped["seats.parquet"]
    data = body(answer)
    assert data == (tmp_path / "main" / file["stored"]).read_bytes()
    assert (answer["ETag"], answer["Accept-Ranges"]) == (f'"{file["sha256"]}"', "bytes")
    assert (answer["Content-Type"], answer["Content-Length"]) == ("application/vnd.apache.parquet", str(len(data)))
    assert answer["Access-Control-Allow-Origin"] == "*"
    head = Client().head(SEATS)
    assert (head["Content-Length"], head.content) == (str(len(data)), b"")


def test_a_download_goes_on_where_it_broke_off(dumped: dict[str, Any]) -> None:
    complete = Client().get(SEATS)
    data, etag = body(complete), complete["ETag"]
    partial = Client().get(SEATS, headers={"Range": "bytes=100-", "If-Range": etag})
    assert (partial.status_code, body(partial)) == (206, data[100:])
    assert partial["Content-Range"] == f"bytes 100-{len(data) - 1}/{len(data)}"
    newer = Client().get(SEATS, headers={"Range": "bytes=100-", "If-Range": '"of another dump"'})
    assert (newer.status_code, body(newer)) == (200, data)
    assert Client().get(SEATS, headers={"If-None-Match": etag}).status_code == 304
    beyond = Client().get(SEATS, headers={"Range": f"bytes={len(data)}-"})
    assert (beyond.status_code, beyond["Content-Range"]) == (416, f"bytes */{len(data)}")


@pytest.mark.parametrize(
    ("header", "range_"),
    [
        ("", None),
        ("bytes=0-0", (0, 0)),
        ("bytes=2-5", (2, 5)),
        ("bytes=2-99", (2, 9)),
        ("bytes=-3", (7, 9)),
        ("bytes=-99", (0, 9)),
        ("bytes=9-", (9, 9)),
        ("bytes=5-2", None),
        ("bytes=0-1,3-4", None),
        ("bytes=-", None),
        ("lines=0-1", None),
    ],
)
def test_which_bytes_a_range_means(header: str, range_: tuple[int, int] | None) -> None:
    assert wanted_range(header, 10) == range_


@pytest.mark.parametrize("header", ["bytes=10-", "bytes=-0", "bytes=10-20"])
def test_a_range_behind_the_end(header: str) -> None:
    with pytest.raises(NotThere):
        wanted_range(header, 10)


@pytest.mark.parametrize("name", ["lock", "parts", "..%2Fmanifest.json", "seats", "manifest.json.partial"])
def test_nothing_is_served_but_what_the_manifest_names(name: str, dumped: dict[str, Any]) -> None:
    assert Client().get(f"/data/main/{name}").status_code == 404


def test_the_stored_name_of_a_file_is_no_address(dumped: dict[str, Any]) -> None:
    assert Client().get(f"/data/main/{dumped['seats.parquet']['stored']}").status_code == 404


def test_the_manifest_and_the_croissant_are_there(dumped: dict[str, Any]) -> None:
    assert body(Client().get("/data/main/manifest.json")).startswith(b'{\n "boardroom_dump": 1')
    assert Client().get("/data/main/croissant.json")["Content-Type"] == "application/ld+json"
