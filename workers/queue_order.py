"""Which of its queues a worker looks at first."""

from time import monotonic
from typing import Any

from kombu.utils.scheduling import round_robin_cycle

from workers.examination_orders import is_of_examinations

EVERY_S, ONE_IN = 60.0, 30


class MatchesFirst(round_robin_cycle):  # type: ignore[type-arg]  # generic in its stubs alone
    """Examinations come after all matches. Now and then one comes before them, so that they come to an end also where
    matches wait all day: once a minute, and for one in ONE_IN of the seconds at most."""

    def __init__(self, queues: Any = None) -> None:
        super().__init__(queues)
        self._due, self._taken = monotonic() + EVERY_S, 0.0  # when one was taken that may not be over

    def consume(self, n: int) -> Any:
        """Asked when the worker has nothing in hand."""
        now = monotonic()
        if self._taken:
            self._due, self._taken = now + max(EVERY_S, (ONE_IN - 1) * (now - self._taken)), 0.0
        return sorted(super().consume(n), key=lambda queue: is_of_examinations(queue) is (now < self._due))

    def rotate(self, last_used: Any) -> Any:
        if is_of_examinations(last_used):
            self._taken = monotonic()
        return super().rotate(last_used)
