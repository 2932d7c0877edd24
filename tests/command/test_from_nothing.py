"""The kit as a competitor meets it: an environment that has nothing, no checkout, and a site that runs."""

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import manage
from bots.command.wheel import main as write_wheel
from bots.command.wheel import wheel
from tests import thorough
from tests.launcher.processes import bare_environment
from tests.launcher.test_up import PATIENCE, Platform, up
from tests.patience import looks

NEEDED = ("click", "rich", "markdown-it-py", "mdurl", "Pygments")
TOKEN = (
    "from tournaments.models import User; from tournaments.accounts.api_tokens import make_token; "
    "print('TOKEN', make_token(user=User.objects.create_user('ada', password='x'), name='kit'))"
)


class Home:
    """An environment with the kit's dependencies, copied: nothing is fetched from anywhere but the site."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.python = folder, folder / "venv" / "bin" / "python"
        venv.create(folder / "venv", symlinks=True, with_pip=False)
        packages = next((folder / "venv" / "lib").glob("python3*/site-packages"))
        for name in NEEDED:
            for file in importlib.metadata.files(name) or ():
                if file.suffix == ".py" or file.suffix == ".typed" or ".dist-info" in file.as_posix():
                    target = packages / file
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(file.locate(), target)

    def install(self, *what: str) -> None:
        installer = manage.find_uv()
        command = [installer, "pip", "install"] if installer else [str(manage.INSTALLER), "-m", "pip"]
        with_python = ["--python", str(self.python)]
        command = [*command, *with_python] if installer else [*command, *with_python, "install"]
        subprocess.run([*command, "-q", "--no-deps", *what], check=True, cwd=self.folder)

    def run(self, *arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        clean = {"PATH": f"{self.python.parent}:{os.environ['PATH']}", "HOME": str(self.folder), **environment}
        command = [str(self.python.with_name("boardroom")), *arguments]
        return subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            input=stdin,
            cwd=self.folder,
            env=clean,
            timeout=PATIENCE,
        )

    def told(self, *arguments: str, **environment: str) -> dict[str, object]:
        done = self.run(*arguments, "--json", **environment)
        assert done.returncode == 0, done.stdout + done.stderr
        found: dict[str, object] = json.loads(done.stdout)
        return found


def test_the_wheel_from_a_file_makes_and_plays_a_bot(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert write_wheel([str(tmp_path)]) == 0
    home.install("--offline" if manage.find_uv() else "--no-index", str(tmp_path / wheel().name))
    assert home.run("--version").stdout == f"boardroom {wheel().version}\n"
    assert home.told("new", "zaibatsu", "mine")["language"] == "python"
    played = home.told("play", "zaibatsu", "mine", "random", "--games", "2", "--cores", "1")
    assert [bot["faults"] for bot in played["bots"]] == [{}, {}]  # type: ignore[attr-defined]
    where = subprocess.run(
        [home.python, "-c", "import engine, bots; print(engine.__file__)"], check=True, capture_output=True, cwd="/"
    )
    assert str(tmp_path).encode() in where.stdout
    assert subprocess.run([home.python, "-c", "import django"], check=False, capture_output=True).returncode == 1


@thorough.only("tests/command/test_from_nothing.py::test_the_wheel_from_a_file_makes_and_plays_a_bot")
def test_from_the_running_site_to_a_place_in_its_ladder(tmp_path: Path, subtests: pytest.Subtests) -> None:
    home = Home(tmp_path)
    with up(tmp_path / "data") as platform:
        home.install("--index-url", f"{platform.address}kit/", "boardroom")
        assert home.told("new", "zaibatsu", "mine")["language"] == "python"
        assert home.told("check", "zaibatsu", "mine", "--questions", "200")["matches"]
        assert home.told("play", "zaibatsu", "mine", "random", "--games", "2")["bots"]
        address = {"BOARDROOM_SITE": platform.address}
        assert home.run("login", "--token-stdin", stdin=token(platform), **address).returncode == 0
        submitted = home.told("submit", "mine", "--bot", "My bot", "--game", "zaibatsu", "--ladder", "zaibatsu")
        assert submitted["version"]["status"] == "active"  # type: ignore[index]
        status = home.told("status")
        assert (status["name"], status["differences"]) == ("ada", [])
        a_match_is_watched_and_played_otherwise(home, a_replay(home))
        a_new_version_goes_to_the_gate(home)
        with subtests.test("in another language"):  # what is not here hides nothing else
            in_another_language(home)
        with subtests.test("by links"):
            found_by_links(platform, tmp_path)


def a_replay(home: Home) -> Path:
    """Of the ladder, once there is one: the latest may be of a set that is still played."""
    for _ in looks(PATIENCE):
        home.run("replays", "--ladder", "zaibatsu", "--last", "4", "--to", "kept")
        if found := next((home.folder / "kept").glob("*.json*"), None):
            return found
    raise AssertionError("no match of the ladder was played")


def a_match_is_watched_and_played_otherwise(home: Home, replay: Path) -> None:
    assert home.told("verify", str(replay))
    assert home.run("why", str(replay)).returncode == 0
    assert Path(str(home.told("watch", str(replay), "--html", "film.html")["html"])).name == "film.html"
    forked = home.told("fork", str(replay), "mine", "--seat", "0", "--at", "10", "--replay", "other.json")
    assert forked
    assert home.told("verify", "other.json")


def a_new_version_goes_to_the_gate(home: Home) -> None:
    assert home.told("gate", "--bot", "My bot", "--set", "auto")["trial"] is None
    rung = home.told("climb", "mine", "--most", "16")
    assert rung["game"] == "zaibatsu"
    bot = home.folder / "mine" / "bot.py"
    bot.write_text(bot.read_text() + "SECOND = True\n")
    submitted = home.told("submit", "mine", "--bot", "My bot", "--note", "another")
    assert submitted["version"]["status"] == "candidate"  # type: ignore[index]
    trial = home.told("gate", "--bot", "My bot")["trial"]
    assert (trial["candidate"], trial["champion"]) == (2, 1)  # type: ignore[index]


def in_another_language(home: Home) -> None:
    """The site's worker has whatever this machine has."""
    if not shutil.which("node"):
        pytest.skip("NOT TESTED: a bot in JavaScript, for there is no Node")
    assert home.told("new", "kaiju", "other", "--lang", "javascript")["language"] == "javascript"
    assert home.told("play", "kaiju", "other", "random", "--games", "2")["bots"]
    submitted = home.told("submit", "other", "--bot", "Other", "--game", "kaiju", "--ladder", "kaiju")
    assert submitted["version"]["status"] == "active"  # type: ignore[index]


def token(platform: Platform) -> str:
    command = [sys.executable, str(manage.ROOT / "manage.py"), "shell", "-v0", "-c", TOKEN]
    environment = bare_environment(DATABASE_URL=platform.data.postgres.url)
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return next(line.removeprefix("TOKEN ") for line in done.stdout.splitlines() if line.startswith("TOKEN"))


def found_by_links(platform: Platform, folder: Path) -> None:
    """pip reads the page for people, and holds the file to the hash in its link."""
    if not manage.has_pip():
        pytest.skip("NOT TESTED: --find-links, for there is no pip")
    links = ["--no-index", "--find-links", f"{platform.address}kit/"]
    command = [str(manage.INSTALLER), "-m", "pip", "download", "-q", "--no-deps", *links, "boardroom"]
    subprocess.run(command, check=True, cwd=folder)
    assert (folder / wheel().name).read_bytes() == wheel().content
