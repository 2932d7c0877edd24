"""What the web server serves: live streams, and all else by WSGI, which is three to five times as fast for Django."""

import os

from django.conf import settings

from tournaments.wsgi import application as django  # first: it sets Django up

# isort: split
from tournaments.live.hub import Hub
from tournaments.server.application import Front
from tournaments.server.event_streams import Streams
from tournaments.server.outgoing import Outbox
from tournaments.server.page_cache import PageCache
from tournaments.server.request_bodies import Intake
from tournaments.server.statement_timeout import bound_every_connection
from tournaments.server.thread_sharing import Turns
from tournaments.server.wsgi_bridge import Bridge

THREADS = 8  # each may hold a connection to the database

bound_every_connection()
sessions = (settings.SESSION_COOKIE_NAME.encode(), b"messages")
bridge = Bridge(django, Turns(int(os.environ.get("WEB_THREADS") or THREADS)))
application = Front(
    bridge,
    Intake(settings.DATA_UPLOAD_MAX_MEMORY_SIZE),
    PageCache(sessions),
    Streams(Hub(settings.REDIS_URL), settings.LIVE_STREAMS),
    Outbox(),
    settings.PROXIES,
)
