"""Which test a process runs next: all of a file in the same one, where there is work enough, for what they share."""

from collections import deque
from collections.abc import Hashable, Sequence
from itertools import groupby

import pytest

TOGETHER = pytest.StashKey[Hashable]()  # of a test that is to run with those of other files, too, that have the same
Group = deque[int]  # positions of tests of one file, in their order


class Waiting:
    """The tests that nobody has been given."""

    def __init__(self, files: Sequence[Hashable]) -> None:
        """`files`: that of each test, in the order of the run."""
        numbered = groupby(range(len(files)), key=lambda position: files[position])
        self._untouched = deque(deque(positions) for _, positions in numbered)
        self._begun: list[Group] = []

    def take(self, last: Group | None) -> tuple[Group, int] | None:
        """The next of the group that the process had last, of one that nobody has begun, or the end of the longest."""
        if last:
            return last, last.popleft()
        if self._untouched:
            self._begun.append(self._untouched.popleft())
            return self._begun[-1], self._begun[-1].popleft()
        longest = max(self._begun, key=len, default=None)
        return (longest, longest.pop()) if longest else None

    def give_back(self, positions: Sequence[int]) -> None:
        """Of a process that died: they come next."""
        if positions:
            self._untouched.appendleft(deque(positions))
