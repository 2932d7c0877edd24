"""The samples in other languages play without a fault, at home and in the sandbox."""

import json

import pytest

from bots.command.main import main
from bots.contest import sample_files, sample_names
from engine.games import GAMES
from tests.languages.played import against_honest, need, verdicts
from tests.workers.hall import Site
from workers.match import Kit

IN_OTHER_LANGUAGES = {"frugal.js": "javascript", "frugal.c": "c"}


def test_every_sample_has_its_language_here() -> None:
    names = {game: {name for name in sample_names(game) if "." in name} for game in GAMES}
    assert {game: foreign for game, foreign in names.items() if foreign} == {"zaibatsu": {*IN_OTHER_LANGUAGES}}


@pytest.mark.usefixtures("any_core")
@pytest.mark.parametrize("option", ["piles=closed", "piles=open", "unsold=carry"])
@pytest.mark.parametrize("name", IN_OTHER_LANGUAGES)
def test_a_sample_plays_at_home(name: str, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    need(IN_OTHER_LANGUAGES[name])
    assert main(["play", "zaibatsu", name, "random", name, "--games", "3", "--json", "--option", option]) == 0
    bots = json.loads(capsys.readouterr().out)["bots"]
    assert [bot["faults"] for bot in bots] == [{}, {}, {}]


@pytest.mark.parametrize("name", IN_OTHER_LANGUAGES)
def test_a_sample_plays_in_the_sandbox(site: Site, kit: Kit, name: str) -> None:
    need(IN_OTHER_LANGUAGES[name], kit)
    report = against_honest(site, kit, sample_files("zaibatsu")[name].read_bytes(), name)
    assert verdicts(report) == ["ok", "ok"]
    assert report.faults == []
    assert all(0 < used < 600 for used in report.memory_mb)
