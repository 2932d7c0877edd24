"""What a worker has seen to work is not tried again by the next one here, unless something has changed."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bots.languages import LANGUAGES, Tool
from bots.languages.static import Static
from workers import capability_cache, languages
from workers.sandbox.arena import Arena

WRONG = Static.trial.replace(b"ready", b"wrong")


@pytest.fixture(autouse=True)
def only_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quickest language, and no proof of another test."""
    monkeypatch.setattr(languages, "ALL", (LANGUAGES["static"],))


@pytest.fixture
def tried(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> list[Tool]:
    """The tools of all trials that were made, which are made as ever."""
    for proof in arena.store.glob(".proofs/?*"):
        proof.unlink()
    seen: list[Tool] = []
    prove = languages.prove_language

    def noted(arena: Arena, language: Static, tool: Tool) -> None:
        seen.append(tool)
        prove(arena, language, tool)

    monkeypatch.setattr(languages, "prove_language", noted)
    return seen


def detected(arena: Arena) -> Tool:
    [tool] = languages.find_tools(arena).values()
    return tool


def kept(arena: Arena) -> list[Path]:
    return [file for file in arena.store.glob(".proofs/*") if file.name != "lock"]


def test_the_next_worker_offers_the_same_without_a_trial(arena: Arena, tried: list[Tool]) -> None:
    assert detected(arena) == detected(arena)
    assert len(tried) == 1


def test_another_version_of_the_tool_is_tried(arena: Arena, tried: list[Tool], monkeypatch: pytest.MonkeyPatch) -> None:
    tool = detected(arena)
    upgraded = replace(tool, version="Linux of tomorrow")
    monkeypatch.setattr(Static, "detect", lambda _: upgraded)
    assert detected(arena) == upgraded
    assert tried == [tool, upgraded]


def test_a_tool_whose_file_has_changed_is_tried(
    arena: Arena, tried: list[Tool], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (command := tmp_path / "tool").touch()
    monkeypatch.setattr(Static, "detect", lambda _: Tool(str(command), "the same"))
    detected(arena)
    os.utime(command, (0, 0))
    detected(arena)
    assert len(tried) == 2


def test_in_a_sandbox_with_less_it_is_tried(arena: Arena, tried: list[Tool], monkeypatch: pytest.MonkeyPatch) -> None:
    detected(arena)
    monkeypatch.setattr(arena, "extras", ("another",))
    detected(arena)
    assert len(tried) == 2


def test_after_a_day_it_is_tried_and_the_old_proof_is_gone(arena: Arena, tried: list[Tool]) -> None:
    detected(arena)
    [proof] = kept(arena)
    long_ago = time.time() - capability_cache.LASTS - 1
    os.utime(proof, (long_ago, long_ago))
    languages.find_tools(arena)
    assert len(tried) == 2
    [again] = kept(arena)
    assert again.stat().st_mtime > long_ago


def test_what_fails_its_trial_is_not_offered_and_tried_each_time(
    arena: Arena, tried: list[Tool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Static, "trial", WRONG)
    assert [languages.find_tools(arena), languages.find_tools(arena)] == [{}, {}]
    assert (len(tried), kept(arena)) == (2, [])


def test_workers_with_other_stores_share_what_is_named_for_them(
    arena: Arena, tried: list[Tool], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(capability_cache.VARIABLE, str(tmp_path / "proofs"))
    assert detected(arena) == detected(arena)
    assert len(tried) == 1
    assert not kept(arena)
    assert len([file for file in (tmp_path / "proofs").iterdir() if file.name != "lock"]) == 1
    assert (tmp_path / "proofs").stat().st_mode & 0o077 == 0


def test_a_folder_in_which_others_can_write_proves_nothing(
    arena: Arena, tried: list[Tool], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (shared := tmp_path / "others").mkdir()
    shared.chmod(0o777)
    monkeypatch.setenv(capability_cache.VARIABLE, str(shared))
    detected(arena)
    assert len(kept(arena)) == 1
    assert not list(shared.iterdir())
    (tmp_path / "link").symlink_to(arena.store)
    monkeypatch.setenv(capability_cache.VARIABLE, str(tmp_path / "link"))
    detected(arena)
    assert len(tried) == 1
