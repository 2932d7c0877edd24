"""A sixth game, from outside: docs/add-a-game.md shows it, and no line of the platform is changed for it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.languages.played import need_new

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGE = (ROOT / "docs" / "add-a-game.md").read_text()
FILES = sorted(path for path in (HERE / "tender").rglob("*") if path.suffix in (".py", ".md"))
MOST_LINES = 450


def run(*command: str, games: str = "tender", folder: Path = HERE, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "BOARDROOM_GAMES": games, "PYTHONPATH": str(folder), **more}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_the_platform_plays_records_shows_and_explains_it() -> None:
    """The tests of inside.py run in a process that knows the game: one more of this run, with a database of its own."""
    process = int(os.environ.get("TEST_PROCESS", "0")) + 7  # of the broker, the same one
    done = run("-m", "pytest", "-q", str(HERE / "inside.py"), TEST_PROCESS=str(process))
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]


def test_it_is_played_at_home() -> None:
    done = run("-m", "bots.command", "play", "tender", "random", "match", "--games", "2", "--json")
    assert done.returncode == 0, done.stderr
    assert '"slips": []' in done.stdout


HANDED_OVER = """
import multiprocessing, pickle
from engine.batch import Batch, at_random
from engine.games import GAMES

multiprocessing.set_start_method("spawn")
alone, batch = (Batch("tender", 4, processes=many) for many in (1, 2))
assert batch.play(at_random) == alone.play(at_random)
match = GAMES["tender"].start(GAMES["tender"].read_options({}), "handed over")
again = pickle.loads(pickle.dumps(match))
for each in (match, again):
    each.apply({seat: question.default() for seat, question in each.questions.items()})
assert again.at == match.at
"""


def test_its_matches_go_on_in_other_processes() -> None:
    done = run("-c", HANDED_OVER)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_doctor_finds_nothing_amiss_in_a_bot_that_imports_the_game() -> None:
    sample = HERE / "tender" / "samples" / "match.py"
    done = run("-m", "bots.command", "check", "tender", str(sample), "--questions", "20")
    assert (done.returncode, "imports nothing that a site does not have" in done.stdout) == (0, True), done.stdout


def test_it_has_schemas_its_untagged_answer_by_the_name_of_its_class() -> None:
    done = run("-m", "bots.command", "schema", "tender")
    assert (done.returncode, done.stderr) == (0, "")
    schemas = json.loads(done.stdout)
    assert list(schemas) == ["question-bid", "answer-Bid", "view", "event-offered", "event-settled"]
    assert Draft202012Validator(schemas["answer-Bid"]).is_valid({"note": 3})
    assert not Draft202012Validator(schemas["answer-Bid"]).is_valid({"t": "bid", "note": 3})


@pytest.mark.parametrize("language", ["javascript", "c"])
def test_a_new_bot_in_another_language_begins_with_its_first_answers(language: str, tmp_path: Path) -> None:
    need_new(language)
    bot = str(tmp_path / "bot")
    assert run("-m", "bots.command", "new", "tender", bot, "--lang", language).returncode == 0
    done = run("-m", "bots.command", "play", "tender", bot, "random", "--games", "2", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["bots"][0]["faults"] == {}


ENVIRONMENT = """
from warnings import simplefilter

from bots.environments.gym import SeatEnv
from bots.environments.layout import along
from gymnasium.utils.env_checker import check_env

simplefilter("ignore")
env = SeatEnv("tender", opponents="match")
check_env(env)
env.reset(seed=1)
course = env.course
view = course.encoding.game.see(course.match.at, 0)
fields = course.encoding.layout.fields
assert [field.codec.write(field.read(course.match.at, 0)) for field in fields] == [
    field.codec.write(along(view, field.name.split("."))) for field in fields
]
"""


def test_its_environment_observes_what_its_view_says() -> None:
    done = run("-c", ENVIRONMENT)
    assert done.returncode == 0, done.stderr


def test_the_page_names_each_file_and_has_the_whole_of_the_rules() -> None:
    for path in FILES:
        assert path.name in PAGE
        if path.name in ("__init__.py", "rules.py"):
            assert path.read_text() in PAGE, path


def test_it_is_small() -> None:
    assert sum(len(path.read_text().splitlines()) for path in FILES) <= MOST_LINES


REFUSED = {
    "nothing of that name": (
        {},
        "BOARDROOM_GAMES: odd cannot be imported: ModuleNotFoundError: No module named 'odd'.",
    ),
    "a module": ({"odd.py": ""}, "BOARDROOM_GAMES: odd is no package; it must be a folder with an __init__.py."),
    "no game": ({"odd/__init__.py": ""}, "BOARDROOM_GAMES: odd lacks GAME, an engine.game.Game."),
    "something else": ({"odd/__init__.py": "GAME = 1"}, "BOARDROOM_GAMES: odd lacks GAME, an engine.game.Game."),
    "an error": ({"odd/__init__.py": "1 / 0"}, "odd cannot be imported: ZeroDivisionError: division by zero."),
    "a name that is there": (
        {"odd/__init__.py": "from engine.games.kaiju import KAIJU as GAME"},
        "BOARDROOM_GAMES: odd brings kaiju, and there is a game of that name.",
    ),
}


@pytest.mark.parametrize(
    "case",
    REFUSED,
)
def test_a_package_that_is_no_game_is_refused_in_a_sentence(case: str, tmp_path: Path) -> None:
    files, sentence = REFUSED[case]
    put(tmp_path, files)
    done = run("-c", "import engine.games", games="odd", folder=tmp_path)
    assert (done.returncode, sentence in done.stderr) == (1, True), done.stderr


def test_up_says_the_sentence_alone(tmp_path: Path) -> None:
    files, sentence = REFUSED["an error"]
    put(tmp_path, files)
    result = run("manage.py", "up", "--data", str(tmp_path / "data"), games="odd", folder=tmp_path)
    assert (result.returncode, result.stderr.strip().count("\n")) == (2, 0), result.stderr
    assert sentence in result.stderr


TENDER = f"import sys; sys.path.append({str(HERE)!r}); from tender import GAME"
UNSHOWN = {
    "half a board": ("def draw(): ...", "odd.viewer has draw; a board is UNIT, draw, worth, all three of them."),
    "no part": ("", "BOARDROOM_GAMES: odd.viewer holds none of UNIT, draw, worth, tell, ask."),
    "an error": ("1 / 0", "BOARDROOM_GAMES: odd.viewer cannot be imported: ZeroDivisionError: division by zero."),
}


@pytest.mark.parametrize(
    "case",
    UNSHOWN,
)
def test_a_viewer_that_is_none_is_refused_in_a_sentence(case: str, tmp_path: Path) -> None:
    source, sentence = UNSHOWN[case]
    put(tmp_path, {"odd/__init__.py": TENDER, "odd/viewer.py": source})
    done = run("-c", "import bots.viewer.boards", games="odd", folder=tmp_path)
    assert (done.returncode, sentence in done.stderr) == (1, True), done.stderr


def test_a_game_without_a_page_of_rules_is_refused_in_a_sentence(tmp_path: Path) -> None:
    put(tmp_path, {"odd/__init__.py": TENDER})
    done = run("manage.py", "check", games="odd", folder=tmp_path)
    assert (done.returncode, "odd lacks rules.md, the page of its rules." in done.stderr) == (2, True), done.stderr


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
