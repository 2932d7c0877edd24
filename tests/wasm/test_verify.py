"""`python3 -m workers.verify`: a match of the deterministic division, played by a worker and run again by a doubter."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bots.protocol import Clock, Output
from engine import replay
from engine.core import Seat
from engine.records import from_plain, to_plain
from engine.referee import Prompt, Reply
from engine.referee import run_match as play_again
from engine.replay import Replay, Terms, read_replay, write_replay
from tests.wasm.games import GAME, HONEST, late
from tests.workers.hall import Site, an_order
from workers.match import Kit, report_match
from workers.verify import main

BOTS = (HONEST, "import random\n" + late("random.random() < 0.5 and 1 / 0"))


@pytest.fixture
def folder(site: Site, kit: Kit, tmp_path: Path) -> Path:
    """A replay as a worker made it, and the bundles beside it."""
    order = an_order([site.put(source) for source in BOTS], tier="wasm")
    report = report_match(order, order.matches[0], kit)
    assert (report.outcome, report.reason, report.tier) == ("played", "", "wasm")
    assert report.memory_mb[0] > 1
    assert report.cpu_ms[0] > 0
    (tmp_path / "match.json.gz").write_bytes(report.replay)
    (tmp_path / "bundles").mkdir()
    for name, data in site.bundles.items():
        (tmp_path / "bundles" / name).write_bytes(data)
    return tmp_path


def verified(folder: Path) -> int:
    return main([str(folder / "match.json.gz"), "--bundles", str(folder / "bundles")])


def forge(folder: Path, recorded: Replay) -> None:
    """Write the replay with a digest that fits, as a careful forger would."""
    recorded.digest = replay._digest(recorded)
    (folder / "match.json.gz").write_bytes(write_replay(recorded))


def original(folder: Path) -> Replay:
    return read_replay((folder / "match.json.gz").read_bytes())


def test_a_match_as_it_was_played_comes_out_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "crashed" in original(folder).result.verdicts
    assert verified(folder) == 0
    assert "came out the same" in capsys.readouterr().out


def test_the_ladders_increment_and_limits_are_in_its_terms_and_decide_as_they_did(
    site: Site, kit: Kit, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = "import time\n" + HONEST.replace("question:", "question: time.sleep(0.04) or")
    wordy = late("os.write(out, b' ' * 1100)").replace("asked > 2", "asked == 3")
    order = an_order(
        [site.put(slow), site.put(wordy)],
        tier="wasm",
        clock=Clock(answer_ms=50, bank_ms=400, start_ms=500, increment_ms=45),
        output=Output(line_kb=2, output_kb=32),
    )
    (folder / "match.json.gz").write_bytes(report_match(order, order.matches[0], kit).replay)
    for name, data in site.bundles.items():
        (folder / "bundles" / name).write_bytes(data)
    assert original(folder).result.verdicts == ["ok", "ok"]
    assert verified(folder) == 0
    recorded = original(folder)
    assert recorded.terms
    genuine = recorded.terms
    for recorded.terms in (replace(genuine, increment_ms=0), replace(genuine, line_kb=1)):
        forge(folder, recorded)
        assert verified(folder) == 1
        assert "running the bots again gives" in capsys.readouterr().err


def test_another_name_for_a_bundle_is_no_matter(folder: Path) -> None:
    for number, bundle in enumerate(sorted((folder / "bundles").iterdir())):
        bundle.rename(bundle.with_name(f"bot-{number}.py"))
    assert verified(folder) == 0


@dataclass
class Forger:
    """Both seats answer as the honest bot would, but for the first answer."""

    lied: bool = False

    def ask(self, prompts: Mapping[Seat, Prompt]) -> dict[Seat, Reply]:
        return {seat: Reply(self.answer(to_plain(prompt.question.default())), 0.1) for seat, prompt in prompts.items()}

    def answer(self, usual: dict[str, object]) -> dict[str, object]:
        first, self.lied = not self.lied, True
        return usual | {"pile": 3 if usual["pile"] == 1 else 1} if first else usual

    def dismiss(self, seat: Seat) -> None:
        """Do nothing: nobody is at the seat."""


def test_an_edited_answer_is_found_though_all_that_follows_was_made_to_fit(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = original(folder)
    options = GAME.read_options(recorded.options)
    played = play_again(GAME, options, recorded.seed, Forger())
    forged = replay.record(GAME, options, recorded.seed, recorded.players, played, recorded.terms)
    replay.verify(forged)
    forge(folder, forged)
    assert verified(folder) == 1
    assert "answer 0: the file says" in capsys.readouterr().err


def test_an_edited_time_is_found(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded = original(folder)
    recorded.answers[3][2] += 0.1  # type: ignore[index]
    forge(folder, recorded)
    assert verified(folder) == 1
    assert "answer 3: the file says" in capsys.readouterr().err


def test_a_replay_with_a_bundle_that_did_not_play_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded = original(folder)
    recorded.players[0].bundle = recorded.players[1].bundle
    forge(folder, recorded)
    assert verified(folder) == 1
    assert "running the bots again gives" in capsys.readouterr().err


def test_limits_that_no_ladder_has_are_not_tried(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded = original(folder)
    assert recorded.terms
    usual = recorded.terms
    wrong = {"memory_mb": -1, "bank_ms": 10**15, "start_ms": 0, "increment_ms": -1, "line_kb": 0, "output_kb": 10**6}
    for name, value in wrong.items():
        recorded.terms = from_plain(Terms, {**to_plain(usual), name: value})
        forge(folder, recorded)
        assert verified(folder) == 2
        assert "must be" in capsys.readouterr().err


def test_without_the_bundles_or_the_tier_nothing_is_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded = original(folder)
    for bundle in (folder / "bundles").iterdir():
        bundle.unlink()
    assert verified(folder) == 2
    assert recorded.players[0].bundle in capsys.readouterr().err
    assert recorded.terms
    recorded.terms.world = "wasm-0123456789abcdef"
    forge(folder, recorded)
    assert verified(folder) == 2
    assert "take the version that played it" in capsys.readouterr().err
    recorded.terms = None
    forge(folder, recorded)
    assert verified(folder) == 2
    assert "not of the deterministic division" in capsys.readouterr().err
