"""Matches at home: who plays, found by name or file, and sets of matches with the seats rotated."""

import io
import os
import subprocess
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bots.archive import MAX_FILES, MAX_UNPACKED, BundleError
from bots.archive_names import decoded_name
from bots.bundle import ENDINGS, MAX_UPLOAD, Bundle, place, read_bundle, source_files, unpack
from bots.field import rungs_of, source
from bots.forked import Start, started
from bots.games import FOLDERS
from bots.interrupts import held
from bots.languages import PROGRAM, Missing, Tool
from bots.notes import Noted, noted
from bots.protocol import Clock
from bots.table import ProcessTable
from engine import referee
from engine.errors import Portable
from engine.game import AnyGame, Options
from engine.games import OUTSIDE
from engine.replay import Player, Replay, record


class ContestError(Portable):
    """Why no match can be played. `code` is stable, the text a sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Contestant:
    """A bot unpacked, built and ready to run by `command`; `bundle` is its hash, `variables` are for it alone."""

    name: str
    folder: Path
    command: list[str]
    bundle: str
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Match:
    """A match played: the contestant's index at each seat. `notes`: what they wrote on stderr, where it was kept."""

    seats: list[int]
    seed: str
    played: referee.Played
    notes: Sequence[Noted] = ()


def sample_files(game: str) -> dict[str, Path]:
    """Return the samples, in Python by a short name, others by the name of their file; none where no game is named."""
    files = sorted((FOLDERS[game] / "samples").glob("*")) if game else []
    bots = [path for path in files if path.suffix in ENDINGS and path.stem != "__init__"]
    return {path.name.removesuffix(".py"): path for path in bots}


def sample_names(game: str) -> list[str]:
    return sorted(sample_files(game))


def find_contestant(game: str, name: str, store: Path) -> Contestant:
    """The sample of that short name, the rung of the field, or the bot in that file or folder. Raises ContestError."""
    return ready(*bundle_named(game, name), store)


def bundle_named(game: str, name: str) -> tuple[str, Bundle]:
    """Return the bot's name, and what an upload of it would be. Raises ContestError."""
    if rung := rungs_of(game).get(name):
        return name, read_bundle(source(game, rung.family, rung.numbers))
    path = sample_files(game).get(name, Path(name))
    if not path.exists():
        names = ", ".join(sample_names(game))
        raise ContestError("missing_bot", f"there is no file {name}, and no sample of that name; samples: {names}")
    try:
        data = packed_folder(path) if path.is_dir() else beginning_of(path)
        bundle = read_bundle(data, "" if path.is_dir() else path.name, at_home=True)
    except BundleError as error:
        raise ContestError(error.code, f"{name}: {error}") from error
    except OSError as error:
        raise ContestError("unreadable_bot", f"{name} cannot be read: {error.strerror}") from error
    title = bundle.manifest.name or (name if name in sample_files(game) else path.resolve().stem)
    return title, bundle


def ready(name: str, bundle: Bundle, store: Path) -> Contestant:
    """Unpacked, and built where it has to be. Raises ContestError."""
    language = bundle.language
    try:
        tool = language.detect()
    except Missing as missing:
        raise ContestError("missing_language", f"{name} is in {language.title}: {missing}. {language.remedy}") from None
    if bundle.need != language.offer():
        raise ContestError("missing_language", f"{name} needs {bundle.need}, and this machine is {language.offer()}")
    folder = unpack(bundle, store)
    if language.built:
        folder = _build(name, bundle, tool, folder)
    return Contestant(name, folder, language.run(tool, str(folder), bundle.manifest.entry), bundle.sha256)


def _build(name: str, bundle: Bundle, tool: Tool, folder: Path) -> Path:
    """A folder beside the bundle's own, with the same files and the program made of them."""
    home = folder.with_name(f"{folder.name}.built")
    program = home.with_suffix(".program")
    language, entry = bundle.language, bundle.manifest.entry
    command = language.build(tool, str(folder), source_files(language, bundle.files, entry), str(program))
    for step in language.at_home(command):
        built = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if built.returncode:
            output = built.stdout.replace(f"{folder}/", "")
            raise ContestError("build_failed", f"{name} cannot be built with {tool.version}:\n{output}")
    return place({**bundle.files, PROGRAM: program.read_bytes()}, home, PROGRAM)


def beginning_of(path: Path) -> bytes:
    """A byte more than an upload may have at most: there are files without an end."""
    with path.open("rb") as file:
        return file.read(MAX_UPLOAD + 1)


def packed_folder(folder: Path) -> bytes:
    """A folder as the zip one would upload. Raises BundleError where it is more than any upload is."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(_files_in(folder)):
            inside = decoded_name(os.fsencode(path.relative_to(folder)))
            archive.writestr(zipfile.ZipInfo(inside), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _files_in(folder: Path) -> list[Path]:
    """Return all files but hidden ones and Python's caches. Whoever names a folder by mistake may name a whole disk."""
    gathered, size = list[Path](), 0
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__pycache__"]
        files = [path for name in names if not name.startswith(".") and (path := Path(root, name)).is_file()]
        gathered, size = [*gathered, *files], size + sum(path.stat().st_size for path in files)
        if len(gathered) > MAX_FILES or size > MAX_UNPACKED:
            most = f"{MAX_FILES} files and {MAX_UNPACKED >> 20} MB are taken at most"
            raise BundleError("too_large", f"the folder holds more than a bot's: {most}")
    return gathered


def play_match(game: AnyGame, options: Options, seed: str, seated: Sequence[Contestant]) -> referee.Played:
    """One match between ordinary processes of this machine. Raises PlatformFault."""
    return play_noted(game, options, seed, seated)[0]


def play_noted(
    game: AnyGame, options: Options, seed: str, seated: Sequence[Contestant]
) -> tuple[referee.Played, list[Noted]]:
    """The match, and what its bots wrote on stderr. Raises PlatformFault."""
    with table_of(game, options, seated) as table:
        absent = table.start()
        played = referee.run_match(game, options, seed, table, absent=absent)
        table.end(played.result.places, played.result.scores)
    return played, noted([table.notes(seat) for seat in range(table.seats)], played.answers)


@contextmanager
def table_of(game: AnyGame, options: Options, seated: Sequence[Contestant]) -> Iterator[ProcessTable]:
    """Return a table with the bots' processes, of which none is left behind, whenever Ctrl-C comes."""
    with ExitStack() as at_the_end:
        with held():
            around = surroundings()
            processes = started([Start(bot.folder, bot.command, {**around, **bot.variables}) for bot in seated])
            table = ProcessTable(processes, game, options, Clock())
            at_the_end.callback(closed, table)
        yield table


def closed(table: ProcessTable) -> None:
    with held():
        table.close()


def surroundings() -> dict[str, str]:
    """Ours, with the folders in which games from outside were found: a bot runs in a folder of its own."""
    folders = [str(game.folder.parent.absolute()) for game in OUTSIDE]
    path = os.pathsep.join(filter(None, (*folders, os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path}


def replay_of(game: AnyGame, options: Options, contestants: Sequence[Contestant], match: Match) -> Replay:
    players = [Player(contestants[bot].name, bundle=contestants[bot].bundle) for bot in match.seats]
    return record(game, options, match.seed, players, match.played)
