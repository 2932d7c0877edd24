"""Which matches are shown when viewers want more than a process can show: addresses share its boards fairly."""

from collections import Counter
from collections.abc import Sized
from typing import Protocol, TypeVar

BOARDS = 24  # matches that one process shows at once
MADE_ROOM = "Too many matches are being watched from your address, so this one was stopped."


class Shown(Protocol):
    """The part of a board that slots need."""

    @property
    def clients(self) -> set[str]: ...

    @property
    def viewers(self) -> Sized: ...

    def end(self, why: str, /) -> None: ...


Board = TypeVar("Board", bound=Shown)


class Full(Exception):
    """This process shows as many different matches as it can."""


def make_board_room(boards: dict[str, Board], topic: str, client: str) -> None:
    """Make room for one more board for `topic`, if it has none. Raises Full.

    A board without viewers goes first; then one that is watched from one address alone, which watches more boards than
    the new viewer's address will.
    """
    if topic in boards or len(boards) < BOARDS:
        return
    held = Counter(watcher for board in boards.values() for watcher in board.clients)
    removed = next((name for name, board in boards.items() if not board.viewers), None)
    removed = removed or max(
        _removable(boards, held, client),
        key=lambda name: max(held[address] for address in boards[name].clients),
        default=None,
    )
    if removed is None:
        raise Full
    boards.pop(removed).end(MADE_ROOM)


def _removable(boards: dict[str, Board], held: Counter[str], client: str) -> list[str]:
    return [
        name
        for name, board in boards.items()
        if len(board.clients) == 1 and all(held[watcher] > held[client] + 1 for watcher in board.clients)
    ]
