"""Which workers the sets under way hold, kept between two rounds."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from tournaments.ledger.dispatch.fair_share import Floor, Waiting

Place = tuple[str, str]  # the line of a set, and its queue
Seat = Callable[[Mapping[int, Place]], Iterable[Waiting]]  # with who sits in them


@dataclass(slots=True)
class UnderWay:
    """The sets under way as they were found last, and what they hold. Of the next look only the difference is counted:
    there are three for each worker, and few begin or end between two looks."""

    sets: dict[int, Waiting] = field(default_factory=dict)
    chosen: dict[int, Waiting] = field(default_factory=dict)  # at the last look: of these it is known who sits in them
    held: Floor = field(default_factory=lambda: Floor({}, Counter()))
    good_until: float = 0.0  # who is slow is looked up again after that

    def at(self, places: Mapping[int, Place], good_until: float, seat: Seat) -> Floor:
        if good_until != self.good_until:
            self.sets, self.chosen, self.held, self.good_until = {}, {}, Floor({}, Counter()), good_until
        for number in [
            waiting.set for waiting in self.sets.values() if places.get(waiting.set) != (waiting.line, waiting.queue)
        ]:
            self.held.leave(self.sets.pop(number))
        fresh = {number: place for number, place in places.items() if number not in self.sets}
        self._take(sent for number, sent in self.chosen.items() if fresh.get(number) == (sent.line, sent.queue))
        if unknown := {number: place for number, place in fresh.items() if number not in self.sets}:
            self._take(seat(unknown))
        return self.held

    def _take(self, fresh: Iterable[Waiting]) -> None:
        for waiting in fresh:
            self.held.take(waiting)
            self.sets[waiting.set] = waiting
