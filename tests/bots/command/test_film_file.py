"""`boardroom watch --html`: a match as one file, which a browser plays without a network."""

import base64
import json
import re
import webbrowser
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from bots.command.film_file import beside
from bots.command.main import main
from bots.viewer import film_chunks
from bots.viewer.film_page import hashed, page
from bots.viewer.perspectives import eyes_of
from engine.replay import read_replay
from tests.bots.viewer.replays import replay_of
from tests.games.record import RECORDED
from tests.tournaments.web.pages.browser.conftest import chromium

Captured = pytest.CaptureFixture[str]
MATCH = RECORDED / "zaibatsu-3.json"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as chrome:
        yield chrome


@pytest.mark.parametrize("name", ["zaibatsu-3", "gigabucks-2", "shangzhou-windows"])
def test_the_pieces_of_a_film_are_those_that_a_site_sends(name: str) -> None:
    replay = replay_of(name)
    for eyes in eyes_of(replay):
        pieces = film_chunks.film(replay, eyes.perspective)
        sent = [
            film_chunks.piece(replay, eyes.perspective, number * film_chunks.PIECE) for number in range(len(pieces))
        ]
        assert pieces == [piece["frames"] for piece in sent]
        assert sent[-1]["next"] is None


def test_the_file_holds_the_frames_for_all_eyes_and_its_own_script_alone() -> None:
    replay = replay_of("zaibatsu-3")
    text = page(replay, seat=1, step=30)
    packed = dict(re.findall(r'data-pieces="(\w+)">([^<]*)<', text))
    assert list(packed) == ["all", "0", "1", "2"]
    frames = json.loads(zlib.decompress(base64.b64decode(packed["1"])))
    assert frames == json.loads(json.dumps(film_chunks.film(replay, eyes_of(replay)[2].perspective)))
    assert re.findall(r'<template data-eyes="(\w+)" data-first>', text) == ["1"]
    script, style = re.findall(r'<script type="module">(.*?)</script>|<style>(.*?)</style>', text, re.DOTALL)[::-1]
    assert hashed(script[0]) in text
    assert hashed(style[1]) in text
    assert not re.search(r"^(import|export) ", script[0], re.MULTILINE)
    assert not re.search(r'(src|href)="(?!data:|\?|#)', text)


def test_what_bots_are_called_is_text_and_nothing_else() -> None:
    plain: dict[str, Any] = json.loads(MATCH.read_bytes())
    plain["players"][0]["name"] = '</script><img src=x onerror="alert(1)">'
    text = page(read_replay(json.dumps(plain).encode()))
    assert "<img" not in text
    assert "&lt;img" in text


def test_it_is_written_beside_its_replay_and_over_nothing_else(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert beside(Path("folder/match-42.json.gz")) == Path("folder/match-42.html")
    replay = tmp_path / "match.json"
    replay.write_bytes(MATCH.read_bytes())
    shown: list[str] = []

    def look(address: str) -> bool:
        shown.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", look)
    for _ in range(2):
        assert main(["watch", str(replay), "--browser", "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == {"html": str(tmp_path / "match.html"), "opened": True}
    assert shown == [(tmp_path / "match.html").as_uri()] * 2
    codes = []
    for out in (replay, tmp_path, tmp_path / "none" / "x.html"):
        assert main(["watch", str(replay), "--html", str(out), "--json"]) == 2
        codes.append(json.loads(capsys.readouterr().out)["error"]["code"])
    assert codes == ["exists", "is_folder", "missing_folder"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["match.html", "match.json"]
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    assert main(["watch", str(replay), "--browser"]) == 1
    assert "[no_browser]" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["zaibatsu-3", "gigabucks-5"])
def test_a_browser_plays_it_from_the_disk(tmp_path: Path, browser: Browser, name: str) -> None:
    replay, file = replay_of(name), tmp_path / "film.html"
    file.write_text(page(replay))
    shown, trouble = browser.new_page(), list[str]()
    shown.on("console", lambda message: trouble.append(message.text))
    shown.on("pageerror", lambda error: trouble.append(str(error)))
    shown.goto(file.as_uri())
    expect(shown.locator("[data-scene]")).not_to_be_empty()
    shown.locator("#scrub").press("End")
    last = len(replay.answers)
    expect(shown.locator("#scrub")).to_have_value(str(last))
    expect(shown.locator(".finale li")).to_have_count(len(replay.players))
    expect(shown.locator(".finale")).to_be_visible()
    worth = [
        f"{round(value, 1):g}" for value in film_chunks.find_moment(replay, eyes_of(replay)[0].perspective, last).worth
    ]
    expect(shown.locator("[data-worth]")).to_have_text(worth)
    shown.locator('[data-as="1"]').click()
    expect(shown.locator('[data-as="1"]')).to_have_attribute("aria-current", "true")
    expect(shown.locator("#scrub")).to_have_value(str(last))
    shown.locator('[data-go="first"]').click()
    expect(shown.locator("#scrub")).to_have_value("0")
    expect(shown.locator(".finale")).to_be_hidden()
    shown.locator("#scrub").fill(str(max(0, last - 40)))  # to watch all of it takes half a minute on a busy machine
    shown.locator("#speed").select_option("30")
    shown.locator("[data-play]").click()
    expect(shown.locator("#scrub")).to_have_value(str(last))
    assert not trouble
    shown.close()
