"""Files that are there whole or not at all: a full disk or Ctrl-C leaves no half of one, and nothing in the way."""

import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

MODE = 0o666


def write_whole(out: Path, content: bytes) -> None:
    """The old file or the new one, whatever happens between. What is no plain file, as /dev/stdout, is written to."""
    out = out.resolve()  # a link stays one
    if out.exists() and not out.is_file():
        out.write_bytes(content)
        return
    with tempfile.NamedTemporaryFile(dir=out.parent, suffix=".part", delete=False) as part:
        fresh = Path(part.name)
        try:
            part.write(content)
            part.close()
            fresh.chmod(out.stat().st_mode if out.exists() else MODE & ~file_mask())
            fresh.replace(out)
        except BaseException:
            remove(fresh)
            raise


def write_all(folder: Path, texts: Mapping[str, str]) -> None:
    """Write all files, or leave all as it was before: a folder that was not there is not there again."""
    existed = folder.is_dir()
    present = {name for name in texts if (folder / name).exists()}
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for name, text in texts.items():
            write_whole(folder / name, text.encode())
    except BaseException:
        for name in texts.keys() - present:
            remove(folder / name)
        if not existed:
            with suppress(OSError):  # somebody else has put something there
                folder.rmdir()
        raise


def remove(path: Path) -> None:
    """Remove a file after an error, which is reported even if that fails, as where nothing can be written any more."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def file_mask() -> int:
    """Return what this process takes from the rights of a file that it makes."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/self/status").read_text().split("Umask:")[1].split()[0], 8)
    return 0o022
