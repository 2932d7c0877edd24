"""`python -m engine.verify REPLAY [...]`: does each replay play again to the result it states?

Prints one line for each. Exit status: 0 if all do, 1 if one does not, 2 if a file cannot be read or none is named.
"""

import sys
from pathlib import Path

from engine.replay import BIGGEST_FILE, ReplayError, read, verify

USAGE = "usage: python -m engine.verify REPLAY [REPLAY ...]"


def check(path: str) -> tuple[int, str]:
    """The exit status for the replay at `path` and the line that says why."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(BIGGEST_FILE + 1)
    except (OSError, ValueError) as error:
        return 2, f"{path}: cannot be read: {error}"
    try:
        replay = read(data)
        verify(replay)
    except ReplayError as error:
        return 1, f"{path}: {error.code}: {error.detail}"
    result = f"scores {replay.result.scores}, places {replay.result.places}"
    return 0, f"{path}: holds: {replay.game}, {len(replay.answers)} answers, {result}"


def main(paths: list[str]) -> int:
    if not paths or any(path.startswith("-") for path in paths):
        print(USAGE, file=sys.stderr)
        return 2
    worst = 0
    for path in paths:
        status, line = check(path)
        print(line, file=sys.stderr if status else sys.stdout)
        worst = max(worst, status)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
