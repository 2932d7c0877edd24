"""Deals from a chain: a link proves its deal and no other's."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import verify as command
from engine.dice import Dice, commitment
from engine.games import GAMES
from engine.records import to_plain
from engine.referee import run_match
from engine.replay import Player, Replay, record, write_replay
from engine.seeds import Proof, ProofError, check_seed_proof, earlier_link, read_proof, seed_of
from tests.games.record import Players, replay_of
from tests.games.recording import Recording

HASHES = st.binary(min_size=32, max_size=32).map(bytes.hex)
BUNDLES = st.lists(HASHES, min_size=2, max_size=8)
ROOT, BEACON = "11" * 32, "22" * 32
NO_HASHES = ["", "0" * 63, "0" * 65, "A" * 64, "g" * 64, "é" * 64, "0" * 63 + "\n"]


@st.composite
def deals(draw: st.DrawFn) -> tuple[Proof, Replay]:
    """The proof of a deal, and a replay that names its seed and who sat there."""
    root, beacon, bundles = draw(HASHES), draw(HASHES), draw(BUNDLES)
    length = draw(st.integers(1, 60))
    number = draw(st.integers(1, length))
    link = earlier_link(root, length - number)
    return Proof(earlier_link(root, length), length, number, link, beacon), dealt(
        seed_of(link, beacon, bundles), bundles
    )


def dealt(seed: str, bundles: list[str]) -> Replay:
    players = [Player(f"bot {number}", 1, bundle) for number, bundle in enumerate(bundles)]
    return replace(replay_of("zaibatsu-3"), seed=seed, players=players)


def refusal(proof: Proof, replay: Replay) -> str:
    with pytest.raises(ProofError) as caught:
        check_seed_proof(proof, replay)
    return caught.value.code


def other(value: str) -> str:
    return f"{int(value[0], 16) ^ 1:x}{value[1:]}"


def test_the_formula_never_changes_and_is_the_one_in_the_documents() -> None:
    link, anchor = earlier_link(ROOT, 1), earlier_link(ROOT, 3)
    seed = seed_of(link, BEACON, ["44" * 32, "33" * 32])
    assert anchor == "cd8a5cc09e3a350abb7c47f561f6e36e95cf3c8ddec4cda33a293a9f24ec7406"
    assert seed == "d34a28ff418700a83280e7a4b32f728ab7cb905c5017d77066df8ebe8d5f8926"
    document = (Path(__file__).parents[2] / "docs" / "deals.md").read_text()
    assert [
        value for value in (link, earlier_link(link, 1), anchor, seed, commitment(seed)) if value not in document
    ] == []


@given(deals())
def test_any_link_verifies(deal: tuple[Proof, Replay]) -> None:
    proof, replay = deal
    assert len(check_seed_proof(proof, replay)) == 2
    assert read_proof(json.dumps(to_plain(proof)).encode()) == proof


@given(deals(), st.data())
def test_no_other_link_verifies(deal: tuple[Proof, Replay], data: st.DataObject) -> None:
    proof, replay = deal
    assert refusal(replace(proof, link=other(proof.link)), replay) == "other_chain"
    assert refusal(replace(proof, anchor=other(proof.anchor)), replay) == "other_chain"
    number = data.draw(st.integers(1, 80).filter(lambda number: number != proof.number))
    assert refusal(replace(proof, number=number), replay) == "other_chain"
    steps = data.draw(st.integers(1, 80))
    earlier = replace(proof, link=earlier_link(proof.link, steps), number=proof.number - steps)
    assert refusal(earlier, replay) == ("other_chain" if steps > proof.number else "other_seed")


@given(deals(), st.data())
def test_another_beacon_seat_or_seed_fails(deal: tuple[Proof, Replay], data: st.DataObject) -> None:
    proof, replay = deal
    assert refusal(replace(proof, beacon=other(proof.beacon)), replay) == "other_seed"
    assert refusal(proof, replace(replay, seed=other(replay.seed))) == "other_seed"
    seat = data.draw(st.integers(0, len(replay.players) - 1))
    bundles = [player.bundle for player in replay.players]
    swapped = [other(bundle) if number == seat else bundle for number, bundle in enumerate(bundles)]
    assert refusal(proof, dealt(replay.seed, swapped)) == "other_seed"
    assert refusal(proof, dealt(replay.seed, bundles[:seat] + bundles[seat + 1 :])) == "other_seed"


@given(deals(), st.randoms())
def test_all_matches_of_a_set_share_its_proof(deal: tuple[Proof, Replay], shuffled: Any) -> None:
    proof, replay = deal
    bundles = [player.bundle for player in replay.players]
    shuffled.shuffle(bundles)
    assert check_seed_proof(proof, dealt(replay.seed, bundles))


@given(HASHES, st.integers(2, 200))
def test_links_of_a_chain_never_repeat(root: str, length: int) -> None:
    assert len({earlier_link(root, steps) for steps in range(length + 1)}) == length + 1


# --- files ---------------------------------------------------------------------------------------------------------

PROOF = Proof(earlier_link(ROOT, 3), 3, 2, earlier_link(ROOT, 1), BEACON)


EDITS = [
    *((name, wrong) for name in ("anchor", "link", "beacon") for wrong in NO_HASHES),
    *(("number", wrong) for wrong in (0, 4, -1, 1.0, True, "2", None)),
    *(("length", wrong) for wrong in (1, 10**7, 10**30)),
    *(("boardroom_proof", wrong) for wrong in (0, 2, True)),
    ("more", 1),
]
NO_PROOFS = [b"", b"hello", b"[]", b"{}", b"\xff", b"[" * 100_000, b" " * 5000, b'{"boardroom_replay": 1}']


@pytest.mark.parametrize(
    "data", [*NO_PROOFS, *(json.dumps({**to_plain(PROOF), name: wrong}).encode() for name, wrong in EDITS)]
)
def test_what_is_no_proof_is_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(ProofError) as caught:
        read_proof(data)
    assert caught.value.code == "not_a_proof"
    assert len(caught.value.detail) > 20


# --- the command ---------------------------------------------------------------------------------------------------

BOTS = ["33" * 32, "44" * 32]
Files = tuple[Path, Path]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """A replay of a match that was dealt from a chain, and the proof of it."""
    game, seed = GAMES["zaibatsu"], seed_of(PROOF.link, PROOF.beacon, BOTS)
    options = game.read_options({"players": 2})
    played = run_match(game, options, seed, Players(Recording({}), Dice.of("any answers")))
    replay, proof = tmp_path / "match.json", tmp_path / "proof.json"
    replay.write_bytes(write_replay(record(game, options, seed, [Player(bot[:2], 1, bot) for bot in BOTS], played)))
    proof.write_text(json.dumps(to_plain(PROOF)))
    return replay, proof


def test_the_command_says_each_thing_that_it_checked(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    replay, proof = files
    assert command.main([str(replay), "--proof", str(proof)]) == 0
    out, err = capsys.readouterr()
    held = f"{replay}: holds: "
    lines = [line.removeprefix(held) for line in out.splitlines() if line.startswith(held)]
    assert [line.partition(" ")[0] for line in lines] == ["zaibatsu,", "the", "link", "the"]
    assert "is the SHA-256 of the seed" in lines[1]
    assert (PROOF.anchor in lines[2], BEACON in lines[3], err) == (True, True, "")


def test_the_command_says_what_does_not_hold(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    replay, proof = files
    proof.write_text(json.dumps(to_plain(replace(PROOF, beacon=other(BEACON)))))
    assert command.main([str(replay), "--proof", str(proof)]) == 1
    assert f"{replay}: other_seed: the seed is not of this proof" in capsys.readouterr().err
    proof.write_text("{}")
    assert command.main([str(replay), "--proof", str(proof)]) == 1
    assert f"{proof}: not a proof: " in capsys.readouterr().err


def test_the_command_says_that_it_cannot_read_a_proof(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([str(files[0]), "--proof", "/nowhere"]) == 2
    assert "/nowhere: " in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [["--proof"], ["--proof", "{proof}"], ["{replay}", "--proof"]])
def test_the_command_says_how_it_is_used(files: Files, wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    replay, proof = files
    with pytest.raises(SystemExit):
        command.main([word.format(replay=replay, proof=proof) for word in wrong])
    assert "usage: " in capsys.readouterr().err
