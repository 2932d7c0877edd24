"""Each request: its body, then Django's answer, cached or fresh; or a stream, if Django asks for one."""

from dataclasses import dataclass, field
from functools import partial

from tournaments.web.server.asgi_types import Receive, Scope, Send
from tournaments.web.server.client_address import client_of
from tournaments.web.server.database_gate import DatabaseGate, send_starting
from tournaments.web.server.event_streams import Streams
from tournaments.web.server.outgoing import Outbox, Unsent
from tournaments.web.server.page_cache import PageCache
from tournaments.web.server.refusals import send_problem, send_refusal
from tournaments.web.server.request_bodies import Gone, Intake, TooSlow
from tournaments.web.server.request_heads import STATUS, refusal_of
from tournaments.web.server.shared_capacity import NoRoom
from tournaments.web.server.stream_handshake import handed_over
from tournaments.web.server.thread_sharing import Crowded
from tournaments.web.server.wsgi_bridge import Bridge
from workers.door_words import PATH


@dataclass(slots=True)
class Front:
    """The ASGI application. `proxies`: how many of ours are trusted for the client's address. `door`: for workers."""

    django: Bridge
    intake: Intake
    pages: PageCache
    streams: Streams
    outbox: Outbox
    proxies: int
    door: Bridge
    gate: DatabaseGate = field(default_factory=DatabaseGate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        if refused := refusal_of(scope):
            await send_problem(scope, send, STATUS[refused.code], refused)
            return
        if not await self.gate.lets_in(scope):
            await send_starting(scope, send)
            return
        refuse = partial(send_refusal, scope, send)
        try:
            await self._answer(client_of(scope, self.proxies), scope, receive, send)
        except TooSlow:
            await refuse("too_slow")
        except (NoRoom, Crowded) as error:
            await refuse("too_many_open" if error.own_share else "try_later")
        except Gone:  # or has shut the sending side alone, and reads on
            await refuse("malformed")
        except Unsent:
            """The end is missing, and the connection closes without it."""

    async def _answer(self, client: str, scope: Scope, receive: Receive, send: Send) -> None:
        async with self.intake.body(client, scope, receive) as (body, length):
            if scope["path"].startswith(PATH):
                answer = await self.door.ask(client, scope, body, length)
            else:
                answer = await self.pages.answer(scope, lambda asked: self.django.ask(client, asked, body, length))
        if stream := handed_over(answer.headers):
            topic, asker = stream
            await self.streams.serve(topic, asker, answer.headers, scope, receive, send)
        else:
            await self.outbox.send(client, answer, receive, send, bodiless=scope["method"] == "HEAD")
