"""In which language a reader gets a page, and that the front keeps one page for each language, whatever is asked."""

import pytest

from tests.factories import a_user
from tests.tournaments.web.server.reading import Front, Reader, header_of
from tournaments.web.server.languages import MOST, best_liked, language_of_request


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        (b"", b"en"),
        (b"de", b"de"),
        (b"DE-at", b"de"),
        (b"de-DE,de;q=0.9,en;q=0.8", b"de"),
        (b"en-GB,en;q=0.9,de;q=0.8", b"en"),
        (b"fr, de;q=0.4, en;q=0.3", b"de"),
        (b"en;q=0.3 , de; q=0.5", b"de"),
        (b"fr,*;q=0.1", b"en"),
        (b"de;q=0", b"en"),
        (b"de;q=9", b"en"),
        (b"de;q=nan,de;q=", b"en"),
        (b"\xff\x00;;,,=,de\n", b"de"),
        (b"xx," * 100 + b"de", b"en"),
        (b"de" * 5000, b"en"),
    ],
)
def test_a_browser_gets_what_it_likes_best_of_what_there_is(accepted: bytes, language: bytes) -> None:
    assert language_of_request(b"", accepted) == language


@pytest.mark.parametrize(
    ("cookies", "language"),
    [
        (b"language=de", b"de"),
        (b"a=b; language=de; c=d", b"de"),
        (b"a=b; __Host-language=de", b"de"),
        (b"language=fr", b"en"),
        (b"language=deutsch", b"en"),
        (b"my-language=de", b"en"),
        (b"language=", b"en"),
    ],
)
def test_what_somebody_chose_comes_first(cookies: bytes, language: bytes) -> None:
    assert language_of_request(cookies, b"en") == language


def test_headers_that_are_made_up_take_no_room() -> None:
    best_liked.cache_clear()
    for number in range(1000):
        language_of_request(b"", b"x%d," % number * 10_000)
    assert best_liked.cache_info().currsize <= 256
    assert MOST * 256 < 100_000


HOSTILE = ("de;q=1,x-%d", "de-%d", "de, fr;q=0.%d", "de,\x00%d")


@pytest.mark.django_db
def test_the_front_keeps_one_page_for_each_language() -> None:
    front = Front()
    for number in range(20):
        german = Reader(front).get("/", accept_language=HOSTILE[number % 4] % number)
        assert b'<html lang="de">' in german.body
        assert b'<html lang="en">' in Reader(front).get("/", accept_language=f"en, x-{number}").body
    assert len(front.pages.kept) == 2
    assert header_of(german, "content-language") == "de"
    assert header_of(german, "etag") != header_of(Reader(front).get("/"), "etag")


@pytest.mark.django_db
def test_who_is_signed_in_gets_pages_in_one_language() -> None:
    front, user = Front(), a_user()
    for _ in range(2):
        page = Reader(front, user).text("/", accept_language="de")
        assert '<html lang="de">' in page
        assert "Abmelden" in page
        assert '<html lang="en">' in Reader(front, user).text("/")
        assert "Abmelden" not in Reader(front, user).text("/")
    assert "Anmelden" in Reader(front).text("/", accept_language="de")


@pytest.mark.django_db
def test_the_link_in_the_foot_is_stronger_than_the_browser() -> None:
    front = Front()
    reader = Reader(front)
    form = {"content_type": "application/x-www-form-urlencoded", "accept_language": "en"}
    answer = reader.send("POST", "/language/", b"language=de&back=/events/", **form)
    assert (answer.status, header_of(answer, "location")) == (302, "/events/")
    assert '<html lang="de">' in reader.text("/events/", accept_language="en")
    for away in (b"https://evil.example/", b"//evil.example", b""):
        answer = reader.send("POST", "/language/", b"language=nonsense&back=" + away, **form)
        assert (header_of(answer, "location"), reader.cookies) == ("/", {"language": "de"})


@pytest.mark.django_db
def test_what_programs_read_is_english() -> None:
    for path in ("/api/v1/nowhere", "/feeds/ladders/none/", "/sitemap.xml", "/admin/login/", "/robots.txt"):
        answer = Reader(Front()).get(path, accept_language="de")
        assert (path, header_of(answer, "content-language"), "Accept-Language" in header_of(answer, "vary")) == (
            path,
            "",
            False,
        )
