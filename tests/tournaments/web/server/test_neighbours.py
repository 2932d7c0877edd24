"""Whoever reads nothing, sends nothing, or asks for too much stands in nobody's way."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Event

import pytest
from django.db import connections

from tests.tournaments.web.server.fuzz.crowd import attack
from tests.tournaments.web.server.fuzz.site import fill
from tests.tournaments.web.server.stand import Stand
from tests.workers.hall import until
from tournaments.audit import check_log
from tournaments.web.live import drawing_thread
from tournaments.web.live.board_slots import BOARDS, Full, make_board_room
from tournaments.web.live.loop_health import Rounds
from tournaments.web.live.subscribers import StreamViewer
from tournaments.web.live.watched_match import WatchedMatch
from tournaments.web.server.outgoing import DOWNLOADS_OF_ONE
from tournaments.web.server.request_bodies import Intake, TooSlow
from tournaments.web.server.shared_capacity import Holding, NoRoom, Room
from tournaments.web.server.thread_sharing import Turns

LOG = b"GET /api/v1/audit/log HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
UPLOAD = b"POST /upload/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000000\r\n\r\nx"


@contextmanager
def lines(stand: Stand, client: str, sent: bytes, number: int) -> Iterator[list[socket.socket]]:
    """Open so many connections from that address, each of which has sent the same and reads nothing."""
    with ExitStack() as open_ones:
        sockets = []
        for _ in range(number):
            line = socket.create_connection(("127.0.0.1", stand.port), 20, source_address=(client, 0))
            sockets.append(open_ones.enter_context(line))
            line.sendall(sent)
        yield sockets


def test_readers_that_read_nothing_hold_no_thread(stand: Stand) -> None:
    fill()
    with ExitStack() as crowd:
        for number in range(2, 12):
            (line,) = crowd.enter_context(lines(stand, f"127.0.2.{number}", LOG, 1))
            assert line.recv(12) == b"HTTP/1.1 200"
        assert stand.ask("/sign-in/")[0].status == 200


def test_a_long_download_is_whole_however_slowly_it_is_read(stand: Stand) -> None:
    fill()
    answer, log = stand.ask("/api/v1/audit/log")
    assert answer.status == 200
    assert check_log(log.decode().splitlines()).number > 200


def test_one_address_has_so_many_downloads_at_once(stand: Stand) -> None:
    fill()
    with lines(stand, "127.0.3.1", LOG, DOWNLOADS_OF_ONE) as taken:
        assert {line.recv(12) for line in taken} == {b"HTTP/1.1 200"}
        with lines(stand, "127.0.3.1", LOG, 1) as more:
            assert more[0].recv(12) == b"HTTP/1.1 429"
        assert stand.ask("/api/v1/audit/log")[0].status == 200


def test_bodies_that_are_announced_and_not_sent_hold_nothing(stand: Stand) -> None:
    with lines(stand, "127.0.4.1", UPLOAD, 40):
        answer, _ = stand.ask("/sign-in/", "POST", bytes(250 << 10), Content_Type="text/plain")
        assert answer.status == 403


def test_the_address_that_holds_most_makes_room() -> None:
    room, ended = Room(most=10, most_each=8), []
    greedy = Holding("a", give_up=lambda: ended.append("a"))
    room.take(greedy, 8)
    room.take(Holding("b"), 2)
    room.take(Holding("c"), 3)
    assert ended == ["a"]
    with pytest.raises(NoRoom) as all_taken:
        room.take(Holding("d"), 6)
    assert not all_taken.value.own_share
    with pytest.raises(NoRoom) as refused:
        room.take(Holding("b"), 7)
    assert refused.value.own_share
    assert room.taken == 5


def test_a_body_that_stands_still_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.web.server.request_bodies.GRACE", 0.05)
    intake = Intake(lambda _: 1 << 20)

    async def receive() -> dict[str, object]:
        await asyncio.sleep(3600 if intake.room.taken else 0)
        return {"type": "http.request", "body": b"x", "more_body": True}

    async def send() -> None:
        scope = {"path": "/", "headers": [(b"content-length", b"1000")]}
        async with intake.body("a", scope, receive):
            raise AssertionError("it never came")

    with pytest.raises(TooSlow):
        asyncio.run(send())
    assert intake.room.taken == 0


def test_addresses_take_turns_for_threads() -> None:
    async def crowd() -> list[str]:
        turns, go, done = Turns(2), Event(), list[str]()

        def work() -> None:
            go.wait(20)
            done.append("a")

        greedy = [asyncio.create_task(turns.run("a", work)) for _ in range(20)]
        await asyncio.sleep(0)
        await asyncio.wait_for(turns.run("b", lambda: done.append("b")), 20)
        go.set()
        await asyncio.gather(*greedy)
        return done

    assert asyncio.run(crowd()) == ["b", *["a"] * 20]


def test_boards_are_shared_fairly_among_addresses() -> None:
    async def watch() -> None:
        boards: dict[str, WatchedMatch] = {}

        def join(number: int, client: str) -> StreamViewer:
            topic, viewer = f"match {number}", StreamViewer(f"match {number}", client)
            make_board_room(boards, topic, client)
            boards.setdefault(topic, WatchedMatch(number)).join(viewer)
            return viewer

        takers = [join(number, f"address {number % 3}") for number in range(BOARDS)]
        newcomers = [join(1000 + number, f"newcomer {number}") for number in range(BOARDS - 3)]
        assert len(boards) == BOARDS
        assert not any(viewer.closed for viewer in newcomers)
        left = [viewer.client for viewer in takers if not viewer.closed]
        assert sorted(left) == ["address 0", "address 1", "address 2"]
        with pytest.raises(Full):
            join(2000, "one more")

    asyncio.run(watch())


@pytest.mark.django_db(transaction=True)
def test_a_board_that_does_not_come_back_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing_thread, "LONGEST", 0.5)
    monkeypatch.setattr(drawing_thread, "CHECK_EVERY", 0.05)
    go, worked = Event(), list[int]()

    class Stuck(WatchedMatch):
        def work(self) -> bool:
            return go.wait(20)

    class Sound(WatchedMatch):
        def work(self) -> bool:
            worked.append(self.number)
            return True

    async def show() -> None:
        rounds = Rounds()
        show = drawing_thread.DrawingThread(rounds.hanging)
        assert str(await show.work([Stuck(1), Sound(2)])) == "match 1"
        assert "match 1" in rounds.stalled()
        assert await show.work([Sound(3)]) is None
        go.set()
        await asyncio.to_thread(until, "it comes back", lambda: not rounds.stalled())
        await asyncio.to_thread(show.thread.submit(connections.close_all).result)

    asyncio.run(show())
    assert worked == [3]


def test_odd_requests_and_slow_clients_stop_nobody(stand: Stand) -> None:
    fill(20)
    figures = asyncio.run(attack(stand.port, seed=1, requests=200, slow=30, seconds=12))
    assert not figures.faults
    assert figures.statuses.total() > 20
    assert figures.pages
