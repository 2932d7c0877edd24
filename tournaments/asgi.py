"""What the web server serves: live streams, and all else by WSGI, which is three to five times as fast for Django."""

import os

from django.conf import settings

from tournaments.wsgi import application as django  # first: it sets Django up

# isort: split
from tournaments.front.bodies import Intake
from tournaments.front.bridge import Bridge
from tournaments.front.front import Front
from tournaments.front.sending import Outbox
from tournaments.front.sharing import Sharing
from tournaments.front.statements import bound_every_connection
from tournaments.front.streams import Streams
from tournaments.front.turns import Turns
from tournaments.live.hub import Hub

THREADS = 8  # each may hold a connection to the database

bound_every_connection()
sessions = (settings.SESSION_COOKIE_NAME.encode(), b"messages")
bridge = Bridge(django, Turns(int(os.environ.get("WEB_THREADS") or THREADS)))
application = Front(
    bridge,
    Intake(settings.DATA_UPLOAD_MAX_MEMORY_SIZE),
    Sharing(sessions),
    Streams(Hub(settings.REDIS_URL), settings.LIVE_STREAMS),
    Outbox(),
    settings.PROXIES,
)
