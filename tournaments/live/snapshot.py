"""One picture of a match under way, for a page before, or without, its stream."""

import logging
import time
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from redis import Redis, RedisError

from engine.replay import ReplayError
from tournaments.broker.failing_items import server_is_away
from tournaments.live.replay_so_far import Screening, Word, recorded, screening_of
from tournaments.viewer.player import Perspective, Projector
from tournaments.viewer.svg import Picture
from workers.live import STREAM, read_entry

MOST_KEPT = 32 << 20  # bytes that the broker may keep of one match, for it to be shown

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Still:
    at: int
    picture: Picture
    names: list[str]
    worth: list[float]
    unit: str


def still_of(number: int) -> Still | None:
    """As all may see it now, later by as much as the ladder wants; nothing where it cannot be shown: whatever was said
    of a match, its page is there."""
    try:
        return _drawn(number)
    except ReplayError:
        return None
    except Exception as error:
        if server_is_away(error):
            raise
        log.exception("match %d cannot be drawn", number)
        return None


def _drawn(number: int) -> Still | None:
    shown = screening_of(number)
    if shown is None:
        return None
    for word in words(shown):
        shown.hear(word)
    projector = Projector(shown.replay, Perspective())
    projector.begin()
    while projector.can_go_on:
        projector.step()
    at, picture = projector.run.step, projector.draw()
    return Still(at, picture, projector.names, projector.worth, projector.board.UNIT)


def words(shown: Screening) -> list[Word]:
    if not shown.under_way:
        found = recorded(shown.number)
        late = found is not None and found[1].timestamp() + shown.delay > time.time()
        return [found[0]] if found and not late else []
    try:
        said = told(shown)
    except (RedisError, OSError):
        return []  # the page can do without
    return [word for plain in said if (word := Word.read(plain))]


def told(shown: Screening) -> list[bytes]:
    """The words that the worker of the present attempt has said up to the moment that is shown."""
    with Redis.from_url(settings.REDIS_URL, socket_timeout=0.5, socket_connect_timeout=0.5) as redis:
        if (redis.memory_usage(STREAM.format(shown.number)) or 0) > MOST_KEPT:
            return []
        upto = int((time.time() - shown.delay) * 1000)
        found: Any = redis.xrange(STREAM.format(shown.number), max=upto if shown.delay else "+")
    entries = (read_entry(fields) for _, fields in found)
    return [word for lease, word in entries if lease == str(shown.lease).encode()]
