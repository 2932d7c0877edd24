"""Each request: its body, then Django's answer, kept or fresh; and where Django hands over, a stream."""

from dataclasses import dataclass

from tournaments.front.asgi import Headers, Receive, Scope, Send, header, send_whole
from tournaments.front.bodies import Gone, Intake, TooMuch
from tournaments.front.bridge import Answer, Bridge
from tournaments.front.sharing import Sharing
from tournaments.front.streams import ASKER, STREAM, Streams

BUSY: Headers = [
    (b"content-type", b"text/plain; charset=utf-8"),
    (b"retry-after", b"10"),
    (b"cache-control", b"no-store"),
]


@dataclass(slots=True)
class Front:
    """The ASGI application."""

    django: Bridge
    intake: Intake
    sharing: Sharing
    streams: Streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            body, length = await self.intake.read(scope, receive)
        except Gone:
            return
        except TooMuch:
            await send_whole(send, 503, BUSY, b"Too much is being uploaded just now; try again in a moment.")
            return
        answer = await self.sharing.answer(scope, lambda: self.django.ask(scope, body, length))
        if topic := header(answer.headers, STREAM).decode():
            asker = header(answer.headers, ASKER).decode()
            await self.streams.serve(topic, asker, answer.headers, scope, receive, send)
        else:
            await self._send(answer, send)

    @staticmethod
    async def _send(answer: Answer, send: Send) -> None:
        if answer.flow is None:
            await send_whole(send, answer.status, answer.headers, answer.body)
            return
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        await send({"type": "http.response.body", "body": answer.body, "more_body": True})
        async for chunk in answer.flow.take():
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
