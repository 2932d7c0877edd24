"""Packs compiled classes into one archive: `jar.py FOLDER ARCHIVE CLASS`, of which CLASS is run.

`jar` would do the same, and names the archive it makes by lot, for which a box takes seconds; this one is the same of
the same classes.
"""

import sys
import zipfile
from pathlib import Path


def pack(folder: Path, archive: str, entry: str) -> None:
    if not (folder / f"{entry}.class").is_file():
        sys.exit(f"{entry}.java: there is no class {entry} in it that is in no package, which a bot begins with")
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted(folder.rglob("*.class")):
            file.writestr(zipfile.ZipInfo(path.relative_to(folder).as_posix()), path.read_bytes())


if __name__ == "__main__":
    pack(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
