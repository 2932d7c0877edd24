"""All that is said in a recorded game, as JSON: for whatever says what that looks like."""

from collections.abc import Iterator
from typing import Any

from bots.command.datagen import answer_rows
from engine.games import GAMES
from engine.records import to_plain
from tests.games.record import RECORDINGS, events_in, recordings_of, replay_of

Said = tuple[str, dict[str, Any]]  # the name of its schema, and a record as it is sent
FIRST = [recordings_of(game)[0] for game in GAMES]


def said_in(recording: str) -> Iterator[Said]:
    """Yield the questions, views, answers and events of a recorded game, as each seat sees it."""
    for row in answer_rows(recording, replay_of(recording), ""):
        yield f"question-{row['question']['t']}", row["question"]
        yield "view", row["view"]
        yield f"answer-{row['answer']['t']}", row["answer"]
    seats = range(int(str(RECORDINGS[recording].options["players"])))
    for event in events_in(recording):
        for seen in {id(seen): seen for seat in seats if (seen := event.seen_by(seat))}.values():
            yield f"event-{seen.tag}", to_plain(seen)


def damages(name: str, record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Something that is not known; each field of another type; and of what the table says, each missing."""
    yield record | {"surprise": 1}
    for field, value in record.items():
        yield record | {field: 0 if isinstance(value, dict) else {"another": ["type"]}}
        if field == "t" or not name.startswith("answer"):
            yield {kept: value for kept, value in record.items() if kept != field}
    if "t" in record:
        yield record | {"t": "other"}
