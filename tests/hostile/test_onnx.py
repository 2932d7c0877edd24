"""ONNX Runtime in the same boxes as NumPy: with one thread, without its reports, and nothing more."""

import os

import pytest

from bots.bundle import read_bundle
from bots.languages import LANGUAGES, Missing
from tests.hostile.boxes import DEADLINE_S, SMALL, bundle, hear, hear_all
from workers import languages
from workers.sandbox.arena import Arena
from workers.sandbox.box import Box
from workers.sandbox.limits import Limits

ONNX = LANGUAGES["onnx"]
TRIAL = ONNX.trial.decode()


@pytest.fixture(scope="module")
def reads() -> tuple[str, ...]:
    try:
        return ONNX.detect().reads
    except Missing as missing:
        pytest.skip(f"NOT TESTED: bots in onnx: {missing}. {ONNX.remedy}")


def start(arena: Arena, reads: tuple[str, ...], source: str, limits: Limits = SMALL) -> Box:
    return arena.spawn(bundle(arena, source), "bot.py", limits, packages=reads)


def run(arena: Arena, reads: tuple[str, ...], source: str, limits: Limits = SMALL) -> str:
    with start(arena, reads, source, limits) as box:
        output, errors = hear_all(box.stdout), hear_all(box.stderr)
        assert box.ended(DEADLINE_S)
    return output + errors


def test_a_bot_of_it_computes_where_a_worker_offers_it(arena: Arena, reads: tuple[str, ...]) -> None:
    assert read_bundle(ONNX.trial, "bot.py").need == "onnx"
    assert run(arena, reads, TRIAL) == "ready\n"
    languages.prove_language(arena, ONNX, ONNX.detect())


def test_it_has_one_thread_and_reports_to_nobody(arena: Arena, reads: tuple[str, ...]) -> None:
    """Threads of its own would begin where it is loaded: before the bot is there."""
    with start(arena, reads, f"{TRIAL}\ninput()") as box:
        assert hear(box) == "ready\n"
        assert len(os.listdir(f"/proc/{box.pid}/task")) == 1  # noqa: PTH208 - the names are not wanted


def test_its_own_size_is_not_the_bots(arena: Arena, reads: tuple[str, ...]) -> None:
    least = Limits(memory_mb=64)
    assert run(arena, reads, f"{TRIAL}\nnumpy.ones(3_000_000)", least) == "ready\n"
    assert "MemoryError" in run(arena, reads, "import numpy, onnxruntime\nnumpy.ones(40_000_000)", least)


def test_who_asks_for_numpy_alone_has_not(arena: Arena, reads: tuple[str, ...]) -> None:
    assert "No module named 'onnxruntime'" in run(arena, reads[:-1], "import numpy, onnxruntime")
