"""A stranger checks every deal of a ladder, with what the API gives to anybody and the engine alone."""

import json
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import engine
from tests.factories import a_completed_set, a_user, play_set
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.api.world import World
from tournaments.ledger.acts.void_sets import VoidSet
from tournaments.ledger.dispatch.leases import cancel
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import MatchSet

pytestmark = pytest.mark.django_db


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with the engine, and nothing else of the project."""
    shutil.copytree(Path(engine.__file__).parent, tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def verified(home: Path, replay: Any, proof: Any) -> subprocess.CompletedProcess[str]:
    (home / "replay.json").write_bytes(replay.content)
    (home / "proof.json").write_bytes(proof.content)
    command = [sys.executable, "-S", "-m", "engine.verify", "replay.json", "--proof", "proof.json"]
    return subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)


def announced() -> dict[str, datetime]:
    """The times when the public log told each anchor."""
    log = b"".join(ask("GET", "audit/log").streaming_content).decode()
    acts = [json.loads(line) for line in log.splitlines()]
    return {act["detail"]["anchor"]: since(act["at"]) for act in acts if act["kind"] == "seed_chain"}


def since(moment: str) -> datetime:
    return datetime.fromisoformat(moment)


def test_a_stranger_verifies_every_deal_of_a_ladder(api_world: World, home: Path) -> None:
    both = [api_world.version, api_world.rivals]
    VoidSet(set=api_world.set).do(by=a_user(staff=True), reason="test")
    play_set(MatchSet.objects.get(replaces=api_world.set))
    cancel(match_set=create_set(ladder=api_world.ladder, versions=[version.pk for version in both]), reason="test")
    a_completed_set(api_world.ladder, both)

    anchors, recorded = announced(), dict[str, datetime]()
    commitments: dict[int, set[str]] = {}
    for row in reversed(ask("GET", "matches?ladder=main&page_size=200").json()["results"]):
        match = ask("GET", f"matches/{row['id']}").json()
        proof = ask("GET", f"matches/{row['id']}/proof")
        assert proof.json().items() >= {"anchor": match["anchor"], "number": match["link"], "length": 1000}.items()
        assert anchors[match["anchor"]] < since(match["created_at"])
        assert match["beacon"] == match["anchor"] or recorded[match["beacon"]] < since(match["created_at"])
        commitments.setdefault(match["link"], set()).add(match["commitment"])
        if match["status"] != "done":
            continue
        recorded[match["digest"]] = since(match["recorded_at"])
        checked = verified(home, ask("GET", f"matches/{row['id']}/replay"), proof)
        assert (checked.returncode, checked.stdout.count(": holds: "), checked.stderr) == (0, 4, "")
        assert match["commitment"] in checked.stdout
    assert sorted(commitments) == [1, 2, 3, 4]  # none is left out
    assert [len(of_link) for of_link in commitments.values()] == [1] * 4
    assert len(recorded) == 6


def test_a_proof_of_another_set_does_not_hold(api_world: World, home: Path) -> None:
    other = a_completed_set(api_world.ladder, [api_world.version, api_world.rivals]).matches.earliest("pk")
    proof = ask("GET", f"matches/{other.pk}/proof")
    checked = verified(home, ask("GET", f"matches/{api_world.match.pk}/replay"), proof)
    assert (checked.returncode, "other_seed" in checked.stderr) == (1, True)


def test_no_proof_while_a_set_that_it_would_tell_is_open(api_world: World) -> None:
    first, second = (
        create_set(ladder=api_world.ladder, versions=[api_world.version.pk, api_world.rivals.pk]).matches.earliest("pk")
        for _ in range(2)
    )
    play_set(second.set)
    shown = ask("GET", f"matches/{second.pk}").json()
    assert shown["seed"] == MatchSet.objects.get(pk=second.set_id).seed
    assert refused(ask("GET", f"matches/{second.pk}/proof", api_world.owner)) == (409, "link_sealed")
    play_set(first.set)
    assert ask("GET", f"matches/{second.pk}/proof")["Content-Disposition"].endswith('proof.json"')


def test_a_check_has_no_proof(api_world: World) -> None:
    check = ask("GET", f"bots/{api_world.bot.pk}/versions/1", api_world.owner).json()["check_match"]
    assert refused(ask("GET", f"matches/{check}/proof", api_world.owner)) == (409, "no_proof")
