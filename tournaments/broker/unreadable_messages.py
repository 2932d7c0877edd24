"""Messages that no process could read (`workers.transport`), for organisers: one item for each kind of queue.

What is left of them lies in the broker, where match workers can put it too, who have no database.
"""

import json
from contextlib import suppress

from tournaments.broker.failing_items import BOOK
from tournaments.broker.queues import broker
from workers.envelopes import TASKS, kind_of
from workers.transport import ASIDE, KEPT

LOOP = "messages"


def note_undecodable() -> int:
    """Returns how many there were. Raises what says that a server is away."""
    notes = broker().rpop(ASIDE, KEPT) or []
    assert isinstance(notes, list)
    for note in notes:
        with suppress(ValueError, TypeError, KeyError, RecursionError):  # of no process of ours
            _note(json.loads(note))
    return len(notes)


def _note(note: dict[str, str]) -> None:
    kind = kind_of(note["queue"])
    reason = f"{note['reason']}; the latest has {int(note['bytes']):,} bytes and begins {note['begins']}"
    BOOK.set_aside(LOOP, f"unreadable {kind}" if kind in TASKS else "unreadable, in hand", reason)
