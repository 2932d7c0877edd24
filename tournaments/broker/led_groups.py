"""The ladders that this process's dispatcher handles: all, or those of the groups that it leads.

A ladder has one of a few slots by its number, for ever; a group is a part of the slots. So processes that count the
groups otherwise, while the setting is being changed, cannot lead one ladder both: the locks are of slots. What belongs
to no ladder goes with the first slot.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import F, Func, IntegerField, Q, Value
from django.db.models.lookups import In

SLOTS = 60  # of which as many groups can be made
ALL = frozenset(range(SLOTS))


@dataclass(slots=True)
class Led:
    """`slots`: those that this process leads. A process that is no dispatcher, such as a command, does for all."""

    slots: frozenset[int] = ALL

    @property
    def whole(self) -> bool:
        return self.slots == ALL

    @property
    def first(self) -> bool:
        """Whether what belongs to no ladder is done here."""
        return 0 in self.slots

    def ladders(self, field: str = "pk") -> Q:
        """Rows whose ladder, named by `field`, is looked after here."""
        if self.whole:
            return Q()
        slot = Func(F(field), Value(SLOTS), function="mod", output_field=IntegerField())
        return Q(In(slot, sorted(self.slots)))

    def sends(self, line: str) -> bool:
        """Whether the sets of that line are sent from here."""
        _, _, number = line.partition(" ")
        return (int(number) % SLOTS if number else 0) in self.slots


LED = Led()


def slots_of(group: int, groups: int) -> frozenset[int]:
    return frozenset(range(group, SLOTS, groups))


def of_groups(led: Iterable[int], groups: int) -> frozenset[int]:
    return frozenset[int]().union(*(slots_of(group, groups) for group in led))
