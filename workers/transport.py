"""Kombu's Redis transport with each message isolated: an unreadable one ends no process.

It is set aside, the latest of them in a list of the broker, which the site shows to organisers, and the next is read.
Kombu parses what it pops before any hook runs, and a process in which that fails ends, as does the next that takes
over what it held.
"""

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from queue import Empty
from typing import Any, Final

from kombu.transport import redis
from redis.exceptions import NoPermissionError, RedisError

from workers.envelopes import BadMessage, read_envelope, read_held

ASIDE: Final = "boardroom:undecodable"
KEPT, SHOWN = 100, 120  # messages, and bytes that are shown of each

log = logging.getLogger(__name__)


def note_of(queue: str, data: bytes, reason: str) -> str:
    """The note that is kept of a message that is set aside."""
    begins = data[:SHOWN].decode("ascii", "backslashreplace")
    return json.dumps({"queue": queue[:SHOWN], "reason": reason, "bytes": len(data), "begins": begins})


class QoS(redis.QoS):
    """What this process has taken and not done. What others held, and left, goes back to its queue."""

    channel: Any
    _remove_from_indices: Any  # kombu's, and unknown to its stubs, as those below

    @contextmanager
    def pipe_or_acquire(self, pipe: Any | None = None, client: Any | None = None) -> Iterator[Any]:
        """A pipeline without a transaction, which would take twice as many commands.

        What is half done does no harm: an index without a message is forgotten when it is looked at, and a message
        without an index was dealt with.
        """
        if pipe is not None:
            yield pipe
        else:
            with self.channel.conn_or_acquire(client) as client:
                yield client.pipeline(transaction=False)

    def restore_by_tag(self, tag: str, client: Any | None = None, leftmost: bool = False) -> None:
        with self.channel.conn_or_acquire(client) as client:
            client.transaction(partial(self._put_back, tag, leftmost), self.unacked_key)

    def _put_back(self, tag: str, leftmost: bool, pipe: Any) -> None:
        held = pipe.hget(self.unacked_key, tag)
        pipe.multi()
        self._remove_from_indices(tag, pipe)
        if held is not None:
            self._put_back_held(held, pipe.lpush if leftmost else pipe.rpush)

    def _put_back_held(self, held: bytes, put: Callable[[str, bytes], object]) -> None:
        try:
            queue, message = read_held(held)
        except BadMessage as error:
            self.channel.set_aside(self.unacked_key, held, str(error))
        else:
            put(queue, message)


class Channel(redis.Channel):
    """A queue is a list, and a message goes to the queue that its routing key names: there are no bindings to read."""

    _queue_cycle: Any
    _flush_brpop_reauth: Any
    connection_errors: Any

    QoS = QoS
    priority_steps = [0]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._clear({self.unacked_key: b"hash", self.unacked_index_key: b"zset", self.unacked_mutex_key: b"string"})

    def _new_queue(self, queue: str, *args: Any, **kwargs: Any) -> None:
        self._clear({queue: b"list"})
        super()._new_queue(queue, *args, **kwargs)

    def _clear(self, kinds: Mapping[str, bytes]) -> None:
        """Remove what is of another type and stands where ours belongs: every command on it would fail."""
        with suppress(NoPermissionError), self.conn_or_acquire() as client:
            for key, kind in kinds.items():
                if (present := client.type(key)) not in (kind, b"none"):
                    self.set_aside(key, b"", f"a {present.decode()} stood in the place of a {kind.decode()}")
                    client.delete(key)

    def _brpop_read(self, **options: Any) -> bool:
        try:
            if not (popped := self._popped(options)):
                raise Empty
            queue, data = popped[0].decode(), popped[1]
            self._queue_cycle.rotate(queue)
            self._hand_on(queue, data, lambda message: self.connection._deliver(message, queue))  # noqa: SLF001
            return True
        finally:
            self._in_poll = None
            self._flush_brpop_reauth()

    def _popped(self, options: Mapping[str, Any]) -> tuple[bytes, bytes] | None:
        try:
            popped: tuple[bytes, bytes] | None = self.client.parse_response(self.client.connection, "BRPOP", **options)
        except self.connection_errors:
            self.client.connection.disconnect()  # so that the next turn connects anew
            raise
        return popped

    def _get(self, queue: str, timeout: float | None = None) -> Any:  # noqa: ARG002  kombu's
        taken: list[Any] = []
        with self.conn_or_acquire() as client:
            while not taken and (data := client.rpop(queue)):
                self._hand_on(queue, data, taken.append)
        if not taken:
            raise Empty
        return taken[0]

    def _hand_on(self, queue: str, data: bytes, deliver: Callable[[Any], object]) -> None:
        """Raises where the broker is away; all other errors are the message's fault."""
        try:
            message = read_envelope(data, queue)
        except BadMessage as error:
            return self.set_aside(queue, data, str(error))
        try:
            deliver(message)
        except (*self.connection.connection_errors, *self.connection.channel_errors):
            raise
        except Exception as error:
            log.exception("a message of %s failed", queue)
            self.set_aside(queue, data, f"{type(error).__name__}: {error!s:.200}")
            self.qos.reject(message["properties"]["delivery_tag"])

    def set_aside(self, queue: str, data: bytes, reason: str) -> None:
        log.error("a message of %s is set aside: %s", queue, reason)
        with suppress(RedisError), self.conn_or_acquire() as client, client.pipeline() as pipe:
            pipe.lpush(ASIDE, note_of(queue, data, reason)).ltrim(ASIDE, 0, KEPT - 1).execute()

    def _lookup(self, exchange: str, routing_key: str, default: str | None = None) -> list[str]:  # noqa: ARG002
        return [routing_key]

    def _queue_bind(self, *_: Any) -> None:
        """Nothing to keep: see `_lookup`."""

    def get_table(self, exchange: str) -> list[Any]:  # noqa: ARG002  kombu's
        return []


class Transport(redis.Transport):
    Channel = Channel
