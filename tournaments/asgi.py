"""The web server's application: live streams; everything else by WSGI, which is 3 to 5 times as fast for Django."""

import sys

from django.conf import settings

from tournaments.wsgi import application as django  # first: it sets Django up

# isort: split
from tournaments.web.live.hub import Hub
from tournaments.web.server.application import Front
from tournaments.web.server.body_lengths import longest_of
from tournaments.web.server.database_gate import bound_every_connection
from tournaments.web.server.door_handler import THREADS, DoorHandler
from tournaments.web.server.event_streams import Streams
from tournaments.web.server.outgoing import Outbox
from tournaments.web.server.page_cache import PageCache
from tournaments.web.server.request_bodies import Intake
from tournaments.web.server.thread_sharing import Turns
from tournaments.web.server.wsgi_bridge import Bridge

# For so many seconds a thread that makes a page may hold up the others, and the event loop. With Python's own 0.005 a
# page that is kept waits ten times as long for its turn as it takes to send.
SWITCH = 0.0005

bound_every_connection()
sys.setswitchinterval(SWITCH)
sessions = (settings.SESSION_COOKIE_NAME.encode(), b"messages")
bridge = Bridge(django, Turns(settings.WEB_THREADS))
application = Front(
    bridge,
    Intake(longest_of),
    PageCache(sessions),
    Streams(Hub(settings.REDIS_URL), settings.LIVE_STREAMS),
    Outbox(),
    settings.PROXIES,
    Bridge(DoorHandler(), Turns(THREADS)),
)
