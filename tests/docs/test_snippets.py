"""Every piece of code that README and docs show runs as it stands there, page by page, as by a reader who copies it.

`treatments.py` says which runs with other words, which another test runs, and which cannot run here.
"""

import configparser
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands, load_command_class
from pytest_django.live_server_helper import LiveServer

from engine.dice import Dice
from engine.games.zaibatsu import ZAIBATSU, Options
from engine.records import to_plain
from engine.referee import run_match
from engine.replay import Player, record, write_replay
from engine.seeds import Proof, earlier_link, seed_of
from tests.docs.snippets import ROOT, Snippet, snippets
from tests.docs.treatments import TREATMENTS, Elsewhere, File, Treatment, With
from tests.factories import SAMPLE, a_user, rate
from tests.games.record import RECORDINGS, Players
from tests.holding import KNOCKOUT, a_running, play_out
from tests.tournaments.web.api.world import a_world
from tournaments.core.accounts.api_tokens import make_token
from tournaments.features.seasons.steps import print_due
from tournaments.ledger.acts.ladder_status import Close
from tournaments.ledger.dumps.dump import dump

PROGRAMS = {"python", "console"}
PARSERS: dict[str, Callable[[str], Any]] = {
    "json": json.loads,
    "toml": tomllib.loads,
    "yaml": yaml.safe_load,
    "ini": lambda text: configparser.RawConfigParser(strict=False).read_string("[file]\n" + text),
}
PICTURES = {"", "text"}  # nobody runs them
NEXT = "\x1e"  # between what two commands write
SECRET, BEACON, BUNDLES = "11" * 32, "22" * 32, ["33" * 32, "44" * 32]  # of docs/deals.md


def rows_of(snippet: Snippet) -> list[tuple[str, str]]:
    """Return the treatments that fit."""
    words = f"{snippet.language}\n{snippet.text}"
    return [(page, part) for page, part in TREATMENTS if fnmatch(snippet.page, page) and part in words]


def treatment(snippet: Snippet) -> Treatment:
    return next((TREATMENTS[row] for row in rows_of(snippet)), With())


def command(snippet: Snippet) -> str:
    """Return what a shell is given: of a bot that it plays a match without a fault, of a program that it runs."""
    how = treatment(snippet)
    text = snippet.text
    for old, new in how.replaced.items() if isinstance(how, With) else ():
        text = text.replace(old, new)
    if snippet.language == "console":
        return text
    is_bot = re.search(r"^play\(", text, re.MULTILINE)
    name = "mybot.py" if is_bot else f"line_{snippet.line}.py"
    match = f"manage.py boardroom play zaibatsu {name} random --games 1 --json | grep '\"slips\": \\[\\]'"
    return f"cat > {name} <<'END'\n{text}END\npython3 {match if is_bot else name}\n"


def runs(snippet: Snippet) -> bool:
    how = treatment(snippet)
    return snippet.language in PROGRAMS and isinstance(how, With) and how.runs()


PAGES = sorted({snippet.page for snippet in snippets() if runs(snippet)})


@pytest.fixture
def site(live_server: LiveServer, transactional_db: None, tmp_path: Path, settings: Any) -> dict[str, str]:
    """A site with a closed ladder, its dump, and an event that is over."""
    settings.DUMPS = tmp_path / "dumps"
    world, ada = a_world(), a_user("reader")
    play_out(a_running(3, KNOCKOUT, slug="cup"))
    Close(ladder=world.ladder).do(by=a_user(staff=True), reason="the season is over")
    rate()
    world.ladder.refresh_from_db()
    print_due()
    dump(world.ladder, settings.DUMPS)
    return {
        "SITE": live_server.url,
        "TOKEN": make_token(user=ada, name="laptop"),
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make the folder where the reader is: a checkout, beside files that the pages speak of."""
    folder = tmp_path / "reader"
    folder.mkdir()
    (folder / "manage.py").symlink_to(ROOT / "manage.py")
    (folder / "python3").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    (folder / "python3").chmod(0o700)
    for name in ("sign-on.json", "uni.secret"):
        (folder / name).touch()
    for name in ("mybot.py", "old.py", "new.py"):
        (folder / name).write_bytes(SAMPLE)
    put_deal(folder)
    return folder


def put_deal(folder: Path) -> None:
    """The match of docs/deals.md, and its proof."""
    link, anchor = earlier_link(SECRET, 1), earlier_link(SECRET, 3)
    seed = seed_of(link, BEACON, BUNDLES)
    options = Options(players=2)
    played = run_match(ZAIBATSU, options, seed, Players(RECORDINGS["zaibatsu-3"], Dice.of("docs")))
    players = [Player("Blend", 3, BUNDLES[0]), Player("Marginal", 1, BUNDLES[1])]
    (folder / "zaibatsu-match-42.json").write_bytes(write_replay(record(ZAIBATSU, options, seed, players, played)))
    proof = Proof(anchor, 3, 2, link, BEACON)
    (folder / "zaibatsu-match-42-proof.json").write_text(json.dumps(to_plain(proof)))


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_shows_runs_and_prints_what_it_says(
    page: str, folder: Path, request: pytest.FixtureRequest
) -> None:
    shown = [snippet for snippet in snippets() if snippet.page == page and runs(snippet)]
    script = f"\nprintf '{NEXT}'\n".join(map(command, shown))
    environment = {
        **os.environ,
        **(request.getfixturevalue("site") if re.search(r"SITE|TOKEN", script) else {}),
        "PATH": f"{folder}:{os.environ['PATH']}",
        "PYTHONPATH": f"{ROOT}:{ROOT / 'tests' / 'sixth_game'}",
        "BOARDROOM_GAMES": "tender" if page == "docs/add-a-game.md" else "",
    }
    start = 'set -e -o pipefail\ncurl() { command curl --fail --silent --show-error "$@"; }\n'
    done = subprocess.run(
        ["bash", "-c", start + script], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{shown[done.stdout.count(NEXT)]}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    for snippet, printed in zip(shown, done.stdout.split(NEXT), strict=True):
        if snippet.output:
            assert re.fullmatch(re.escape(snippet.output).replace(r"\.\.\.", ".*"), printed), (snippet, printed)


def test_what_is_python_compiles_wherever_it_runs() -> None:
    for snippet in snippets():
        if snippet.language == "python":
            compile(snippet.text, str(snippet), "exec")


@pytest.mark.parametrize("language", PARSERS)
def test_what_is_data_can_be_read(language: str) -> None:
    data = [snippet for snippet in snippets() if snippet.language == language and isinstance(treatment(snippet), With)]
    assert data != []
    for snippet in data:
        PARSERS[language](snippet.text)


def test_every_snippet_has_a_language_that_is_run_or_read() -> None:
    readable = PROGRAMS | PICTURES | {*PARSERS}
    unread = [candidate for candidate in snippets() if candidate.language not in readable]
    assert [candidate for candidate in unread if not isinstance(treatment(candidate), Elsewhere)] == []


def test_what_the_page_shows_of_a_file_is_the_file() -> None:
    for snippet in snippets():
        if isinstance(how := treatment(snippet), File):
            assert snippet.text == (ROOT / how.path).read_text(), snippet


def test_no_treatment_is_stale() -> None:
    fits = [rows_of(snippet) for snippet in snippets()]
    assert [rows for rows in fits if len(rows) > 1] == []
    assert [row for row in TREATMENTS if [row] not in fits] == []
    for row, how in TREATMENTS.items():
        if isinstance(how, Elsewhere):
            assert f"\ndef {how.test}(" in (ROOT / how.file).read_text(), row
        if isinstance(how, With):
            texts = [snippet.text for snippet in snippets() if row in rows_of(snippet)]
            assert [old for old in how.replaced if not any(old in text for text in texts)] == [], row


def test_every_command_of_the_site_that_is_shown_has_these_options() -> None:
    """Commands that do not run here are looked at too."""
    commands = [name for name, app in get_commands().items() if app == "tournaments"]
    for snippet in snippets():
        for name, arguments in re.findall(r"manage\.py (\w+)([^#&|;\n]*)", snippet.text):
            if snippet.language == "console" and name in commands and name not in ("bench", "faults"):
                parser = load_command_class("tournaments", name).create_parser("manage.py", name)
                words = arguments if name == "up" else re.sub(r"--data \S+", "", arguments)  # the launcher takes it
                parser.parse_args(shlex.split(words))
