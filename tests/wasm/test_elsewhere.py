"""On a system that is not Linux a worker plays in WebAssembly, or says what is missing; see elsewhere.py."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bots.contest import sample_files
from engine import replay
from engine.records import from_plain, to_plain
from tests.workers.hall import ROOT, TOKEN, Site, an_order
from workers.orders import Report


def work_elsewhere(site: Site, cache: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    variables = {"SITE_URL": site.url, "WORKER_TOKEN": TOKEN, "WORKER_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    bots = [site.put(sample_files("zaibatsu")[name].read_text()) for name in ("random", "marginal")]
    command = [sys.executable, "-m", "tests.wasm.elsewhere", *arguments]
    order = json.dumps(to_plain(an_order(bots)))
    return subprocess.run(
        command,
        check=False,
        capture_output=True,
        text=True,
        input=order,
        env=kept | variables | environment,
        cwd=ROOT,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("environment", "tier"), [({}, "wasm"), ({"MIN_SANDBOX": "dev", "ARENA_UNSAFE": "1"}, "UNSAFE")]
)
def test_a_worker_without_anything_of_linux_plays_a_match_to_a_normal_result(
    site: Site, tmp_path: Path, environment: dict[str, str], tier: str
) -> None:
    done = work_elsewhere(site, tmp_path / "cache", **environment)
    assert done.returncode == 0, done.stderr
    report = from_plain(Report, json.loads(done.stdout), "report")
    assert (report.outcome, report.reason, report.tier) == ("played", "", tier)
    assert ("no sandbox" in done.stderr) == (tier == "UNSAFE")
    recorded = replay.read_replay(report.replay)
    replay.verify(recorded)
    assert recorded.result.verdicts == ["ok", "ok"]
    assert len(report.cpu_ms) == 2
    assert all(ms > 0 for ms in report.cpu_ms)


def test_without_the_pack_a_worker_elsewhere_says_by_which_command_it_comes(site: Site, tmp_path: Path) -> None:
    done = work_elsewhere(site, tmp_path / "cache", "without-the-pack")
    assert done.returncode == 1
    assert "cannot start: The arena needs Linux" in done.stderr
    assert "Run: python3 manage.py wasm" in done.stderr


def test_what_only_linux_has_is_not_there_elsewhere_and_a_sentence_says_so(site: Site, tmp_path: Path) -> None:
    for tier in ("landlock", "namespaces"):
        done = work_elsewhere(site, tmp_path / "cache", MIN_SANDBOX=tier)
        assert done.returncode == 1
        assert "this is darwin on arm64" in done.stderr
        assert "Traceback" not in done.stderr


def test_no_sandbox_has_to_be_asked_for_twice_elsewhere_too(site: Site, tmp_path: Path) -> None:
    done = work_elsewhere(site, tmp_path / "cache", MIN_SANDBOX="dev")
    assert done.returncode == 1
    assert "set ARENA_UNSAFE=1 as well" in done.stderr
