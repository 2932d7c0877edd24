"""A bot in each language of `boardroom new`, in an environment that has nothing but the wheel."""

import os

import pytest

import manage
from bots.command.new import LANGUAGES
from bots.command.wheel import main as write_wheel
from bots.command.wheel import wheel
from tests.bots.command.bare_home import Home
from tests.languages.played import need_new

REAL = os.environ.get("HOME", "/")


@pytest.fixture(scope="module")
def equipped(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return a home with the wheel from a file, which is that of the site to the byte."""
    home = Home(tmp_path_factory.mktemp("equipped"))
    assert write_wheel([str(home.folder)]) == 0
    home.install("--offline" if manage.find_uv() else "--no-index", str(home.folder / wheel().name))
    home.link("numpy")
    return home


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_in_each_language_passes_the_test_that_comes_with_it(language: str, equipped: Home) -> None:
    """That test builds it, once, and plays it at home. Compilers look for what is theirs in the real home."""
    need_new(language)
    made = equipped.printed("new", "zaibatsu", language, "--lang", language, HOME=REAL)
    assert (made["language"], made["not_built"]) == (language, "")
    tested = equipped.started([str(equipped.python), "-m", "unittest"], equipped.folder / language, HOME=REAL)
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "Ran 1 test" in tested.stderr
