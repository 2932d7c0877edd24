"""The kit as one wheel: games, what a bot is written with, the command. `python3 -m bots.command.wheel [FOLDER]`.

Standard library alone: the site makes the wheel of its own files when it is first asked for, and `pip install .` calls
`build_wheel` (pyproject.toml names this module). The same files make the same bytes on every machine: names are
sorted, times fixed, and nothing is packed, for not every zlib packs alike.
"""

import base64
import io
import re
import sys
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PROJECT = "boardroom-kit"  # as pyproject.toml has it
PACKAGES = ("bots", "engine")
LEFT_OUT = {"__pycache__", "requirements.lock"}
BEGINNING = (1980, 1, 1, 0, 0, 0)  # of the time that a zip can say
PLAIN_FILE = 0o100644 << 16
PROJECT = "boardroom-kit"  # as pyproject.toml has it
TAG = "py3-none-any"


class UnsupportedOperation(Exception):
    """What a builder of packages asks for and there is not; PEP 517 gives it this name."""


@dataclass(frozen=True, slots=True)
class Wheel:
    name: str  # of its file
    version: str
    content: bytes

    @property
    def sha256(self) -> str:
        return sha256(self.content).hexdigest()


@cache
def wheel(root: Path = ROOT) -> Wheel:
    """Made once in a process."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    stem = f"{distribution_name(project['name'])}-{project['version']}"
    files = {**dict(packaged_sources(root)), **metadata(project, root, f"{stem}.dist-info")}
    record = f"{stem}.dist-info/RECORD"
    files[record] = records(files, record)
    return Wheel(f"{stem}-{TAG}.whl", project["version"], zipped_files(files))


def packaged_sources(root: Path) -> Iterator[tuple[str, bytes]]:
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*")):
            inside = path.relative_to(root)
            if path.is_file() and not any(part in LEFT_OUT or part.startswith(".") for part in inside.parts):
                yield inside.as_posix(), path.read_bytes()


def metadata(project: Mapping[str, Any], root: Path, folder: str) -> dict[str, bytes]:
    scripts = "".join(f"{name} = {target}\n" for name, target in project["scripts"].items())
    tops = "".join(f"{package}\n" for package in PACKAGES)
    return {
        f"{folder}/METADATA": core_metadata(project, root).encode(),
        f"{folder}/WHEEL": f"Wheel-Version: 1.0\nGenerator: boardroom\nRoot-Is-Purelib: true\nTag: {TAG}\n".encode(),
        f"{folder}/entry_points.txt": f"[console_scripts]\n{scripts}".encode(),
        f"{folder}/top_level.txt": tops.encode(),
        **{f"{folder}/licenses/{name}": (root / name).read_bytes() for name in project["license-files"]},
    }


def core_metadata(project: Mapping[str, Any], root: Path) -> str:
    """The core metadata, version 2.4, with the kit's page below it."""
    extras = project.get("optional-dependencies", {})
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        *(f"License-File: {name}" for name in project["license-files"]),
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {needed}" for needed in project["dependencies"]),
        *(line for extra, needs in extras.items() for line in of_extra(extra, needs)),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join([*lines, "", (root / project["readme"]).read_text("utf-8")])


def of_extra(extra: str, needs: Iterable[str]) -> list[str]:
    return [f"Provides-Extra: {extra}", *(f'Requires-Dist: {needed} ; extra == "{extra}"' for needed in needs)]


def records(files: Mapping[str, bytes], record: str) -> bytes:
    """Return every file with its hash, as PEP 376 writes it; of itself a record has none."""
    lines = [f"{name},sha256={short(content)},{len(content)}" for name, content in sorted(files.items())]
    return "\n".join([*lines, f"{record},,", ""]).encode()


def short(content: bytes) -> str:
    return base64.urlsafe_b64encode(sha256(content).digest()).rstrip(b"=").decode()


def zipped_files(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, BEGINNING)
            entry.external_attr, entry.create_system = PLAIN_FILE, 3  # as a Unix writes it, on every system
            archive.writestr(entry, content)
    return buffer.getvalue()


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    """Build the wheel, as PEP 517 calls it."""
    del config_settings, metadata_directory
    made = wheel()
    Path(wheel_directory, made.name).write_bytes(made.content)
    return made.name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    """PEP 517 asks whether this can be done."""
    del sdist_directory, config_settings
    raise UnsupportedOperation("the kit is built as a wheel alone: pip wheel . or uv build --wheel")


def distribution_name(project: str) -> str:
    """Return the name of a project as the names of its files have it."""
    return re.sub(r"[-_.]+", "_", project).lower()


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0] if arguments else ".")
    try:
        print(folder / build_wheel(str(folder)))
    except OSError as error:
        print(f"error: the wheel cannot be written to {folder}: {error} [cannot_write]", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
