"""How long the body of a request may be, by route, and what the longest cost."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client

from tests.factories import a_user
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.html import Html
from tests.tournaments.web.pages.routes import routes
from tests.tournaments.web.server.stand import Stand
from tournaments.features.drafts.rules import MOST as SOURCE
from tournaments.features.spaces.admission import MOST_ADDRESSES
from tournaments.features.spaces.roster_text import MOST_BYTES
from tournaments.site import api_urls as api
from tournaments.web.server.body_lengths import ROUTES, SOURCES, UPLOADS, USUAL, longest_of

WIDE = "\N{GRINNING FACE}".encode()
PART = re.compile(r"<(?:(\w+):)?(\w+)>")
FORM = "application/x-www-form-urlencoded"


def address(pattern: str) -> str:
    return PART.sub(lambda part: "7" if part[1] == "int" else "a", pattern)


def addresses() -> list[str]:
    pages = [f"/{address(str(route.pattern))}" for route in routes()]
    return [*pages, *(f"/api/v1/{address(str(route.pattern))}" for route in api.urlpatterns)]


def memory(stand: Stand) -> int:
    """Return the most that the web process has had, in MB."""
    parent = Path(f"/proc/{stand.process.pid}")
    pids = [stand.process.pid, *map(int, (parent / f"task/{stand.process.pid}/children").read_text().split())]
    states = " ".join(Path(f"/proc/{pid}/status").read_text() for pid in pids)
    return max(map(int, re.findall(r"VmHWM:\s+(\d+)", states))) >> 10


def forged(stand: Stand, path: str, body: bytes, kind: str = FORM) -> int:
    """Return the status of a form from nobody's session, which says that it is ours."""
    origin = f"http://127.0.0.1:{stand.port}"
    try:
        return stand.ask(path, "POST", body, Origin=origin, Content_Type=kind)[0].status
    except ConnectionError:  # more than one address may have under way: refused before it was sent
        return 429


@pytest.mark.parametrize("path", ["/sign-up/", "/sign-in/", "/drafts/1/", "/spaces/a/roster/", "/upload/", "/nowhere/"])
def test_six_long_forms_of_strangers_at_once_leave_the_web_process_small(stand: Stand, path: str) -> None:
    most = longest_of(path)
    with ThreadPoolExecutor(6) as six:
        for length in (most - 100, 300_000, 1_500_000, 5_000_000):
            quotes = WIDE + b"=1" + b"'" * length
            statuses = set(six.map(lambda body: forged(stand, path, body), [quotes] * 6))
            assert statuses <= {400, 403, 404, 413, 429, 503}, statuses
    assert memory(stand) < 400


def test_a_long_name_of_a_field_is_not_shown_again(stand: Stand) -> None:
    body = WIDE + b"'" * 50_000 + b"=1&name=kept"
    origin = f"http://127.0.0.1:{stand.port}"
    answer, page = stand.ask("/sign-up/", "POST", body, Origin=origin, Content_Type=FORM)
    assert (answer.status, len(page) < 20_000, b"kept" in page) == (403, True, True)


def test_every_longer_body_is_of_a_route() -> None:
    paths = [*addresses(), "/door/report"]  # that of workers is apart (`door_handler`)
    for pattern, _ in ROUTES:
        assert any(pattern.fullmatch(path) for path in paths), pattern


@pytest.mark.django_db
def test_every_other_route_takes_the_usual_length_and_no_more() -> None:
    client = Client()
    for path in addresses():
        most = longest_of(path)
        assert most in {USUAL.most, *(budget.most for _, budget in ROUTES)}
        assert client.post(path, {}, headers={"Content-Length": str(most + 1)}).status_code == 413, path


@pytest.mark.django_db
def test_a_refusal_names_the_length() -> None:
    page = signed_in(a_user()).post("/tokens/", {"name": "x" * (70 << 10)})
    assert (page.status_code, "at most 64.0" in Html(page.content.decode()).text) == (413, True)
    answer = ask("POST", "bots", a_user("ben"), b" " * (65 << 10))
    assert refused(answer) == (413, "too_large")
    assert "65,536 bytes" in answer.json()["detail"]


def test_what_forms_may_hold_fits() -> None:
    assert len(quote("é" * (SOURCE // 2))) < SOURCES.most
    assert len(json.dumps("é" * (SOURCE // 2))) < SOURCES.most
    assert len(quote("ada.lovelace@example.org\r\n" * MOST_ADDRESSES)) < longest_of("/spaces/a/ways-in/addresses/")
    assert UPLOADS.most == settings.FILE_UPLOAD_MAX_MEMORY_SIZE
    assert 3 * MOST_BYTES < longest_of("/spaces/a/roster/") < UPLOADS.most
