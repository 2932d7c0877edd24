"""Who leads: a dispatcher leads a group of ladders while it holds advisory locks, one for each slot of the group.

They end with the database session, and so does the right to write. Each dispatcher says by a shared lock that it is
here, so that all see in `pg_locks` who holds what, and share the groups out: whoever has the fewest takes what is free,
and a group that nobody has taken by the next look is taken by anybody.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf

from django.db import connection

from tournaments.broker.led_groups import SLOTS, of_groups, slots_of

KEYS = (7_000, *range(7_101, 7_100 + SLOTS))  # of the locks, by slot; releases without groups have the first one alone
SLOT = {key: slot for slot, key in enumerate(KEYS)}
HERE = 7_100  # the lock that dispatchers share
EVERY = 2.0  # seconds between two looks whether a group is free
AGAIN = 60.0  # seconds until a group is given up once more, if nobody took the last one

LOCKS = """
    SELECT pid, objid::bigint, pid = pg_backend_pid()
    FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE locktype = 'advisory' AND classid = 0 AND objsubid = 1 AND objid = ANY(%s::oid[]) AND granted
        AND datname = current_database()
"""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Holdings:
    """How many slots each dispatcher has now, and which are taken."""

    mine: int
    others: Mapping[int, int]  # by session
    taken: frozenset[int]

    @property
    def fewest(self) -> float:
        """Of another."""
        return min(self.others.values(), default=inf)


def holdings() -> Holdings:
    held: dict[int, set[int]] = defaultdict(set)
    own: set[int] = set()
    with connection.cursor() as cursor:
        cursor.execute(LOCKS, [[HERE, *KEYS]])
        for session, key, is_mine in cursor.fetchall():
            slots = own if is_mine else held[session]
            slots.update({SLOT[key]} if key in SLOT else ())
    taken = own.union(*held.values())
    return Holdings(len(own), {session: len(slots) for session, slots in held.items()}, frozenset(taken))


def somebody_leads() -> bool:
    """Any group: where some have no leader, those who are here take them at their next looks."""
    return bool(holdings().taken)


class Leadership:
    """The groups that this process leads, of so many. A connection that was lost took the locks with it."""

    def __init__(self, groups: int) -> None:
        self._groups = groups
        self._led: set[int] = set()
        self._left: set[int] = set()  # groups that were free at the last look, and left to others
        self._connection: object = None
        self._next, self._keeps_until = 0.0, 0.0

    def slots(self, now: float) -> frozenset[int]:
        """Those led from here. Looks every few seconds for groups that are free, or of which others have too few."""
        if self._connection is None or self._connection is not connection.connection:
            self._begin()
        if now >= self._next and (self._groups > 1 or not self._led):
            self._next = now + EVERY
            self._balance(holdings(), now)
        return of_groups(self._led, self._groups)

    def _begin(self) -> None:
        self._led, self._left, self._next = set(), set(), 0.0
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock_shared(%s)", [HERE])
        self._connection = connection.connection

    def _balance(self, held: Holdings, now: float) -> None:
        free = {group for group in range(self._groups) if slots_of(group, self._groups).isdisjoint(held.taken)}
        waited, self._left = free & self._left, free
        if waited:
            self._keeps_until = now + AGAIN
        if not free and now >= self._keeps_until and self._has_too_many(held):
            self._give_up(max(self._led))
        self._take_some(free, waited, held)

    def _has_too_many(self, held: Holdings) -> bool:
        """Whether another would still have fewer with one of these."""
        return bool(self._led) and held.mine - held.fewest > len(slots_of(max(self._led), self._groups))

    def _take_some(self, free: set[int], waited: set[int], held: Holdings) -> None:
        mine = held.mine
        for group in sorted(free):
            if (mine <= held.fewest or group in waited) and self._take(group):
                mine += len(slots_of(group, self._groups))

    def _take(self, group: int) -> bool:
        """All of its slots, or none."""
        wanted = [KEYS[slot] for slot in slots_of(group, self._groups)]
        with connection.cursor() as cursor:
            cursor.execute("SELECT key FROM unnest(%s::bigint[]) AS key WHERE pg_try_advisory_lock(key)", [wanted])
            got = [key for (key,) in cursor.fetchall()]
        if len(got) < len(wanted):
            _unlock(got)
            return False
        self._led.add(group)
        log.info("this process leads%s", f" group {group} of {self._groups}" if self._groups > 1 else "")
        return True

    def _give_up(self, group: int) -> None:
        _unlock(KEYS[slot] for slot in slots_of(group, self._groups))
        self._led.remove(group)
        log.info("this process leaves group %s of %s to others", group, self._groups)


def _unlock(keys: Iterable[int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_unlock(key) FROM unnest(%s::bigint[]) AS key", [list(keys)])
