"""Messages that no process could read (`workers.transport`), for organisers: one item per kind of queue.

Notes about them are in the broker, so that match workers, which have no database, can add them too.
"""

import json
from contextlib import suppress

from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.core.broker.queues import broker
from workers.envelopes import TASKS, kind_of
from workers.transport import ASIDE, KEPT

LOOP = "messages"


def note_undecodable() -> int:
    """Returns how many there were. Raises the errors of a server that is away."""
    notes = broker().rpop(ASIDE, KEPT) or []
    assert isinstance(notes, list)
    for note in notes:
        with suppress(ValueError, TypeError, KeyError, RecursionError):  # not written by a process of ours
            _note(json.loads(note))
    return len(notes)


def _note(note: dict[str, str]) -> None:
    kind = kind_of(note["queue"])
    reason = f"{note['reason']}; the latest has {int(note['bytes']):,} bytes and begins {note['begins']}"
    FAILING_ITEMS.set_aside(LOOP, f"unreadable {kind}" if kind in TASKS else "unreadable, in hand", reason)
