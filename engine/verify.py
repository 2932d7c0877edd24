"""`python -m engine.verify REPLAY [...] [--proof FILE]`: does each replay play again to the result it states?

Prints one line for each. With a proof of the deal, which all matches of a set share, there are four: the replay, the
commitment that was public before, the link of the announced chain, and the seed, made of link, beacon and who sits.
Exit status: 0 if all holds, 1 if something does not, 2 if a file cannot be read or none is named.
"""

import sys
from pathlib import Path

from engine.replay import BIGGEST_FILE, Replay, ReplayError, read, verify
from engine.seeds import Proof, ProofError, read_proof
from engine.seeds import check as check_proof

USAGE = "usage: python -m engine.verify REPLAY [REPLAY ...] [--proof FILE]"


def check(path: str, proof: Proof | None = None) -> tuple[int, list[str]]:
    """The exit status for the replay at `path` and the lines that say why."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(BIGGEST_FILE + 1)
    except (OSError, ValueError) as error:
        return 2, [f"cannot be read: {error}"]
    try:
        replay = read(data)
        verify(replay)
        return 0, [_held(replay), *(_dealt(proof, replay) if proof else [])]
    except (ReplayError, ProofError) as error:
        return 1, [f"{error.code}: {error.detail}"]


def _held(replay: Replay) -> str:
    result = f"scores {replay.result.scores}, places {replay.result.places}"
    return f"holds: {replay.game}, {len(replay.answers)} answers, {result}"


def _dealt(proof: Proof, replay: Replay) -> list[str]:
    commitment = f"holds: the commitment {replay.commitment} is the SHA-256 of the seed"
    return [commitment, *(f"holds: {sentence}" for sentence in check_proof(proof, replay))]


def main(arguments: list[str]) -> int:
    *paths, flag, file = arguments if "--proof" in arguments[-2:-1] else [*arguments, "", ""]
    if not paths or any(path.startswith("-") for path in paths):
        print(USAGE, file=sys.stderr)
        return 2
    try:
        proof = read_proof(Path(file).read_bytes()) if flag else None
    except (OSError, ValueError, ProofError) as error:
        print(f"{file}: {error}", file=sys.stderr)
        return 1 if isinstance(error, ProofError) else 2
    worst = 0
    for path in paths:
        status, lines = check(path, proof)
        print("\n".join(f"{path}: {line}" for line in lines), file=sys.stderr if status else sys.stdout)
        worst = max(worst, status)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
