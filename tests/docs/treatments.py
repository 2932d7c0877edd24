"""How the snippets are run that do not run as they stand, and why a few cannot be run here.

Every other one runs as it stands. A row that fits no snippet, or whose reason is no longer true, fails a test.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec


@dataclass(frozen=True, slots=True)
class With:
    """It runs with these words in the place of those, where these packages are installed."""

    replaced: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()

    def runs(self) -> bool:
        return all(map(find_spec, self.needs))


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Another test runs it, or what it does."""

    file: str
    test: str


@dataclass(frozen=True, slots=True)
class File:
    """It is a file of the project, to the letter."""

    path: str


@dataclass(frozen=True, slots=True)
class NotHere:
    """It cannot run here."""

    why: str


Treatment = With | Elsewhere | File | NotHere
UP = Elsewhere("tests/tournaments/ops/launcher/test_up.py", "test_commands_of_djangos_use_the_running_servers")
RECOVERED = Elsewhere("tests/tournaments/ops/backups/test_backups.py", "test_every_table_comes_back_as_it_was")
FETCHES = NotHere("it fetches packages or images from a registry")
DEVELOPERS = NotHere("it runs all tests, or measures for minutes")
TENDER = "tests/sixth_game/tender"
# By page and by words of the snippet.
TREATMENTS: dict[tuple[str, str], Treatment] = {
    ("*", "manage.py test "): DEVELOPERS,
    ("*", "manage.py bench"): DEVELOPERS,
    ("*", "manage.py faults"): DEVELOPERS,
    ("*", "matches 10000"): With({"10000": "3"}),
    ("*", "--require-hashes"): FETCHES,
    ("*", "docker compose build"): FETCHES,
    ("README.md", "git clone"): NotHere("the checkout is there"),
    ("README.md", "manage.py up"): UP,
    ("README.md", "--games 30"): With({"30": "3"}),
    ("docs/add-a-game.md", "manage.py up"): Elsewhere(
        "tests/sixth_game/test_sixth_game.py", "test_up_says_the_sentence_alone"
    ),
    ("docs/add-a-game.md", "GAME = Game("): File(f"{TENDER}/__init__.py"),
    ("docs/add-a-game.md", '"""The rules: each contract'): File(f"{TENDER}/rules.py"),
    ("docs/add-a-game.md", "range(100)"): With({"range(100)": "range(2)"}),
    ("docs/api.md", ""): Elsewhere(
        "tests/tournaments/web/api/test_docs.py", "test_every_example_of_the_page_works_as_printed"
    ),
    ("docs/contributing.md", "diff\n"): Elsewhere(
        "tests/docs/test_recipes.py", "test_a_recipe_touches_one_folder_and_does_what_it_says"
    ),
    ("docs/data.md", "pandas"): With(
        {"http://127.0.0.1:8000": '" + __import__("os").environ["SITE"] + "'}, needs=("pandas", "pyarrow")
    ),
    ("docs/environments.md", "REINFORCE"): With({"play(weights, 250": "play(weights, 9", ", 120, ": ", 9, "}),
    ("docs/events.md", "rehearse"): Elsewhere(
        "tests/tournaments/management/commands/test_rehearse.py",
        "test_formats_are_compared_side_by_side_with_the_ladders_bots",
    ),
    ("docs/games/*.md", "json"): Elsewhere(
        "tests/games/test_pages.py", "test_every_example_of_a_question_and_its_answer_is_legal"
    ),
    ("docs/games/*.md", "--samples"): Elsewhere(
        "tests/games/test_long.py", "test_samples_play_each_table_and_their_wins_are_counted"
    ),
    ("docs/install.md", "manage.py up"): UP,
    ("docs/install.md", "manage.py wasm"): FETCHES,
    ("docs/install.md", "manage.py worker"): Elsewhere(
        "tests/hosts/test_door.py", "test_a_ladder_is_played_with_one_worker_killed_and_one_lying"
    ),
    ("docs/install.md", "docker"): Elsewhere(
        "tests/test_compose.py", "test_the_first_organiser_is_made_by_the_command_that_the_docs_say"
    ),
    ("docs/install.md", "look POSTGRES"): FETCHES,
    ("docs/kit.md", "boardroom.example"): Elsewhere(
        "tests/bots/command/test_from_nothing.py", "test_the_wheel_from_a_file_makes_and_plays_a_bot"
    ),
    ("docs/kubernetes.md", ""): NotHere("there is no cluster"),
    ("docs/recover.md", "manage.py backup"): RECOVERED,
    ("docs/recover.md", "manage.py restore"): RECOVERED,
    ("docs/run.md", "docker compose logs"): NotHere("no containers run"),
    ("docs/sign-on.md", "manage.py up"): UP,
    ("docs/write-a-bot.md", "mybot.py random"): With({"30": "1"}),
    ("docs/write-a-bot.md", "frugal.js"): Elsewhere("tests/languages/test_samples.py", "test_a_sample_plays_at_home"),
    ("docs/write-a-bot.md", "--games 40"): With({"40": "1"}),
    ("docs/write-a-bot.md", "1000"): With({"1000": "6"}),
    ("docs/write-a-bot.md", "boardroom series"): Elsewhere(
        "tests/bots/command/test_series.py", "test_it_decides_and_goes_on_from_a_journal_that_was_cut_off"
    ),
    ("docs/write-a-bot.md", "BOARDROOM_TOKEN"): With({"brd_...": "$TOKEN"}),
    ("docs/write-a-bot.md", "boardroom submit"): With({"https://boardroom.example": "$SITE --no-wait"}),
    ("docs/write-a-bot.md", "onnxruntime"): Elsewhere(
        "tests/hostile/test_onnx.py", "test_a_bot_of_it_computes_where_a_worker_offers_it"
    ),
}
