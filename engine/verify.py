"""`python3 -m engine.verify REPLAY [...] [--digest DIGEST] [--proof FILE]`: does each replay play again to its result?

Prints what holds, and what the file says that playing it again cannot show: who sat, and its digest. A digest that was
kept elsewhere holds the file to it. A proof of the deal, which all matches of a set share, adds three sentences: the
commitment that was public before, the link of the announced chain, and the seed, made of link, beacon and who sits.
The zip of a season is checked as a whole: every deal in it, and every replay.
Exit status: 0 if all holds, 1 if something does not, 2 if a file cannot be read or none is named.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from engine.output import end_when_unread
from engine.records import show
from engine.replay import BIGGEST_FILE, EDITED, Replay, ReplayError, read_replay, verify
from engine.season import check_season
from engine.season_file import SeasonError, is_season, open_season
from engine.seeds import HASH, Proof, ProofError, read_proof
from engine.seeds import check_seed_proof as check_proof


def check_file(path: str, proof: Proof | None = None, digest: str | None = None) -> tuple[int, list[str]]:
    """Return the exit status (0 holds, 1 does not, 2 cannot be read) for the file at `path`, and lines that say why."""
    if is_season(path):
        return _season(path)
    try:
        with Path(path).open("rb") as file:
            data = file.read(BIGGEST_FILE + 1)
    except (OSError, ValueError) as error:
        return 2, [f"cannot be read: {error}"]
    try:
        replay = read_replay(data)
        verify(replay)
        return 0, [*_held(replay, digest), *(_dealt(proof, replay) if proof else [])]
    except (ReplayError, ProofError) as error:
        return 1, [f"{error.code}: {error.detail}"]


def _season(path: str) -> tuple[int, list[str]]:
    try:
        with Path(path).open("rb") as file:
            return 0, check_season(open_season(file))
    except SeasonError as error:
        return 1, [f"{error.code}: {error.detail}"]


def _held(replay: Replay, digest: str | None) -> Iterator[str]:
    if digest and digest != replay.digest:
        raise ReplayError(
            EDITED,
            "another file was meant: this one has the digest %(found)s, not %(wanted)s",
            found=replay.digest,
            wanted=digest,
        )
    result = f"scores {replay.result.scores}, places {replay.result.places}"
    yield f"holds: {replay.game}, {len(replay.answers)} answers, {result}"
    for seat, player in enumerate(replay.players):
        bundle = f"bundle {show(player.bundle, 80)}" if player.bundle else "of no uploaded bundle"
        yield f"says: seat {seat} is {show(player.name, 80)}, version {player.version}, {bundle}"
    yield f"holds: the digest is {digest}" if digest else f"says: the digest is {replay.digest}"


def _dealt(proof: Proof, replay: Replay) -> list[str]:
    commitment = f"holds: the commitment {replay.commitment} is the SHA-256 of the seed"
    return [commitment, *(f"holds: {sentence}" for sentence in check_proof(proof, replay))]


def arguments_of(arguments: list[str]) -> argparse.Namespace:
    """Return the command's arguments by name. Ends the process with status 2 where they cannot be."""
    parser = argparse.ArgumentParser("python3 -m engine.verify", description="Play replays again and compare.")
    parser.add_argument("replays", nargs="+", metavar="REPLAY")
    parser.add_argument("--digest", type=_digest, help="of the one replay, as the API or somebody else has kept it")
    parser.add_argument("--proof", default="", metavar="FILE", help="of the deal")
    given = parser.parse_args(arguments)
    if given.digest and len(given.replays) > 1:
        parser.error(f"a digest is of one replay, not of {len(given.replays)}")
    return given


def _digest(text: str) -> str:
    if not HASH.fullmatch(text):
        raise argparse.ArgumentTypeError(f"must be 64 hexadecimal digits in lower case, not {show(text)}")
    return text


def main(arguments: list[str]) -> int:
    given = arguments_of(arguments)
    try:
        proof = read_proof(Path(given.proof).read_bytes()) if given.proof else None
    except (OSError, ValueError, ProofError) as error:
        print(f"{given.proof}: {error}", file=sys.stderr)
        return 1 if isinstance(error, ProofError) else 2
    worst = 0
    for path in given.replays:
        status, lines = check_file(path, proof, given.digest)
        print("\n".join(f"{path}: {line}" for line in lines), file=sys.stderr if status else sys.stdout)
        worst = max(worst, status)
    return worst


if __name__ == "__main__":
    end_when_unread()
    sys.exit(main(sys.argv[1:]))
