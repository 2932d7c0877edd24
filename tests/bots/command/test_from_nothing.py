"""The kit as a competitor meets it: an environment that has nothing, no checkout, and a site that runs."""

import json
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

import manage
from bots.command.wheel import main as write_wheel
from bots.command.wheel import wheel
from engine.games import GAMES
from tests.bots.command.bare_home import Home
from tests.patience import looks
from tests.tournaments.ledger.dumps.reading import told_by_script
from tests.tournaments.ops.launcher.processes import bare_environment, until
from tests.tournaments.ops.launcher.test_up import PATIENCE, PAUSED, SET_ASIDE, Platform, up

UNDER_WAY = """
    SELECT count(*) FROM tournaments_matchset AS dealt JOIN tournaments_ladder AS ladder ON ladder.id = dealt.ladder_id
    WHERE ladder.slug = 'zaibatsu' AND dealt.status = 'open' AND dealt.line != 'again'
"""  # spot checks wait for a second worker, and there is none
CHECKING = """
    SELECT count(*) FROM tournaments_version AS version JOIN tournaments_bot AS bot ON bot.id = version.bot_id
    WHERE bot.game = 'zaibatsu' AND version.status = 'checking'
"""
OTHERS_PAUSED = "UPDATE tournaments_ladder SET status = 'paused' WHERE game != 'zaibatsu' RETURNING id"
UNFITTED = """
    SELECT count(*) FROM tournaments_fit AS fit JOIN tournaments_ladder AS ladder ON ladder.id = fit.ladder_id
    WHERE ladder.slug = 'zaibatsu' AND fit.stale
"""
TOKEN = (
    "from tournaments.models import User; from tournaments.core.accounts.api_tokens import make_token; "
    "print('TOKEN', make_token(user=User.objects.create_user('ada', password='x'), name='kit'))"
)


def test_the_wheel_from_a_file_makes_and_plays_a_bot(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert write_wheel([str(tmp_path)]) == 0
    home.install("--offline" if manage.find_uv() else "--no-index", str(tmp_path / wheel().name))
    assert home.run("--version").stdout == f"boardroom {wheel().version}\n"
    assert home.printed("new", "zaibatsu", "mine")["language"] == "python"
    played = home.printed("play", "zaibatsu", "mine", "random", "--games", "2", "--cores", "1")
    assert [bot["faults"] for bot in played["bots"]] == [{}, {}]  # type: ignore[attr-defined]
    where = subprocess.run(
        [home.python, "-c", "import engine, bots; print(engine.__file__)"], check=True, capture_output=True, cwd="/"
    )
    assert str(tmp_path).encode() in where.stdout
    assert subprocess.run([home.python, "-c", "import django"], check=False, capture_output=True).returncode == 1


def test_from_the_running_site_to_a_place_in_its_ladder(tmp_path: Path, subtests: pytest.Subtests) -> None:
    home = Home(tmp_path)
    with up(tmp_path / "data") as platform:
        one_game_is_played(platform)
        home.install("--index-url", f"{platform.address}kit/", "boardroom-kit")
        assert home.printed("new", "zaibatsu", "mine")["language"] == "python"
        assert home.printed("check", "zaibatsu", "mine", "--questions", "200")["matches"]
        assert home.printed("play", "zaibatsu", "mine", "random", "--games", "2")["bots"]
        address = {"BOARDROOM_SITE": platform.address}
        assert home.run("login", "--token-stdin", stdin=token(platform), **address).returncode == 0
        submitted = home.printed("submit", "mine", "--bot", "My bot", "--game", "zaibatsu", "--ladder", "zaibatsu")
        assert submitted["version"]["status"] == "active"  # type: ignore[index]
        status = home.printed("status")
        assert (status["name"], status["differences"]) == ("ada", [])
        a_match_is_watched_and_played_otherwise(home, a_replay(home))
        a_new_version_goes_to_the_gate(home)
        with subtests.test("in another language"):  # what is not here hides nothing else
            in_another_language(home)
        with subtests.test("by links"):
            found_by_links(platform, tmp_path)
        a_stranger_recomputes_the_standings(platform, home)


def one_game_is_played(platform: Platform) -> None:
    """The samples of the other games, some of which think for seconds, would keep the only worker busy all the time."""
    until(lambda: platform.count("SELECT count(*) FROM tournaments_ladder") >= len(GAMES), PATIENCE, "the ladders")
    assert platform.count(OTHERS_PAUSED)
    platform.count(SET_ASIDE)


def a_replay(home: Home) -> Path:
    """Return a replay of the ladder, once there is one: the latest may be of a set that is still played."""
    for _ in looks(PATIENCE):
        home.run("replays", "--ladder", "zaibatsu", "--last", "4", "--to", "kept")
        if replay := next((home.folder / "kept").glob("*.json*"), None):
            return replay
    raise AssertionError("no match of the ladder was played")


def a_match_is_watched_and_played_otherwise(home: Home, replay: Path) -> None:
    assert home.printed("verify", str(replay))
    assert home.run("why", str(replay)).returncode == 0
    assert Path(str(home.printed("watch", str(replay), "--html", "film.html")["html"])).name == "film.html"
    forked = home.printed("fork", str(replay), "mine", "--seat", "0", "--at", "10", "--replay", "other.json")
    assert forked
    assert home.printed("verify", "other.json")


def a_new_version_goes_to_the_gate(home: Home) -> None:
    assert home.printed("gate", "--bot", "My bot", "--set", "auto")["trial"] is None
    rung = home.printed("climb", "mine", "--most", "16")
    assert rung["game"] == "zaibatsu"
    bot = home.folder / "mine" / "bot.py"
    bot.write_text(bot.read_text() + "SECOND = True\n")
    submitted = home.printed("submit", "mine", "--bot", "My bot", "--note", "another")
    assert submitted["version"]["status"] == "candidate"  # type: ignore[index]
    trial = home.printed("gate", "--bot", "My bot")["trial"]
    assert (trial["candidate"], trial["champion"]) == (2, 1)  # type: ignore[index]


def in_another_language(home: Home) -> None:
    """The site's worker has whatever this machine has."""
    if not shutil.which("node"):
        pytest.skip("NOT TESTED: a bot in JavaScript, for there is no Node")
    assert home.printed("new", "kaiju", "other", "--lang", "javascript")["language"] == "javascript"
    assert home.printed("play", "kaiju", "other", "random", "--games", "2")["bots"]
    submitted = home.printed("submit", "other", "--bot", "Other", "--game", "kaiju", "--ladder", "kaiju")
    assert submitted["version"]["status"] == "active"  # type: ignore[index]


def a_stranger_recomputes_the_standings(platform: Platform, home: Home) -> None:
    """Recompute a resting ladder with the site's script, which imports nothing of ours."""
    assert platform.count(PAUSED)
    until(lambda: not platform.count(UNDER_WAY), 3 * PATIENCE, "the end of the sets under way")  # whole matches
    until(lambda: not platform.count(UNFITTED), PATIENCE, "the fit of the last set")
    until(lambda: not platform.count(CHECKING), PATIENCE, "the last check: whoever passes one stands in the table")
    script = home.folder / "standings.py"
    script.write_bytes(fetched(platform, "docs/files/notebooks/standings.py"))
    for _ in looks(PATIENCE):  # the demo enters one bot after the other, and each stands in the table from then on
        before = standings(platform)
        operated(platform, "dump", "zaibatsu")
        done = home.started([str(home.python), "-I", str(script), f"{platform.address}data/zaibatsu/"], home.folder)
        if (table := standings(platform)) == before:
            break
    assert (len(table) > 2, done.stdout.splitlines()) == (True, told_by_script(table)), done.stderr


def standings(platform: Platform) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(fetched(platform, "api/v1/ladders/zaibatsu/standings"))["standings"]
    return rows


def fetched(platform: Platform, path: str) -> bytes:
    with urllib.request.urlopen(platform.address + path, timeout=PATIENCE) as answer:  # noqa: S310  our own site
        content: bytes = answer.read()
    return content


def operated(platform: Platform, *arguments: str) -> str:
    """Return what a command of the site's operator says."""
    command = [sys.executable, str(manage.ROOT / "manage.py"), *arguments]
    data = platform.data
    servers = {"DATABASE_URL": data.postgres.url, "REDIS_URL": data.valkey.url}
    environment = bare_environment(**servers, DUMPS=str(data.folder / "dumps"))
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def token(platform: Platform) -> str:
    done = operated(platform, "shell", "-v0", "-c", TOKEN)
    return next(line.removeprefix("TOKEN ") for line in done.splitlines() if line.startswith("TOKEN"))


def found_by_links(platform: Platform, folder: Path) -> None:
    """pip reads the page for people, and holds the file to the hash in its link."""
    if not manage.has_pip():
        pytest.skip("NOT TESTED: --find-links, for there is no pip")
    links = ["--no-index", "--find-links", f"{platform.address}kit/"]
    command = [str(manage.INSTALLER), "-m", "pip", "download", "-q", "--no-deps", *links, "boardroom-kit"]
    subprocess.run(command, check=True, cwd=folder)
    assert (folder / wheel().name).read_bytes() == wheel().content
