"""The commands that speak to a site, against the running site."""

import io
import json
import os
import stat
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from urllib.error import URLError

import pytest
from pytest_django.live_server_helper import LiveServer

from bots.command import connection, releases, settings
from bots.command.main import main
from bots.command.site import Site
from bots.command.submit import packed_bundle
from bots.refusals import SubmitError
from engine.replay import read_replay, verify
from tests.factories import SAMPLE, a_bot, a_completed_set, a_ladder, a_trial, a_user, a_version, play_set
from tests.tournaments.ledger.dispatch.test_languages import SOURCE, here
from tournaments.core.accounts.api_tokens import make_token
from tournaments.core.broker import queues
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.models import Bot, Entry, FaultEvidence, Ladder, Match, Seat, SeatNotes, User, Version
from workers.process_heartbeats import WORKERS

pytestmark = pytest.mark.django_db(transaction=True)
Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(settings.FOLDER, str(tmp_path / "settings"))
    monkeypatch.delenv("BOARDROOM_TOKEN", raising=False)
    monkeypatch.delenv("BOARDROOM_SITE", raising=False)
    monkeypatch.setattr(connection, "PAUSE_S", 0.0)


@pytest.fixture
def user(live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> User:
    user = a_user("ada")
    monkeypatch.setenv("BOARDROOM_TOKEN", make_token(user=user, name="laptop"))
    monkeypatch.setenv("BOARDROOM_SITE", live_server.url)
    return user


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mybot.py"
    path.write_bytes(SAMPLE)
    return path


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_token_is_kept_for_its_owner_alone_and_used_afterwards(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    typed(monkeypatch, make_token(user=a_user("ada"), name="laptop") + "\n")
    assert main(["login", "--site", f"{live_server.url}/", "--token-stdin"]) == 0
    assert f"you are ada on {live_server.url}" in capsys.readouterr().out
    assert stat.S_IMODE(settings.path().stat().st_mode) == 0o600
    assert main(["status", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "ada"
    assert main(["login", "--forget"]) == 0
    assert main(["status", "--site", live_server.url]) == 2
    assert "[no_token]" in capsys.readouterr().err


def test_a_token_is_made_with_the_password(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    user = a_user("ada")
    user.set_password("the password of ada")
    user.save()
    typed(monkeypatch, "the password of ada\n")
    assert main(["login", "--site", live_server.url, "--user", "ada", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"site": live_server.url, "name": "ada"}
    assert user.tokens.get().name.startswith("kit on ")
    typed(monkeypatch, "another\n")
    assert main(["login", "--site", live_server.url, "--user", "ada"]) == 2
    assert "[bad_password]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("token", "code"),
    [("", "bad_token"), ("not a token", "bad_token"), ("brd_unknown", "bad_token"), ("ü", "bad_token")],
)
def test_a_wrong_token_is_refused_and_not_kept(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch, capsys: Captured, token: str, code: str
) -> None:
    typed(monkeypatch, f"{token}\n")
    assert main(["login", "--site", live_server.url, "--token-stdin"]) == 2
    assert "[bad_token]" in capsys.readouterr().err
    assert not settings.path().exists()


def test_a_bot_is_made_uploaded_checked_and_entered(
    user: User, file: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder = a_ladder()

    def passing(_: float) -> None:
        play_set(Version.objects.get().check_set)
        Version.objects.update(status=Version.Status.ACTIVE)

    monkeypatch.setattr("bots.command.submit.sleep", passing)
    arguments = ["submit", str(file), "--bot", "Engine", "--game", "zaibatsu", "--ladder", ladder.slug, "--json"]
    assert main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["version"]["status"], report["entries"][0]["ladder"]) == ("active", ladder.slug)
    assert bytes(Version.objects.get().bundle.content) == SAMPLE
    assert Entry.objects.get().ladder == ladder
    assert main(["status"]) == 0
    assert "Engine" in capsys.readouterr().out


def test_after_ctrl_c_the_same_command_goes_on(
    user: User, file: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check ends meanwhile."""
    ladder = a_ladder()

    def pressed(_: float) -> None:
        play_set(Version.objects.get().check_set)
        Version.objects.update(status=Version.Status.ACTIVE)
        raise KeyboardInterrupt

    monkeypatch.setattr("bots.command.submit.sleep", pressed)
    upload = ["submit", str(file), "--bot", "Engine", "--game", "zaibatsu"]
    assert main([*upload, "--ladder", ladder.slug]) == 130
    assert not Entry.objects.exists()
    assert main([*upload, "--ladder", ladder.slug]) == 0
    assert Entry.objects.get().ladder == ladder
    assert main(upload) == 2  # there is nothing left to do
    assert "[already_active]" in capsys.readouterr().err
    assert Version.objects.count() == 1


def test_a_check_that_fails_says_why(user: User, file: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(_: float) -> None:
        Version.objects.update(status=Version.Status.REJECTED, report="line 3 is wrong")

    monkeypatch.setattr("bots.command.submit.sleep", failing)
    assert main(["submit", str(file), "--bot", "Engine", "--game", "zaibatsu"]) == 1
    assert "line 3 is wrong" in capsys.readouterr().out


@pytest.fixture
def _python_alone() -> Iterator[None]:
    queues.broker().delete(WORKERS)
    here("python")
    yield
    queues.broker().delete(WORKERS)


@pytest.mark.usefixtures("_python_alone")
def test_a_check_that_waits_for_a_language_says_so_once(
    user: User, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = count()

    def passing(_: float) -> None:
        if next(looks) == 2:
            Version.objects.update(status=Version.Status.ACTIVE)

    monkeypatch.setattr("bots.command.submit.sleep", passing)
    file = tmp_path / "mybot.c"
    file.write_bytes(SOURCE)
    assert main(["submit", str(file), "--bot", "Engine", "--game", "zaibatsu"]) == 0
    assert capsys.readouterr().err.count("no worker online can run c") == 1


def test_a_folder_is_zipped_with_windows_line_ends_as_they_are(tmp_path: Path) -> None:
    folder = tmp_path / "my bot (ü)"
    folder.mkdir()
    (folder / "bot.py").write_bytes(SAMPLE.replace(b"\n", b"\r\n"))
    (folder / ".hidden").write_text("stays")
    data, name = packed_bundle(folder)
    assert (data[:2], name) == (b"PK", "my bot (ü).zip")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["submit", "nowhere.py", "--bot", "Engine"], "cannot_read_or_write"),
        (["submit", "docs", "--bot", "Engine"], "no_entry"),
        (["submit", "/dev/zero", "--bot", "Engine"], "too_large"),
        (["submit", "README.md", "--bot", "Engine"], "wrong_kind"),
        (["submit", "bots/games/zaibatsu/samples/random.py", "--bot", "Engine"], "unknown_bot"),
        (["submit", "bots/games/zaibatsu/samples/random.py", "--bot", "Engine", "--game", "go"], "invalid"),
        (["submit", "bots/sdk.py", "--bot", "E", "--ladder", "x", "--no-wait"], "bad_command"),
        (["replays"], "whose"),
        (["replays", "--bot", "Nobody"], "unknown_bot"),
        (["replays", "--match", "1", "--to", "README.md"], "is_file"),
        (["replays", "--ladder", "none"], "unknown_ladder"),
        (["status", "--site", "ftp://example.org"], "bad_site"),
        (["status", "--site", "boardroom.example"], "bad_site"),
    ],
)
def test_what_cannot_be_is_refused_with_a_code(user: User, arguments: list[str], code: str, capsys: Captured) -> None:
    assert main([*arguments, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


LOST = [*(("arrived", status) for status in ("checking", "active", "rejected")), ("half of it", "checking")]


@pytest.mark.parametrize(("how_far", "status"), LOST)
def test_an_upload_whose_network_is_lost_is_sent_again_unless_it_arrived(
    how_far: str, status: str, user: User, file: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check may be over before the next try."""
    tries, ask = [], Site.ask

    def flaky(self: Site, path: str, *more: object, **named: object) -> object:
        is_upload = "versions?filename" in path
        tries.extend([path] * is_upload)
        is_first = is_upload and len(tries) == 1
        answer = None if is_first and how_far != "arrived" else ask(self, path, *more, **named)  # type: ignore[arg-type]
        if is_first:
            Version.objects.update(status=status)
            raise SubmitError("no_answer", str(URLError("reset")), 3)
        return answer

    monkeypatch.setattr(Site, "ask", flaky)
    code = main(["submit", str(file), "--bot", "Engine", "--game", "zaibatsu", "--no-wait"])
    assert (code, len(tries)) == (1 if status == "rejected" else 0, 1 if how_far == "arrived" else 2)
    assert Bot.objects.get().versions.count() == 1


def test_a_site_that_is_away_is_told_as_one(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDROOM_TOKEN", "brd_some")
    assert main(["status", "--site", "http://127.0.0.1:1"]) == 3
    assert "[no_answer]" in capsys.readouterr().err


def test_replays_are_fetched_once_and_hold(user: User, tmp_path: Path, capsys: Captured) -> None:
    ladder = a_ladder()
    played = a_completed_set(ladder, [a_version(a_bot(user, f"Bot {name}")) for name in "ab"])
    folder = tmp_path / "kept"
    arguments = ["replays", "--ladder", ladder.slug, "--to", str(folder), "--json"]
    assert main(arguments) == 0
    rows = json.loads(capsys.readouterr().out)
    assert sorted(row["match"] for row in rows) == sorted(Match.objects.filter(set=played).values_list("pk", flat=True))
    for file in folder.iterdir():
        verify(read_replay(file.read_bytes()))
    assert main(arguments) == 0
    assert not any(row["fetched"] for row in json.loads(capsys.readouterr().out))


@pytest.mark.parametrize(
    ("kit", "words"),
    [
        ({"rules": {"zaibatsu": 9}}, "[old_kit]"),
        ({"rules": {"zaibatsu": 0}}, "[old_site]"),
        ({"protocol": 2}, "the protocol has version 1 here and 2"),
        ({"version": "0.2.0", "wheel": "boardroom_kit-0.2.0.whl"}, "/kit/boardroom_kit-0.2.0.whl [old_kit]"),
        ({"version": "0.0.9"}, "this kit is 0.1.0, and that of"),
        ({"version": "0.0.9"}, "[old_site]"),
        ({"version": "odd"}, ""),
        (None, "serves none"),
        ({"rules": "odd", "protocol": "odd"}, ""),
        ({}, ""),
    ],
)
def test_an_older_kit_or_site_is_told_which_to_upgrade(
    user: User, capsys: Captured, monkeypatch: pytest.MonkeyPatch, kit: dict[str, object] | None, words: str
) -> None:
    monkeypatch.setattr(releases, "kit_of", lambda _: kit)
    monkeypatch.setattr(releases, "version_of", lambda _: "0.1.0")
    assert main(["status", "--json"]) == 0
    differences = json.loads(capsys.readouterr().out)["differences"]
    assert any(words in difference for difference in differences) if words else differences == []


def test_who_uploads_or_fetches_is_told_too(
    user: User, file: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(releases, "kit_of", lambda _: {"rules": {"zaibatsu": 9, "kaiju": 9}})
    ladder = a_ladder()
    a_completed_set(ladder, [a_version(a_bot(user, f"Bot {name}")) for name in "ab"])
    for command in (
        ["submit", str(file), "--bot", "Engine", "--game", "zaibatsu", "--no-wait"],
        ["replays", "--ladder", ladder.slug, "--to", str(tmp_path)],
    ):
        assert main(command) == 0
        error = capsys.readouterr().err
        assert ("Zaibatsu" in error, "Kaiju" in error, error.count("[old_kit]")) == (True, False, 1)


def test_what_an_older_site_does_not_have_is_told_as_that(live_server: LiveServer, user: User) -> None:
    site = Site(live_server.url, os.environ["BOARDROOM_TOKEN"])
    for path, data in (("/of-tomorrow", None), ("/account/of-tomorrow", b"{}")):
        with pytest.raises(SubmitError, match=f"has no /api/v1{path}; it is older") as refused:
            site.ask(path, data)
        assert refused.value.code == "old_site"
    account = site.ask("/account")
    with pytest.raises(SubmitError, match="does not tell “of tomorrow”, which this kit needs; it is older"):
        account["of tomorrow"]


def test_the_kit_of_this_site_is_that_of_this_command(user: User, capsys: Captured) -> None:
    assert main(["status", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["differences"] == []


def test_settings_that_are_broken_are_told(live_server: LiveServer, capsys: Captured) -> None:
    settings.path().parent.mkdir(parents=True)
    settings.path().write_text("{")
    assert main(["status"]) == 2
    assert "[bad_settings]" in capsys.readouterr().err


def test_the_faults_of_a_bot_are_shown_with_their_evidence(user: User, capsys: Captured) -> None:
    ladder = a_ladder()
    mine, other = a_version(a_bot(user, "Mine")), a_version(a_bot(user, "Other"))
    played = a_completed_set(ladder, [mine, other])
    assert main(["logs", "--bot", "Mine"]) == 0
    assert "no fault" in capsys.readouterr().out
    seat = Seat.objects.filter(match__set=played, version=mine).first()
    assert seat is not None
    Seat.objects.filter(pk=seat.pk).update(verdict="crashed", stderr="line 3 is wrong")
    FaultEvidence.objects.create(seat=seat, answer=4, verdict="crashed", detail="exit code 1", asked={"t": "bid"})
    assert main(["logs", "--bot", "Mine"]) == 0
    output = capsys.readouterr().out
    assert f"match {seat.match_id}, seat {seat.number}: crashed" in output
    assert "answer 4: crashed: exit code 1" in output
    assert "    line 3 is wrong" in output
    assert main(["logs", "--bot", "Mine", "--all", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == played.matches.count()


def test_the_gate_of_a_bot_is_set_and_its_trial_told(user: User, capsys: Captured) -> None:
    mine = a_version(a_bot(user, "Mine"))
    enter_in_ladder(ladder=a_ladder(), bot=mine.bot, by=user)
    assert main(["gate", "--bot", "Mine"]) == 0
    assert "plays as soon as it has passed" in capsys.readouterr().out
    assert main(["gate", "--bot", "Mine", "--set", "auto", "--test", "balanced", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bot"]["gate_test"] == "balanced"
    trial = a_trial(mine, sets=1)
    assert main(["gate", "--bot", "Mine"]) == 0
    output = capsys.readouterr().out
    assert "v2 against v1" in output
    assert "running, 1 sets" in output
    type(trial).objects.update(status="refused", reason="1 sets speak for +0 Elo")
    assert main(["gate", "--bot", "Mine", "--wait"]) == 1
    assert "speak for +0 Elo" in capsys.readouterr().out
    assert main(["gate", "--bot", "Mine", "--set", "sometimes"]) == 2
    assert main(["gate", "--bot", "Nobody"]) == 2
    assert "[unknown_bot]" in capsys.readouterr().err


def test_the_notes_of_a_bot_are_searched_in_its_latest_matches(user: User, capsys: Captured) -> None:
    mine, other = a_version(a_bot(user, "Mine")), a_version(a_bot(user, "Other"))
    played = a_completed_set(a_ladder(), [mine, other])
    for seat in Seat.objects.filter(match__set=played):
        text = f'#bid {seat.version.bot.name} pays {{"number": 14}}\nplain'
        SeatNotes.objects.create(seat=seat, pages=[[-1, "ready"], [seat.number, text]])
    assert main(["logs", "--bot", "Mine", "--tag", "bid", "--search", "pays"]) == 0
    output = capsys.readouterr().out
    assert output.count("#bid Mine pays [number=14]") == played.matches.count()
    assert "Other" not in output
    assert main(["logs", "--bot", "Mine", "--notes", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 3 * played.matches.count()
    assert main(["logs", "--bot", "Mine", "--search", "nothing of the kind"]) == 0
    assert "wrote no such notes" in capsys.readouterr().out


def test_what_is_too_large_for_a_ladder_is_not_sent(user: User, tmp_path: Path, capsys: Captured) -> None:
    bot, folder = a_bot(user), tmp_path / "heavy"
    folder.mkdir()
    (folder / "bot.py").write_bytes(SAMPLE)
    (folder / "weights").write_bytes(os.urandom(6 << 20))
    light, heavy = a_ladder("light"), a_ladder("heavy", upload_mb=20)
    command = ["submit", str(folder), "--bot", bot.name]
    assert main([*command, "--ladder", light.slug]) == 2
    assert "light takes 5,242,880 at most [too_large]" in capsys.readouterr().err
    assert main([*command, "--no-wait", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["version"]["size"] > 6 << 20
    Version.objects.all().delete()
    Ladder.objects.filter(pk=heavy.pk).delete()
    assert main([*command, "--no-wait"]) == 2
    assert "at most 5,242,880 are taken by this site for this bot [too_large]" in capsys.readouterr().err
    assert main([*command, "--ladder", "nowhere"]) == 2
    assert "[unknown_ladder]" in capsys.readouterr().err
    assert not Version.objects.exists()
