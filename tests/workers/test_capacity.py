"""What a worker's machine has, and orders that ask for more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.capacity import Capacity, capacity_refusal, in_short, is_capacity, needed_capacity, offered, this_machine
from workers.orders import ORDERS, queues_for

FIGURES = st.builds(Capacity, st.integers(64, 65_536 * 12), st.integers(1, 1024 * 12))


@given(FIGURES, FIGURES)
def test_who_offers_what_is_needed_has_it(bots: Capacity, machine: Capacity) -> None:
    words = needed_capacity(bots)
    assert all(map(is_capacity, words))
    if {*words} <= {*offered(machine)}:
        assert not capacity_refusal(bots, machine)


@pytest.mark.parametrize(
    ("memory_mb", "threads", "words"),
    [
        (4096, 128, []),
        (4097, 128, ["6gb"]),
        (24_576, 16, ["24gb"]),
        (64 * 1024 * 8, 1024 * 8, ["512gb", "8192threads"]),
    ],
)
def test_only_what_is_more_than_usual_is_needed(memory_mb: int, threads: int, words: list[str]) -> None:
    assert needed_capacity(Capacity(memory_mb, threads)) == words


def test_a_machine_is_refused_what_it_does_not_have() -> None:
    small = Capacity(2048, 64)
    assert capacity_refusal(Capacity(4096, 128), small) == ""  # what bots may use by default, they hardly ever do
    assert capacity_refusal(Capacity(5000, 1), small) == (
        "its bots may use 5,000 MB of memory, and this worker's machine has 2,048"
    )
    assert (
        capacity_refusal(Capacity(1, 129), small)
        == "its bots may start 129 threads, and this worker's machine allows 64"
    )


def test_of_what_is_offered_the_most_is_shown() -> None:
    assert in_short(["python", "c", *offered(Capacity(100_000, 1000))]) == ["768threads", "96gb", "c", "python"]


def test_this_machine_has_something() -> None:
    assert 256 < this_machine().memory_mb < 1 << 40
    assert this_machine().threads > 16


def test_a_worker_reads_no_queue_for_its_memory_alone_unless_it_is_in_use() -> None:
    offers = ["python", "node", "6gb", "8gb"]
    assert queues_for(offers) == [ORDERS, f"{ORDERS}:node"]
    used = [f"{ORDERS}:8gb", f"{ORDERS}:8gb,node", f"{ORDERS}:12gb"]
    assert queues_for(offers, used) == [ORDERS, f"{ORDERS}:8gb", f"{ORDERS}:8gb,node", f"{ORDERS}:node"]
