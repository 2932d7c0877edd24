"""Matches at home: who plays, found by name or file, and sets of matches with the seats rotated."""

import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bots.archive import BundleError
from bots.bundle import read_bundle, unpack
from bots.process import Local
from bots.protocol import Clock
from bots.table import ProcessTable
from engine import referee
from engine.game import AnyGame, Options
from engine.replay import Player, Replay, record

SAMPLES = Path(__file__).parent / "samples"


class ContestError(Exception):
    """Why no match can be played. `code` is stable, the text a sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Contestant:
    """A bot unpacked and ready to run; `bundle` is its hash."""

    name: str
    folder: Path
    entry: str
    bundle: str


@dataclass(frozen=True, slots=True)
class Match:
    """A match played: the contestant's index at each seat."""

    seats: list[int]
    seed: str
    played: referee.Played


def sample_names(game: str) -> list[str]:
    return sorted(path.stem.removeprefix(f"{game}_") for path in SAMPLES.glob(f"{game}_*.py"))


def find(game: str, name: str, store: Path) -> Contestant:
    """The sample of that short name, or the bot in that file or folder. Raises ContestError."""
    sample = SAMPLES / f"{game}_{name}.py"
    path = sample if "/" not in name and sample.is_file() else Path(name)
    if not path.exists():
        samples = ", ".join(sample_names(game))
        raise ContestError("missing_bot", f"there is no file {name}, and no sample of that name; samples: {samples}")
    try:
        bundle = read_bundle(_pack(path) if path.is_dir() else path.read_bytes(), "" if path.is_dir() else path.name)
    except BundleError as error:
        raise ContestError(error.code, f"{name}: {error}") from error
    except OSError as error:
        raise ContestError("unreadable_bot", f"{name} cannot be read: {error.strerror}") from error
    title = bundle.manifest.name or (name if path == sample else path.resolve().stem)
    return Contestant(title, unpack(bundle, store), bundle.manifest.entry, bundle.sha256)


def _pack(folder: Path) -> bytes:
    """A folder as the zip one would upload: all files but hidden ones and Python's caches."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            inside = path.relative_to(folder)
            if path.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in inside.parts):
                archive.writestr(zipfile.ZipInfo(inside.as_posix()), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def contest(
    game: AnyGame, options: Options, contestants: Sequence[Contestant], seed: str, games: int
) -> Iterator[Match]:
    """Play matches in sets: each deal once with every rotation of the seats. Raises PlatformFault."""
    players = len(contestants)
    for number in range(games):
        deal, turn = divmod(number, players)
        seats = [(seat + turn) % players for seat in range(players)]
        dealt = f"{seed}/{deal}"
        yield Match(seats, dealt, play_match(game, options, dealt, [contestants[bot] for bot in seats]))


def play_match(game: AnyGame, options: Options, seed: str, seated: Sequence[Contestant]) -> referee.Played:
    """One match between ordinary processes of this machine. Raises PlatformFault."""
    processes = [Local(bot.folder, bot.entry) for bot in seated]
    with ProcessTable(processes, game, options, Clock()) as table:
        absent = table.start()
        played = referee.play(game, options, seed, table, absent=absent)
        table.end(played.result.places, played.result.scores)
    return played


def replay_of(game: AnyGame, options: Options, contestants: Sequence[Contestant], match: Match) -> Replay:
    players = [Player(contestants[bot].name, bundle=contestants[bot].bundle) for bot in match.seats]
    return record(game, options, match.seed, players, match.played)
