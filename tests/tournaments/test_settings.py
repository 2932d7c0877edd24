"""The settings as they are in public: https behind a proxy."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from django.test import Client

from tests.factories import a_bot, an_upload, worker_token
from tournaments.core.config.service_urls import database, mail_server
from tournaments.ledger.dispatch.leases import claim, lease_secret
from workers.bundles import TICKET, ticket

PUBLIC = {
    "SECRET_KEY": "0123456789abcdef" * 4,
    "SITE_URL": "https://board.example",
    "ALLOWED_HOSTS": "board.example",
}
TOLD = (
    "DEBUG",
    "PROXIES",
    "SESSION_COOKIE_NAME",
    "CSRF_COOKIE_NAME",
    "SECURE_SSL_REDIRECT",
    "STAFF_NEED_SECOND_FACTOR",
)


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "DATABASE_URL", "REDIS_URL")}
    complete = {**kept, "DJANGO_SETTINGS_MODULE": "tournaments.settings", **environment}
    return subprocess.run(
        [sys.executable, *arguments], env=complete, capture_output=True, text=True, check=False, timeout=120
    )


def test_django_finds_nothing_to_warn_of_in_public() -> None:
    checked = python("-m", "django", "check", "--deploy", "--fail-level", "WARNING", **PUBLIC)
    assert checked.returncode == 0, checked.stderr
    assert checked.stdout.strip() == "System check identified no issues (0 silenced)."
    assert "warning" not in checked.stderr.lower()


def test_it_would_have_found_something() -> None:
    checked = python("-m", "django", "check", "--deploy", "--fail-level", "WARNING", SECRET_KEY="short", DEBUG="1")
    assert checked.returncode == 1
    assert {"security.W009", "security.W018", "security.W012"} <= set(checked.stderr.replace(")", "(").split("("))


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, (False, 1, "__Host-sessionid", "__Host-csrftoken", True, True)),
        (
            {"PROXIES": "2", "STAFF_NEED_SECOND_FACTOR": "0"},
            (False, 2, "__Host-sessionid", "__Host-csrftoken", True, False),
        ),
        ({"SITE_URL": "http://localhost:8000"}, (False, 0, "sessionid", "csrftoken", False, False)),
    ],
)
def test_https_alone_switches_on_what_belongs_to_it(environment: dict[str, str], expected: tuple[object, ...]) -> None:
    read = f"import json, tournaments.settings as s; print(json.dumps([getattr(s, name) for name in {TOLD}]))"
    assert tuple(json.loads(python("-c", read, **{**PUBLIC, **environment}).stdout)) == expected


@pytest.fixture
def public(settings: Any) -> None:
    settings.ALLOWED_HOSTS, settings.PROXIES = ["board.example", "web"], 1
    settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS = True, 31_536_000
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True


@pytest.mark.django_db
@pytest.mark.usefixtures("public")
def test_who_comes_by_http_is_sent_to_https_and_told_to_remember() -> None:
    plain = Client().get("/events/", headers={"Host": "board.example", "X-Forwarded-Proto": "http"})
    assert (plain.status_code, plain["Location"]) == (301, "https://board.example/events/")
    safe = Client().get("/events/", headers={"Host": "board.example", "X-Forwarded-Proto": "https"})
    assert safe.status_code == 200
    assert safe["Strict-Transport-Security"].startswith("max-age=31536000; includeSubDomains")


@pytest.mark.django_db
@pytest.mark.usefixtures("public")
def test_workers_fetch_bundles_from_within_where_there_is_no_https() -> None:
    version = an_upload(a_bot())
    [match] = claim(match_set=version.check_set)
    shown = ticket("match", match.pk, match.lease, lease_secret(match.pk, match.lease))
    headers = {"Host": "web", "Authorization": f"Worker {worker_token('tester')}", TICKET: shown}
    assert Client().get(f"/api/v1/bundles/{version.bundle_id}", headers=headers).status_code == 200


@pytest.mark.django_db
@pytest.mark.usefixtures("public")
def test_cookies_are_for_this_host_by_https_and_for_no_script() -> None:
    headers = {"Host": "board.example", "X-Forwarded-Proto": "https"}
    client = Client(headers=headers)
    form = {"username": "nina", "password1": "vermilion tea house", "password2": "vermilion tea house"}
    client.get("/sign-up/")
    client.post("/sign-up/", form)
    assert set(client.cookies) >= {"__Host-sessionid", "__Host-csrftoken"}
    for name in ("__Host-sessionid", "__Host-csrftoken"):
        cookie = client.cookies[name]
        kept = (cookie["secure"], cookie["httponly"], cookie["samesite"], cookie["path"], cookie["domain"])
        assert kept == (True, True, "Lax", "/", "")
    assert client.cookies["__Host-sessionid"]["max-age"] == 14 * 86_400


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://me:a%40b@mail.example", ("mail.example", 587, "me", "a@b", True, False)),
        ("smtps://me:x@mail.example", ("mail.example", 465, "me", "x", False, True)),
        ("smtp://localhost", ("localhost", 25, "", "", False, False)),
        ("smtp://mail.example:2525", ("mail.example", 2525, "", "", True, False)),
    ],
)
def test_the_address_of_a_mail_server(url: str, server: tuple[object, ...]) -> None:
    assert mail_server(url) == server


@pytest.mark.parametrize(
    "setting",
    [
        {"SITE_URL": "https://board.example/arena"},
        {"EMAIL_URL": "smtp://me:s3#cret@mail.example"},
        {"DATABASE_URL": "postgresql://me:s3/cret@host/name"},
        {"REDIS_URL": "redis://:s3@cret@host/0"},
        {"SIGN_ON": "[7]"},
        {"PROXIES": "one"},
        {"PAGE_REQUESTS": "0"},
        {"SPOT_CHECKS": "2%"},
        {"STAFF_NEED_SECOND_FACTOR": "true"},
        {"DEBUG": "yes"},
        {"ALLOWED_HOSTS": "https://board.example/"},
        {"SITE_TIME_ZONE": "Berlin"},
        {"LOG_LEVEL": "chatty"},
    ],
)
def test_a_setting_that_cannot_be_is_refused_at_the_start_with_a_sentence(setting: dict[str, str]) -> None:
    done = python("manage.py", "showmigrations", **{**PUBLIC, **setting})
    assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (2, "", False)
    assert done.stderr.splitlines()[-1].startswith(f"{next(iter(setting))} ")
    assert "s3" not in done.stderr


@pytest.mark.parametrize(
    ("address", "host"), [("https://club.example", "club.example"), ("http://[::1]:8000", "[::1]")]
)
def test_a_site_answers_to_its_own_address_whatever_else_is_allowed(address: str, host: str) -> None:
    ask = "from django.conf import settings; print(settings.ALLOWED_HOSTS)"
    done = python("-c", ask, SITE_URL=address, ALLOWED_HOSTS="web")
    assert done.stdout.strip() == str(["web", host])


@pytest.mark.parametrize("url", ["", "mail.example", "https://mail.example", "smtp://"])
def test_an_address_that_is_none_says_what_would_be_right(url: str) -> None:
    with pytest.raises(ValueError, match="EMAIL_URL must be smtp://host or smtps://host"):
        mail_server(url)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://me@host:5432", "the name of one database"),
        ("postgresql://me@host/", "the name of one database"),
        ("postgresql://me@host/name/", "the name of one database"),
        ("postgresql://me@host/one/two", "the name of one database"),
        ("postgresql://me@%2Fvar%2Frun/name", r"\?host=/the/folder"),
    ],
)
def test_an_address_of_no_database_says_what_would_be_right(url: str, words: str) -> None:
    with pytest.raises(ValueError, match=f"DATABASE_URL .*{words}"):
        database(url)


def test_a_name_of_a_database_may_have_any_sign() -> None:
    assert database("postgresql://me@host/one%2Ftwo")["NAME"] == "one/two"
