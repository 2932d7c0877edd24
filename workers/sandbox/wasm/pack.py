"""The pack: all that a bot in WebAssembly runs on, in one folder, named by what it was made from."""

import functools
import hashlib
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from engine.games import OUTSIDE
from workers.sandbox.errors import SandboxError

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parents[2]
HOME = Path(sys.prefix) / "wasm"  # where packs are built: beside the packages they are made with
OWN = ("bot.wit", "guest.py", "runner.py", "seed.wat", "table.py", "turns.py")
PACKAGES = ("componentize-py", "wasmtime")
FOR_BOTS = (
    "__init__.py",
    "sdk.py",
    "plain_answers.py",
    "protocol.py",
    "imagine.py",
    "rungs/*.py",
    "games/__init__.py",
    "games/*/__init__.py",
    "games/*/rungs/*.py",
    "games/*/samples/*.py",
)  # of bots/
FOR_OTHERS = ("viewer.py", "options.py", "first_answers.py", "encoding.py")  # of a game from outside
JUDGES = ("bots/autopsy.py", "bots/pipes.py")  # not in the component, but what they say of a bot is in the replay
# What a millisecond of a ladder's clock buys: about what Python does in it on a common core, outside WebAssembly.
FUEL_PER_MS = 40_000_000
RUNNER = "runner.py"  # the program in it that runs one bot
HINT = "Run: python3 manage.py wasm"


@dataclass(frozen=True, slots=True)
class Pack:
    """A finished pack. Its name is the tier of the matches played with it, and says which others are equal to it."""

    name: str
    folder: Path

    def put_into(self, store: Path) -> None:
        """Make it a folder of an arena's store, by links where the file system allows."""
        if (store / self.name).exists():
            return
        fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=store))
        shutil.copytree(self.folder, fresh, copy_function=_link, dirs_exist_ok=True)
        fresh.chmod(0o555)
        try:
            fresh.rename(store / self.name)
        except OSError:
            shutil.rmtree(fresh, ignore_errors=True)  # another worker was quicker
            if not (store / self.name).exists():
                raise


def find_pack() -> Pack:
    """The pack for this checkout and these packages. Raises SandboxError where it is not built."""
    name = expected_pack()
    if not (HOME / name).is_dir():
        raise SandboxError("no_wasm", f"The WebAssembly tier is not built for this version. {HINT}.")
    return Pack(name, HOME / name)


@functools.cache
def expected_pack() -> str:
    """The name of the pack that would be built here. Raises SandboxError if the packages are missing."""
    try:
        parts = [f"{package} {version(package)}".encode() for package in PACKAGES]
    except PackageNotFoundError as missing:
        raise SandboxError("no_wasm", f"The package {missing.name} is not installed. {HINT}.") from None
    parts += [str(FUEL_PER_MS).encode(), *((HERE / name).read_bytes() for name in OWN)]
    inside = {**component_sources(), **{name: CHECKOUT / name for name in JUDGES}}
    parts += [part for name, path in inside.items() for part in (name.encode(), path.read_bytes())]
    digest = hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts))
    return f"wasm-{digest.hexdigest()[:16]}"


def component_sources() -> dict[str, Path]:
    """Files of the component beside guest.py, by their names in it: of this project, and games from outside."""
    for_all = (path for pattern in FOR_BOTS for path in (CHECKOUT / "bots").glob(pattern))
    paths = [*(CHECKOUT / "engine").rglob("*.py"), *for_all]
    files = {path.relative_to(CHECKOUT).as_posix(): path for path in paths}
    for game in OUTSIDE:
        parent = game.folder.parent
        files |= {path.relative_to(parent).as_posix(): path for path in game.folder.rglob("*.py") if for_bots(path)}
    return dict(sorted(files.items()))


def for_bots(path: Path) -> bool:
    """Return whether bots need the file of a game from outside: not what shows it, and not its samples."""
    return path.name not in FOR_OTHERS and path.parent.name != "samples"


def _link(source: str, target: str) -> str:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)
    return target
