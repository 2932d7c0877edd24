"""Answers are short: packed for who accepts it, and not sent again to who has the same."""

import gzip
import json
from collections.abc import Callable

import brotli
import pytest
from django.test import Client

from tests.tournaments.web.api.world import World

pytestmark = pytest.mark.django_db
PATH = "/api/v1/matches?page_size=50"
LONG = "/api/v1/schema/"  # enough to be packed
PACKED = {"Accept-Encoding": "deflate, gzip, br"}


@pytest.mark.parametrize(
    ("accepted", "coding", "unpack"),
    [
        (PACKED["Accept-Encoding"], "br", brotli.decompress),
        ("gzip, br;q=0", "gzip", gzip.decompress),
        ("gzip", "gzip", gzip.decompress),
    ],
)
def test_json_is_packed_as_a_client_accepts_it(
    api_world: World, accepted: str, coding: str, unpack: Callable[[bytes], bytes]
) -> None:
    plain, packed = Client().get(LONG), Client().get(LONG, headers={"Accept-Encoding": accepted})
    assert unpack(packed.content) == plain.content
    assert packed["Content-Encoding"] == coding
    assert int(packed["Content-Length"]) == len(packed.content)
    assert "Accept-Encoding" in packed["Vary"]


def test_json_is_not_packed_for_who_refuses_it(api_world: World) -> None:
    refused = Client().get(LONG, headers={"Accept-Encoding": "gzip;q=0"})
    assert not refused.has_header("Content-Encoding")


def test_who_has_it_already_is_told_so(api_world: World) -> None:
    first = Client().get(PATH)
    again = Client().get(PATH, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    packed = Client().get(PATH, headers=PACKED)
    assert packed["ETag"] == first["ETag"]
    assert json.loads(first.content)["results"]


def test_nothing_is_packed_for_who_is_signed_in_by_a_cookie(api_world: World) -> None:
    client = Client()
    client.force_login(api_world.owner)
    assert not client.get(LONG, headers=PACKED).has_header("Content-Encoding")
