"""`boardroom verify`: runs replays again, and compares."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from bots.command.errors import BAD_COMMAND, KitError
from bots.command.options import json_option
from bots.command.output import print_text, to_stdout
from engine.replay import OTHER_RULES
from engine.seeds import HASH, Proof, ProofError, read_proof
from engine.verify import check_file

LONGEST = 1 << 20  # bytes of a proof, which has some hundred
OLD_OR_NEW = (
    "If the site has newer rules, install its kit anew; of a match under older rules the site keeps the kit no more, "
    "and a checkout of that release verifies it."
)


@click.command(
    epilog="\b\nExamples:\n  boardroom verify zaibatsu-match-42.json\n"
    "  boardroom verify match.json --proof match-proof.json --digest 9f86d0..."
)
@click.argument("replays", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="REPLAY...")
@click.option("--digest", default="", metavar="HEX", help="Of the one replay, as the API or somebody else has kept it.")
@click.option("--proof", type=click.Path(path_type=Path), help="Of the deal, as the site gives it beside a replay.")
@json_option
def command(replays: Sequence[Path], digest: str, proof: Path | None, as_json: bool) -> int:
    """Execute each REPLAY again, and say what holds. Exit codes: 0 all hold, 1 one does not, 2 unreadable."""
    if digest and (len(replays) > 1 or not HASH.fullmatch(digest)):
        raise KitError("bad_digest", "--digest is 64 hexadecimal digits in lower case, of one replay")
    deal = load_proof(proof) if proof else None
    results = [(path, *check_replay(path, deal, digest)) for path in replays]
    if as_json:
        to_stdout([{"file": str(path), "status": status, "lines": lines} for path, status, lines in results])
        return max(status for _, status, _ in results)
    for path, status, lines in results:
        tell(path, status, lines)
    return max(status for _, status, _ in results)


def check_replay(path: Path, proof: Proof | None, digest: str) -> tuple[int, list[str]]:
    """Return what an exit code says of the replay, and sentences."""
    if path.is_dir():
        return BAD_COMMAND, ["is_folder: it is a folder; name the replays in it"]
    if not path.exists():
        return BAD_COMMAND, ["cannot_read_or_write: there is no such file"]
    return check_file(str(path), proof, digest or None)


def load_proof(proof: Path) -> Proof:
    try:
        with proof.open("rb") as file:
            return read_proof(file.read(LONGEST))
    except (ProofError, ValueError) as error:
        raise KitError("bad_proof", f"{proof}: {error}", 1) from None


def tell(path: Path, status: int, lines: Sequence[str]) -> None:
    if any(line.startswith(f"{OTHER_RULES}:") for line in lines):
        lines = [*lines, OLD_OR_NEW]
    for line in lines:
        if status:
            print(f"{path}: {line}", file=sys.stderr)
        else:
            print_text(f"{path}: {line}")
