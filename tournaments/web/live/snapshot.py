"""One picture of a match under way, for a page before its stream starts, or without one."""

import logging
import time
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from redis import Redis, RedisError

from bots.viewer.commentary import Part
from bots.viewer.commentary.story import Chapter
from bots.viewer.language import say
from bots.viewer.player import Perspective, Projector
from bots.viewer.svg import Picture
from engine.replay import ReplayError
from tournaments.core.broker.failing_items import server_is_away
from tournaments.web.live.replay_so_far import LiveMessage, LiveReplay, live_replay_of, recorded_answers
from workers.live import STREAM, read_entry

MOST_KEPT = 32 << 20  # bytes of a match's stream in the broker; a longer one is not shown

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Still:
    at: int
    picture: Picture
    names: list[str]
    worth: list[float]
    unit: str
    to_answer: list[int]
    sentence: str  # the last that was told of it


def still_of(number: int) -> Still | None:
    """The match as all may see it now, with the ladder's delay; None if it cannot be shown. No message of a worker may
    break the page."""
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
    shown = live_replay_of(number)
    if shown is None:
        return None
    for message in live_messages(shown):
        shown.receive(message)
    projector = Projector(shown.replay, Perspective())
    sentence = last_sentence(projector.begin())
    while projector.can_go_on:
        sentence = last_sentence(projector.step()[0]) or sentence
    step, picture = projector.run.step, projector.draw()
    unit, to_answer = say(projector.board.UNIT), sorted(projector.run.match.questions)
    return Still(step, picture, projector.names, projector.worth, unit, to_answer, sentence)


def last_sentence(story: list[Part]) -> str:
    lines = [line for part in story if part for line in (part.lines if isinstance(part, Chapter) else [part])]
    return lines[-1].text if lines else ""


def live_messages(shown: LiveReplay) -> list[LiveMessage]:
    if not shown.under_way:
        recording = recorded_answers(shown.number)
        late = recording is not None and recording[1].timestamp() + shown.delay > time.time()
        return [recording[0]] if recording and not late else []
    try:
        entries = stream_entries(shown)
    except (RedisError, OSError):
        return []  # the page works without
    return [message for plain in entries if (message := LiveMessage.read(plain))]


def stream_entries(shown: LiveReplay) -> list[bytes]:
    """Return the messages of the present attempt, up to the moment that is shown."""
    with Redis.from_url(settings.REDIS_URL, socket_timeout=0.5, socket_connect_timeout=0.5) as redis:
        if (redis.memory_usage(STREAM.format(shown.number)) or 0) > MOST_KEPT:
            return []
        upto = int((time.time() - shown.delay) * 1000)
        rows: Any = redis.xrange(STREAM.format(shown.number), max=upto if shown.delay else "+")
    entries = (read_entry(fields) for _, fields in rows)
    return [message for lease, message in entries if lease == str(shown.lease).encode()]
