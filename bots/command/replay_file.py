"""A replay given to a command: read, verified, with its seats by number."""

from pathlib import Path

from bots.command.errors import KitError
from engine.core import Seat
from engine.replay import BIGGEST_FILE, Replay, read_replay, verify


def sound(path: Path) -> Replay:
    """One that holds. Raises KitError, and ReplayError, which says what does not."""
    if path.is_dir():
        raise KitError("is_folder", f"{path} is a folder; name the file of a replay")
    with path.open("rb") as file:
        replay = read_replay(file.read(BIGGEST_FILE + 1))
    verify(replay)
    return replay


def seat_in(replay: Replay, seat: Seat) -> Seat:
    """Raises KitError where nobody sits there."""
    if seat >= len(replay.players):
        last = len(replay.players) - 1
        raise KitError("unknown_seat", f"the replay has seats 0 to {last}, and no seat {seat}")
    return seat
