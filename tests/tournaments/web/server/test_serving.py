"""What is not a stream: Django behind the front, as browsers and strangers meet it."""

import gzip
from contextlib import closing
from http.client import HTTPConnection

import pytest
from django.db import connection
from django.test import Client

from tests.factories import a_ladder, a_user
from tests.tournaments.web.server.stand import Stand
from tournaments.models import Ladder
from tournaments.web.server.database_gate import LONGEST, bound_statements

FORM = b"------x\r\nContent-Disposition: form-data; name=a\r\n\r\n%s\r\n------x--\r\n"
MULTIPART = "multipart/form-data; boundary=----x"


def test_a_body_within_the_limit_reaches_django_and_a_larger_one_is_refused(stand: Stand) -> None:
    for size, status in ((255 << 10, 403), (257 << 10, 413)):  # 403: the form has no token, so it was read
        answer, page = stand.ask("/sign-in/", "POST", FORM % bytes(size), Content_Type=MULTIPART)
        assert answer.status == status
        assert b"<h1" in page


def test_a_body_without_a_length_is_bounded_too(stand: Stand) -> None:
    for size, status in ((1 << 10, 403), (300 << 10, 413)):
        chunk = b"%x\r\n%s\r\n0\r\n\r\n" % (size, bytes(size))
        answer, _ = stand.ask("/sign-in/", "POST", chunk, Transfer_Encoding="chunked")
        assert answer.status == status


def test_head_has_the_headers_and_no_body(stand: Stand) -> None:
    answer, body = stand.ask("/", "HEAD")
    assert (answer.status, body) == (200, b"")
    assert int(answer.headers["Content-Length"]) > 1000


def test_a_header_with_an_underscore_passes_for_no_other(stand: Stand) -> None:
    """Metrics are told to this very machine, though not through a proxy; a header in disguise is not one."""
    with closing(HTTPConnection("127.0.0.1", stand.port)) as line:
        for header, status in (("X-Forwarded-For", 404), ("X_Forwarded_For", 200)):
            line.request("GET", "/metrics", headers={header: "10.0.0.1"})
            answer = line.getresponse()
            answer.read()
            assert answer.status == status


def test_a_long_download_arrives_whole(stand: Stand) -> None:
    answer, schema = stand.ask("/api/v1/schema/", Accept="application/json")
    assert answer.status == 200
    assert len(schema) > 64 << 10
    assert schema.rstrip().endswith(b"}")


def test_a_public_page_is_packed_and_not_sent_twice(stand: Stand) -> None:
    ladder = a_ladder(title="Arena")
    answer, packed = stand.ask(f"/ladders/{ladder.slug}/", Accept_Encoding="gzip")
    assert b"Arena" in gzip.decompress(packed)
    again, body = stand.ask(f"/ladders/{ladder.slug}/", If_None_Match=answer.headers["ETag"])
    assert (again.status, body) == (304, b"")
    for path in ("/docs/api/", "/kit/version.json", "/static/boardroom/viewer.js", f"/feeds/ladders/{ladder.slug}/"):
        tag = stand.ask(path)[0].headers["ETag"].removeprefix("W/")
        for tags in (tag, f"W/{tag}", f'"x", W/{tag}', "*"):
            again, body = stand.ask(path, If_None_Match=tags)
            assert (again.status, body) == (304, b""), (path, tags)


def test_a_page_is_kept_for_a_moment_for_strangers_alone(stand: Stand) -> None:
    ladder, person = a_ladder(title="Before"), a_user("olga")
    client = Client()
    client.force_login(person)
    cookie = f"sessionid={client.cookies['sessionid'].value}"
    path = f"/ladders/{ladder.slug}/"
    stand.ask(path)
    Ladder.objects.update(title="After")
    assert b"olga" in stand.ask(path, Cookie=cookie)[1]
    assert b"After" in stand.ask(path, Cookie=cookie)[1]
    assert b"olga" not in stand.ask(path)[1]


def test_a_page_with_a_cookie_in_its_answer_is_kept_for_nobody(stand: Stand) -> None:
    first, second = (stand.ask("/sign-in/")[0] for _ in range(2))
    assert first.headers["Set-Cookie"] != second.headers["Set-Cookie"]
    assert first.headers["X-Request-ID"] != second.headers["X-Request-ID"]


def test_an_address_that_is_no_utf8_is_not_found(stand: Stand) -> None:
    assert stand.ask("/%ff%fe/")[0].status == 404


@pytest.mark.django_db
def test_no_statement_holds_a_thread_for_longer_than_it_may() -> None:
    try:
        bound_statements(connection)
        with connection.cursor() as cursor:
            cursor.execute("SHOW statement_timeout")
            assert cursor.fetchone() == (f"{LONGEST // 1000}s",)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET statement_timeout")
