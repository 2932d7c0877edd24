"""WebAssembly as a worker's own tier: after what the kernel offers, never in silence, and for ordinary ladders too."""

import os
from pathlib import Path

import pytest

from bots.protocol import Clock
from engine import replay
from engine.games import GAMES
from tests.hostile.test_layers_removed import weaken
from tests.wasm.games import HONEST, late
from tests.workers.hall import TOKEN, Hall, Site, a_worker, an_order, own_database
from workers import bot_runner
from workers.bot_runner import Bare
from workers.bundles import Shelf, own_folder
from workers.match import Kit, report_match
from workers.orders import Order, Report
from workers.sandbox.arena import Arena
from workers.sandbox.errors import SandboxError
from workers.sandbox.wasm import pack, selftest
from workers.sandbox.wasm.pack import FUEL_PER_MS


@pytest.fixture
def store(tmp_path: Path) -> Path:
    (folder := own_folder(str(tmp_path / "cache")) / "unpacked").mkdir()
    return folder


@pytest.fixture
def bare(store: Path, site: Site) -> Kit:
    """A worker's kit in this tier."""
    return Kit("tester/1", Shelf(store.parent, site.url, TOKEN), bot_runner.find_runner(store, tier="wasm"))


def refusal(store: Path, minimum: str = "", tier: str = "") -> SandboxError:
    with pytest.raises(SandboxError) as error:
        bot_runner.find_runner(store, minimum=minimum, tier=tier)
    return error.value


def test_the_tier_is_given_to_whoever_asks_for_it(store: Path) -> None:
    runner = bot_runner.find_runner(store, tier="wasm")
    assert (type(runner), runner.tier, runner.extras) == (Bare, "wasm", ())


def test_a_stronger_tier_is_taken_where_one_holds(store: Path) -> None:
    runner = bot_runner.find_runner(store, minimum="wasm")
    assert isinstance(runner, Arena)
    runner.close()


def test_where_the_kernel_makes_no_arena_it_is_taken_if_the_minimum_allows_it(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weaken(monkeypatch, "seccomp.install = lambda program: None")
    assert bot_runner.find_runner(store, minimum="wasm").tier == "wasm"
    for minimum in ("", "landlock", "pure"):
        assert refusal(store, minimum).code == "no_sandbox"


def test_without_its_pack_the_command_that_builds_it_is_said(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.sandbox.wasm.pack.HOME", store)
    reason = refusal(store, tier="wasm")
    assert reason.code == "tier_not_here"
    assert "python3 manage.py wasm" in str(reason)
    monkeypatch.setattr("workers.sandbox.syscalls.NUMBERS", {})
    fallen = refusal(store, "wasm")
    assert fallen.code == "no_sandbox"
    assert "The arena needs Linux" in str(fallen)
    assert "python3 manage.py wasm" in str(fallen)


def test_a_tier_that_does_not_exist_is_refused_with_the_names_of_those_that_do(store: Path) -> None:
    for error in (refusal(store, "cotton"), refusal(store, tier="cotton")):
        assert error.code == "unknown_tier"
        assert "namespaces, landlock, pure, wasm" in str(error)


@pytest.mark.parametrize(
    ("tries", "probe", "start", "output"),
    [
        (("open(__file__)",), selftest.PROBE, 5_000, "could do open(__file__)"),
        (
            (),
            selftest.PROBE.replace("while True: pass", "raise SystemExit"),
            5_000,
            "ended by 'exit' where fuel should",
        ),
        ((), "import sys\nwhile True: pass\n", 500, "did not end well"),
    ],
)
def test_a_machine_that_does_not_hold_is_refused(
    store: Path, monkeypatch: pytest.MonkeyPatch, tries: tuple[str, ...], probe: str, start: int, output: str
) -> None:
    """`start`: the milliseconds of fuel for its beginning, all of which the last one burns."""
    monkeypatch.setattr(selftest, "START", start * FUEL_PER_MS)
    monkeypatch.setattr(selftest, "PROBE", probe.replace(repr(selftest.TRIES), repr(selftest.TRIES + tries)))
    assert output in str(refusal(store, tier="wasm"))


def played(order: Order, kit: Kit) -> tuple[Report, replay.Replay]:
    report = report_match(order, order.matches[0], kit)
    assert (report.outcome, report.reason, report.tier) == ("played", "", "wasm")
    recorded = replay.read_replay(report.replay)
    replay.verify(recorded)
    return report, recorded


def test_an_ordinary_ladder_is_played_with_its_clock_in_fuel(site: Site, bare: Kit) -> None:
    order = an_order([site.put(late("while True: pass")), site.put(HONEST)], clock=Clock(100, 20_000, 3_000))
    report, recorded = played(order, bare)
    assert recorded.result.verdicts == ["timed out", "ok"]
    assert "used more than the 0.1 s" in report.faults[0].detail
    assert played(order, bare)[1] == recorded
    assert recorded.terms is None  # the ladder promises nobody that it can be played again


def test_a_set_of_the_deterministic_division_is_played_as_in_an_arena(site: Site, bare: Kit, kit: Kit) -> None:
    order = an_order([site.put(HONEST), site.put(HONEST + "# another\n")], tier="wasm")
    recorded = played(order, bare)[1]
    assert recorded.terms
    assert recorded.terms.world == pack.find_pack().name
    assert recorded == played(order, kit)[1]


def test_a_bot_in_another_language_voids_the_match_and_is_not_its_bots_fault(site: Site, bare: Kit) -> None:
    script = site.put("process.stdin.resume()\n", "bot.js")
    order = an_order([site.put(HONEST), script])
    report = report_match(order, order.matches[0], bare)
    assert (report.outcome, report.faults) == ("void", [])
    assert "a bot needs javascript" in report.reason


def test_a_worker_is_told_by_its_environment_and_plays_there(site: Site) -> None:
    hall = Hall(site, own_database(os.environ["REDIS_URL"]))
    try:
        with a_worker(hall, SANDBOX="wasm"):
            hall.order(an_order([site.put(HONEST), site.put(HONEST)]))
            reports = hall.settled(2)
    finally:
        hall.close()
    assert {(report.outcome, report.tier) for report in reports} == {("played", "wasm")}
    assert reports[0].match in {1, 2}
    assert GAMES["zaibatsu"].version == replay.read_replay(reports[0].replay).rules
