"""Deals that nobody can pick: each seed is made of a link of a hash chain, a beacon, and who sits at the table.

    link n - 1  =  SHA-256("boardroom link " + link n)                              in hex; link 0 is the anchor
    seed        =  SHA-256("boardroom deal " + link + " " + beacon + " " + bundles)

The anchor of a chain is public before its first link is used, and binds every link after it. The beacon is the digest
of the replay recorded last when the set was dealt (the anchor, when there was none): nobody knew it when the chain was
made. `bundles` are the hashes of the bundles at the table, sorted, with commas between. A link reveals all links before
it and none after it, so it is published when every set dealt from it or from an earlier one is over.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from engine.errors import Portable
from engine.records import Record, from_plain, show
from engine.replay import Replay
from engine.sentences import Sentence

FORMAT = 1
LONGEST = 1_000_000  # links of a chain that is still checked
BIGGEST_FILE = 4096  # bytes of a proof
HASH = re.compile(r"[0-9a-f]{64}")


class ProofError(Portable):
    """Why a proof cannot be read or does not hold. `code` is stable: not_a_proof, other_chain, other_seed."""

    def __init__(self, code: str, sentence: str, /, **filled: object) -> None:
        self.code, self.detail = code, Sentence(sentence, **filled)
        super().__init__(str(self.detail))


@dataclass(slots=True)
class Proof(Record):
    """What, beside the replays, proves how the deal of a set was made."""

    anchor: str
    length: int  # of the chain
    number: int  # of the link, from 1
    link: str
    beacon: str
    boardroom_proof: int = FORMAT


def earlier_link(link: str, steps: int) -> str:
    """Return the link so many before this one."""
    for _ in range(steps):
        link = sha256(f"boardroom link {link}".encode()).hexdigest()
    return link


def seed_of(link: str, beacon: str, bundles: Iterable[str]) -> str:
    """Return the seed of a set at whose table these bundles sit, in any order."""
    return sha256(f"boardroom deal {link} {beacon} {','.join(sorted(bundles))}".encode()).hexdigest()


def read_proof(data: bytes) -> Proof:
    """Return a proof from its file's bytes. Raises ProofError(not_a_proof) with the reason."""
    try:
        plain = json.loads(data[: BIGGEST_FILE + 1])
        proof: Proof = from_plain(Proof, plain, "proof")
    except (ValueError, RecursionError) as error:  # a RecordError is a ValueError
        raise ProofError("not_a_proof", "not a proof: %(error)s", error=error) from None
    check_numbers(proof)
    return proof


def check_numbers(proof: Proof) -> None:
    """Check the format, numbers and hashes of a proof. Raises ProofError(not_a_proof)."""
    if proof.boardroom_proof != FORMAT:
        raise ProofError(
            "not_a_proof",
            "proof format %(made)s; this engine reads format %(format)s",
            made=proof.boardroom_proof,
            format=FORMAT,
        )
    if not 1 <= proof.number <= proof.length <= LONGEST:
        rule = f"1 <= number <= length <= {LONGEST:,}"
        raise ProofError(
            "not_a_proof",
            "not a proof: link %(number)s of %(length)s, not %(wanted)s",
            number=proof.number,
            length=proof.length,
            wanted=rule,
        )
    for name in ("anchor", "link", "beacon"):
        if not HASH.fullmatch(value := getattr(proof, name)):
            raise ProofError(
                "not_a_proof",
                "not a proof: %(name)s must be 64 hexadecimal digits, not %(value)s",
                name=name,
                value=show(value),
            )


def check_seed_proof(proof: Proof, replay: Replay) -> list[str]:
    """Return sentences on what holds of a replay that is verified already. Raises ProofError with what does not."""
    return check_deal(proof, replay.seed, [player.bundle for player in replay.players])


def check_deal(proof: Proof, dealt: str, bundles: Sequence[str]) -> list[str]:
    """Return the same of a seed and the bundles that sat at its table. Raises ProofError with what does not hold."""
    start = earlier_link(proof.link, proof.number)
    if start != proof.anchor:
        raise ProofError(
            "other_chain",
            "the link is of another chain: link %(number)s, hashed %(number)s times, is %(found)s, and the "
            "anchor %(anchor)s",
            number=proof.number,
            found=start,
            anchor=proof.anchor,
        )
    seed = seed_of(proof.link, proof.beacon, bundles)
    if seed != dealt:
        raise ProofError(
            "other_seed",
            "the seed is not of this proof: link, beacon and bundles make %(made)s, and the replay has %(dealt)s",
            made=seed,
            dealt=show(dealt, 80),
        )
    return [
        Sentence(
            "link 1 of %(length)s, hashed once, is the anchor %(anchor)s"
            if proof.number == 1
            else "link %(number)s of %(length)s, hashed %(number)s times, is the anchor %(anchor)s",
            number=proof.number,
            length=proof.length,
            anchor=proof.anchor,
        ),
        Sentence(
            "the seed is the hash of the link, the beacon %(beacon)s and the %(bundles)s bundles",
            beacon=proof.beacon,
            bundles=len(bundles),
        ),
    ]
