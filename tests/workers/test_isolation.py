"""One item never stops the others: the border that every long-running loop has."""

import asyncio
import time
from threading import Event

import pytest
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import ConnectionError as NoRedis
from redis.exceptions import OutOfMemoryError, ResponseError

from workers import isolation
from workers.isolation import (
    Memory,
    TookTooLong,
    apart,
    broker_is_away,
    handle_each,
    keep_on,
    keep_on_async,
    time_limit,
)


class Bad(Exception):
    """What nobody thought of."""


def half(number: int) -> int:
    if number % 2:
        raise Bad(number)
    return number // 2


def test_the_others_are_done_whatever_one_raises() -> None:
    assert handle_each("halves", [1, 2, 3, 4], half, Memory()) == 3


def test_an_item_that_failed_rests_and_is_set_aside_in_the_end() -> None:
    record, tried = Memory(pauses=(60.0, 0.0, 0.0)), []

    def act() -> int:
        tried.append(1)
        raise Bad

    apart("halves", "1", act, record)
    apart("halves", "1", act, record)
    assert len(tried) == 1, "it is in its pause"
    record.failures["halves", "1"].due = 0.0
    for _ in range(20):
        apart("halves", "1", act, record)
    assert len(tried) == 4, "once after each pause, and no more"
    record.passed("halves", "1")
    assert record.may_try("halves", "1")


def test_a_server_that_is_away_is_no_fault_of_the_item() -> None:
    def act() -> int:
        raise NoRedis("no broker")

    record = Memory()
    with pytest.raises(NoRedis):
        apart("halves", "1", act, record)
    assert not record.failures
    assert broker_is_away(BrokerError("no broker"))
    assert broker_is_away(ResponseError("OOM command not allowed when used memory > 'maxmemory'"))
    assert broker_is_away(OutOfMemoryError("Command # 1 (ZADD ...) of pipeline caused error: command not allowed"))
    assert not broker_is_away(ResponseError("WRONGTYPE Operation against a key holding the wrong kind of value"))


def test_a_loop_ends_by_being_asked_to_and_by_nothing_else() -> None:
    stop, troubles = Event(), [Bad(), NoRedis("away"), RecursionError()]

    def turn() -> float:
        if troubles:
            raise troubles.pop()
        stop.set()
        return 0.0

    keep_on("halves", turn, stop, Memory())
    assert not troubles


def test_so_does_one_in_an_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "FIRST_PAUSE", 0.0)
    troubles: list[Exception] = [Bad(), NoRedis("away"), RecursionError()]

    async def turn() -> float:
        raise troubles.pop()

    asyncio.run(keep_on_async("halves", turn, lambda: bool(troubles), Memory()))
    assert not troubles


def test_an_item_that_does_not_end_is_interrupted() -> None:
    with pytest.raises(TookTooLong), time_limit(0.05):
        time.sleep(10)
    with time_limit(10), time_limit(0.001):
        time.sleep(0.01)  # the outer limit holds
