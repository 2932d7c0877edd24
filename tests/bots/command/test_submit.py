"""`boardroom submit` against the running site."""

import json
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from bots.command.main import main
from tests.factories import SAMPLE, a_bot, a_ladder, a_user, a_version, play_set
from tournaments.core.accounts.api_tokens import make_token
from tournaments.models import Bot, User, Version

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def user(monkeypatch: pytest.MonkeyPatch) -> User:
    user = a_user("ada")
    monkeypatch.setenv("BOARDROOM_TOKEN", make_token(user=user, name="laptop"))
    return user


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mybot.py"
    path.write_bytes(SAMPLE)
    return path


def run(live_server: LiveServer, *arguments: object) -> int:
    return main(["submit", *map(str, arguments), "--site", live_server.url])


def test_a_bot_is_made_and_its_next_version_uploaded(
    live_server: LiveServer, user: User, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--game", "zaibatsu", "--note", "bids & waits, ü", "--no-wait")
    assert run(live_server, file, "--bot", "Engine", *options) == 0
    bot = Bot.objects.get()
    version = bot.versions.get()
    assert (bot.name, bot.owner, version.note, bytes(version.bundle.content)) == (
        "Engine",
        user,
        "bids & waits, ü",
        SAMPLE,
    )
    assert f"Engine v1 is uploaded: {live_server.url}/bots/{bot.pk}/" in capsys.readouterr().err
    play_set(version.check_set)
    file.write_bytes(SAMPLE + b"MORE = 1\n")
    assert run(live_server, file, "--bot", "engine", "--no-wait") == 0
    assert bot.versions.count() == 2


@pytest.mark.parametrize(("status", "code", "words"), [("active", 0, "has passed"), ("rejected", 1, "line 3 is wrong")])
def test_it_waits_for_the_check_and_tells_what_it_says(
    live_server: LiveServer,
    user: User,
    file: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    status: str,
    code: int,
    words: str,
) -> None:
    def meanwhile(_: float) -> None:
        Version.objects.update(status=status, report="line 3 is wrong" if code else "")

    monkeypatch.setattr("bots.command.submit.sleep", meanwhile)
    assert run(live_server, file, "--bot", "Engine", "--game", "zaibatsu") == code
    assert words in capsys.readouterr().out


def test_what_is_refused_says_why_and_leaves_nothing(
    live_server: LiveServer, user: User, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_version(a_bot(a_user("otto"), "Rook"))
    wrong = tmp_path / "bot.exe"
    wrong.write_bytes(b"MZ")
    for arguments, words in (
        ((file, "--bot", "Engine"), "[unknown_bot]"),
        ((file, "--bot", "Rook"), "[not_yours]"),
        ((file, "--bot", "x", "--game", "zaibatsu"), "[bad_name]"),
        ((file, "--bot", "Engine", "--game", "chess"), "not a valid choice"),
        ((wrong, "--bot", "Engine"), "[wrong_kind]"),
        ((tmp_path / "none.py", "--bot", "Engine"), "[cannot_read_or_write]"),
    ):
        assert run(live_server, *arguments) == 2
        assert words in capsys.readouterr().err
    assert Bot.objects.count() == 1


@pytest.mark.parametrize("token", ["", "wrong", "zeilen\numbruch", "tökén"])
def test_without_a_good_token_nothing_is_sent(
    live_server: LiveServer, file: Path, token: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOARDROOM_TOKEN", token)
    assert run(live_server, file, "--bot", "Engine", "--game", "zaibatsu") == 2
    assert "token" in capsys.readouterr().err


@pytest.mark.parametrize("site", ["http://127.0.0.1:9", "ftp://127.0.0.1/", "nowhere", "file:///etc"])
def test_a_site_that_is_none_is_told(user: User, file: Path, site: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["submit", str(file), "--bot", "Engine", "--site", site]) == (3 if site.startswith("http") else 2)
    assert "does not answer" in (errors := capsys.readouterr().err) or "is no address of a site" in errors


@pytest.mark.parametrize("site", ["127.0.0.1:8611", "http://[half"])
def test_what_is_no_address_or_token_is_reported_with_where_it_came_from(
    site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "settings.json"
    for source, options in (("--site", ["--site", site]), ("BOARDROOM_SITE", []), (str(kept), [])):
        monkeypatch.setenv("BOARDROOM_CONFIG", str(tmp_path))
        monkeypatch.setenv("BOARDROOM_SITE", site if source == "BOARDROOM_SITE" else "")
        kept.write_text(json.dumps({"site": site, "tokens": {}}))
        assert main(["status", *options]) == 2
        assert f"error: {source}: {site} is no address of a site" in capsys.readouterr().err
    kept.write_text(json.dumps({"site": "http://127.0.0.1:9", "tokens": {"http://127.0.0.1:9": "tökén"}}))
    monkeypatch.setenv("BOARDROOM_TOKEN", "")
    assert main(["status"]) == 2
    assert f"error: {kept} holds no token" in capsys.readouterr().err
    monkeypatch.setenv("BOARDROOM_CONFIG", str(kept))
    assert main(["status"]) == 2
    assert f"error: BOARDROOM_CONFIG: {kept / 'settings.json'}: Not a directory" in capsys.readouterr().err


def test_a_token_that_the_site_refuses_is_named_by_where_it_came_from(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOARDROOM_TOKEN", "brd_of_another_site")
    assert main(["status", "--site", live_server.url]) == 2
    assert "error: BOARDROOM_TOKEN: " in capsys.readouterr().err


def test_the_token_follows_no_redirect_to_another_site(
    live_server: LiveServer, user: User, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_ladder()
    assert main(["submit", str(file), "--bot", "Engine", "--site", f"{live_server.url}/favicon.ico?"]) == 2
    assert "[moved]" in capsys.readouterr().err
