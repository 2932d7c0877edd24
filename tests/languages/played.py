"""One match of a bot in some language against an honest one, in the real sandbox."""

import pytest

from bots.languages import LANGUAGES, Missing
from bots.protocol import Clock
from engine import replay
from tests.workers.hall import HONEST, Site, an_order
from workers.match import Kit, play
from workers.orders import Report

QUICK = Clock(answer_ms=1_500, bank_ms=20_000, start_ms=2_000)


def need(language: str, kit: Kit | None = None) -> None:
    """Skips, with the remedy, where the language is not installed: nothing can be said of it there.

    Where it is, the kit must have it, but for Node in a box in which nothing can count its threads.
    """
    try:
        LANGUAGES[language].detect()
    except Missing as missing:
        pytest.skip(f"NOT TESTED: bots in {language}: {missing}. {LANGUAGES[language].remedy}")
    if kit and language == "javascript" and not kit.arena.counts_threads:
        assert LANGUAGES[language].offer() not in kit.tools
        pytest.skip(f"NOT TESTED: bots in {language}: Node starts threads, which nothing can count in {kit.arena.tier}")
    assert kit is None or LANGUAGES[language].offer() in kit.tools


def against_honest(site: Site, kit: Kit, data: bytes | str, filename: str) -> Report:
    order = an_order([site.put(data, filename), site.put(HONEST)], clock=QUICK)
    return play(order, order.matches[0], kit)


def verdicts(report: Report) -> list[str]:
    assert report.outcome == "played", report.reason
    found = replay.read(report.replay)
    replay.verify(found)
    return found.result.verdicts
