"""One who watches and is too slow is let go, and never holds the others."""

import asyncio

from tournaments.web.live.subscribers import BEHIND, WAITING, StreamViewer, server_sent_event


def test_what_waits_goes_out_in_one_piece() -> None:
    async def watch() -> bytes:
        viewer = StreamViewer("match 1")
        for number in range(3):
            viewer.give(server_sent_event("frame", number))
        return await viewer.next()

    assert asyncio.run(watch()).count(b"event: frame") == 3


def test_whoever_falls_behind_is_told_so_and_let_go() -> None:
    async def watch() -> list[bytes]:
        viewer = StreamViewer("match 1")
        for number in range(WAITING + 5):
            viewer.give(server_sent_event("frame", number))
        return [await viewer.next(), await viewer.next()]

    assert asyncio.run(watch()) == [BEHIND, b""]


def test_an_event_is_one_event_whatever_is_in_it() -> None:
    text = server_sent_event("frame", {"text": "a\n\ndata: b\r\n"}, "1-2").decode()
    assert text.count("\n\n") == 1
    assert text.startswith("id: 1-2\nevent: frame\ndata: {")
