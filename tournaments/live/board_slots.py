"""Which matches are shown, when more are asked for than one process can show: the addresses share its boards fairly."""

from collections import Counter
from collections.abc import Sized
from typing import Protocol, TypeVar

BOARDS = 24  # matches that one process shows at once
MADE_ROOM = "So many matches are watched from your address that this one made room for another's."


class Shown(Protocol):
    """A board as far as its place is concerned."""

    @property
    def clients(self) -> set[str]: ...

    @property
    def viewers(self) -> Sized: ...

    def end(self, why: str, /) -> None: ...


Board = TypeVar("Board", bound=Shown)


class Full(Exception):
    """As many different matches are being shown as this process can."""


def place_for(boards: dict[str, Board], topic: str, client: str) -> None:
    """See to it that there is one more board for `topic`, if it has none. Raises Full.

    A board that nobody watches goes first; then one that is watched from one address alone, of which more are watched
    from there than there will be from the newcomer's.
    """
    if topic in boards or len(boards) < BOARDS:
        return
    held = Counter(watcher for board in boards.values() for watcher in board.clients)
    goes = next((name for name, board in boards.items() if not board.viewers), None)
    goes = goes or max(
        _spare(boards, held, client), key=lambda name: max(held[it] for it in boards[name].clients), default=None
    )
    if goes is None:
        raise Full
    boards.pop(goes).end(MADE_ROOM)


def _spare(boards: dict[str, Board], held: Counter[str], client: str) -> list[str]:
    return [
        name
        for name, board in boards.items()
        if len(board.clients) == 1 and all(held[watcher] > held[client] + 1 for watcher in board.clients)
    ]
