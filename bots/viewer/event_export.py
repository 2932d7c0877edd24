"""The events of a replay as JSON Lines, one a line, with the number of answers that were given before each."""

import json
from collections.abc import Iterator

from bots.viewer.player import Perspective
from engine.core import Event
from engine.records import to_plain
from engine.replay import Replay, advance, playback


def event_lines(replay: Replay, perspective: Perspective) -> Iterator[str]:
    """{"at": 3, "event": {...}} as `perspective` heard them. Raises ReplayError."""
    run = playback(replay)
    yield from _lines(run.step, run.match.hear(), perspective)
    while not run.match.over:
        advance(replay, run)
        yield from _lines(run.step, run.match.hear(), perspective)


def _lines(step: int, events: list[Event], perspective: Perspective) -> Iterator[str]:
    for event in events:
        if heard := perspective.hears(event):
            yield json.dumps({"at": step, "event": to_plain(heard)}, ensure_ascii=False, separators=(",", ":")) + "\n"
