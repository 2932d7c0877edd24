"""`python3 -m workers.verify REPLAY --bundles DIR`: run the bots of a match again, and compare everything.

For a match of the deterministic division (docs/deterministic.md). DIR holds the bundles as uploaded, under any name.
Exit status: 0 if every answer, millisecond and verdict comes out as the replay says; 1 if one does not, with the first
difference; 2 if nothing can be compared: wrong usage, a file that is not there, a bundle or the tier missing.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path

from bots.archive import BundleError
from bots.bundle import Bundle, read_bundle, unpack
from bots.protocol import RANGES
from engine import referee
from engine.game import AnyGame
from engine.games import GAMES
from engine.records import canonical, show, to_plain
from engine.referee import PlatformFault
from engine.replay import BIGGEST_FILE, Replay, ReplayError, Terms, read_replay, record, verify
from workers.sandbox.arena import Arena
from workers.sandbox.errors import SandboxError
from workers.sandbox.limits import Limits
from workers.sandbox.wasm import pack
from workers.sandbox.wasm.division import open_fuel_table, program_of


class CannotCompare(Exception):
    """Why the bots cannot be run again, in a sentence."""


def compare_match(replay: Replay, bundles: dict[str, Bundle]) -> None:
    """Raises ReplayError with the first difference, CannotCompare or PlatformFault."""
    verify(replay)
    if not replay.terms:
        raise CannotCompare("it is not of the deterministic division: its answers hang on clocks, and only they hold")
    try:
        built = pack.find_pack()
    except SandboxError as error:
        raise CannotCompare(str(error)) from None
    if built.name != replay.terms.world:
        raise CannotCompare(
            f"its bots ran in {show(replay.terms.world)}, and this version of Boardroom has {built.name}; "
            "take the version that played it"
        )
    check_terms(replay.terms)
    if missing := [player for player in replay.players if player.bundle not in bundles]:
        raise CannotCompare(f"no bundle of {show(missing[0].name)} is there; its SHA-256 is {missing[0].bundle}")
    _compare(replay, rerun_match(replay, replay.terms, built, [bundles[player.bundle] for player in replay.players]))


def check_terms(terms: Terms) -> None:
    """Refuse what no ladder could have: it is somebody else's file that says what this machine computes."""
    Limits(memory_mb=terms.memory_mb)
    for name, (low, high) in RANGES.items():
        if not low <= (value := getattr(terms, name)) <= high:
            raise CannotCompare(f"its {name} is {value}; on a ladder it must be a whole number from {low} to {high}")


def rerun_match(replay: Replay, terms: Terms, built: pack.Pack, bundles: Sequence[Bundle]) -> Replay:
    """The same match, played now."""
    game: AnyGame = GAMES[replay.game]
    options = game.read_options(replay.options)
    with ExitStack() as stack:
        store = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="boardroom-")))
        store.chmod(0o755)
        arena = _arena(store, stack)
        programs = [program_of(bundle, unpack(bundle, store)) for bundle in bundles]
        table = stack.enter_context(open_fuel_table(built, programs, game, options, terms, arena))
        played = referee.run_match(game, options, replay.seed, table, strikes=replay.strikes, absent=table.start())
    return record(game, options, replay.seed, replay.players, played, terms)


def _arena(store: Path, stack: ExitStack) -> Arena | None:
    """WebAssembly keeps the bots in; where there is an arena, it is a second wall."""
    try:
        return stack.enter_context(Arena.start(store))
    except (SandboxError, OSError):
        return None


def _compare(stated: Replay, played: Replay) -> None:
    for index, (answer, other) in enumerate(zip_longest(stated.answers, played.answers)):
        if answer != other:
            _differ(f"answer {index}", answer, other)
    for what in ("absent", "result", "position"):
        if (answer := getattr(stated, what)) != (other := getattr(played, what)):
            _differ(what, answer, other)


def _differ(what: str, stated: object, played: object) -> None:
    sentence = f"{what}: the file says {canonical(to_plain(stated))}, running the bots again gives "
    raise ReplayError("differs", sentence + canonical(to_plain(played)))


def bundles_in(folder: Path) -> dict[str, Bundle]:
    """The bundles among the files of a folder, by the hash of their bytes."""
    return dict(_bundles(folder))


def _bundles(folder: Path) -> Iterator[tuple[str, Bundle]]:
    for path in sorted(folder.iterdir()):
        if path.is_file():
            data = path.read_bytes()
            try:
                yield sha256(data).hexdigest(), read_bundle(data, path.name if path.suffix else "")
            except BundleError:
                continue  # some other file


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python3 -m workers.verify", description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("replay", type=Path, metavar="REPLAY")
    parser.add_argument("--bundles", type=Path, required=True, metavar="DIR", help="the bots, as they were uploaded")
    options = parser.parse_args(arguments)
    try:
        with options.replay.open("rb") as file:
            replay = read_replay(file.read(BIGGEST_FILE + 1))
        compare_match(replay, bundles_in(options.bundles))
    except ReplayError as error:
        return _say(1, f"{options.replay}: {error.code}: {error.detail}")
    except (CannotCompare, PlatformFault, SandboxError, OSError) as error:
        return _say(2, f"{options.replay}: cannot be run again: {error}")
    bots = f"{len(replay.answers)} answers of {len(replay.players)} bots"
    print(f"{options.replay}: holds: {replay.game}, {bots} came out the same, to the millisecond")
    return 0


def _say(status: int, line: str) -> int:
    print(line, file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
