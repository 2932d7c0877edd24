"""One match of a bot in some language against an honest one, in the real sandbox."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bots.command.new import uploaded_in
from bots.languages import LANGUAGES, Missing, Tool
from bots.protocol import Clock
from engine import replay
from tests.workers.hall import HONEST, Site, an_order
from workers.match import Kit, report_match
from workers.orders import Report
from workers.sandbox.arena import Arena

QUICK = Clock(answer_ms=1_500, bank_ms=20_000, start_ms=2_000)

STRIPS = (22, 13)  # of Node
THREADED = ("javascript", "go", "java")
OLD_RUST = "rustc 1.63."  # Debian 12's


def need(language: str, kit: Kit | None = None) -> None:
    """Skips, with the remedy, where the language is not installed: nothing can be said of it there.

    Where it is, the kit must have it, but for what starts threads by itself in a box in which nothing can count them,
    and for what lies in a folder of root's where bots have users of their own and see the folders of the machine.
    """
    try:
        tool = LANGUAGES[language].detect()
    except Missing as missing:
        pytest.skip(f"NOT TESTED: bots in {language}: {missing}. {LANGUAGES[language].remedy}")
    if kit and language in THREADED and not kit.arena.counts_threads:
        assert LANGUAGES[language].offer() not in kit.tools
        pytest.skip(f"NOT TESTED: bots in {language}: it starts threads, which nothing can count in {kit.arena.tier}")
    if kit and isinstance(kit.arena, Arena) and _walks(kit.arena) and (shut := _shut(tool)):
        assert LANGUAGES[language].offer() not in kit.tools
        pytest.skip(f"NOT TESTED: bots in {language}: other users may not enter {shut}. {LANGUAGES[language].remedy}")
    if kit and tool.version.startswith(OLD_RUST):
        assert LANGUAGES[language].offer() not in kit.tools
        pytest.skip(f"NOT TESTED: bots in {language}: {tool.version} looks for itself in /proc, and a box has none")
    assert kit is None or LANGUAGES[language].offer() in kit.tools


def need_new(language: str, kit: Kit | None = None) -> None:
    """Skip the test if what `boardroom new --lang` makes in that language cannot be built here."""
    need(uploaded_in(language), kit)
    if language == "typescript" and not (strips_types() or shutil.which("esbuild") or shutil.which("tsc")):
        pytest.skip("NOT TESTED: bots in typescript: no Node 22.13, esbuild or tsc. Debian: apt-get install esbuild")


def strips_types() -> bool:
    """Whether Node itself makes JavaScript of TypeScript."""
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(map(int, re.findall(r"\d+", version)[:2])) >= STRIPS


def _walks(arena: Arena) -> bool:
    """Whether a bot is a user of its own that comes to its language through the folders of the machine."""
    return arena.tier == "landlock" and arena.plan.own_user


def _shut(tool: Tool) -> Path | None:
    """The first folder on the way to what the language reads that is not open to every user."""
    folders = (folder for path in (tool.command, *tool.reads) for folder in reversed(Path(path).parents))
    return next((folder for folder in folders if folder.is_dir() and not folder.stat().st_mode & 0o001), None)


MOST_STALLS = 3


def against_honest(site: Site, kit: Kit, data: bytes | str, filename: str) -> Report:
    """Play it against an honest bot. What is void, where the machine stalls, is played again, as by a site."""
    order = an_order([site.put(data, filename), site.put(HONEST)], clock=QUICK)
    report = report_match(order, order.matches[0], kit)
    for _ in range(MOST_STALLS):
        if "the machine kept" in report.reason:
            report = report_match(order, order.matches[0], kit)
    return report


def verdicts(report: Report) -> list[str]:
    assert report.outcome == "played", report.reason
    recorded = replay.read_replay(report.replay)
    replay.verify(recorded)
    return recorded.result.verdicts
